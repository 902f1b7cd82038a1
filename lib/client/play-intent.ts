/**
 * Whoever clicks on a video to play it wants it playing; whoever opens a link to a moment of it wants to look at
 * that moment first. The address is the same, so the click is remembered here, until the next document.
 */
let wanted: number | null = null;

/** Call it when a person asked for this recording to play, before its page is opened. */
export function wantToPlay(recordingId: number): void {
	wanted = recordingId;
}

export const isPlayWanted = (recordingId: number): boolean => wanted === recordingId;
