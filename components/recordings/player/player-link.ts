/**
 * Ways to open a video: at a second (`?t=12.5`), at a test result (`?result=7`), or by a click that starts playback. A
 * link to a moment shows that moment and does not play. The address of a card differs only in `?t=`, so the click
 * itself is stored here.
 */

/** The start position in seconds from `?t=`; 0 if it is missing or invalid. */
export function startSecondsOf(value: string | string[] | undefined): number {
	const seconds = Number(Array.isArray(value) ? value[0] : value);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/** `path` with `?t=` to the millisecond, without it at the beginning, and with `?result=` if a test result is selected. */
export function pathAt(path: string, seconds: number, resultId: number | null = null): string {
	const start = Math.floor(seconds * 1000) / 1000;
	const parts = [...(resultId === null ? [] : [`result=${resultId}`]), ...(start > 0 ? [`t=${start}`] : [])];
	return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** The address that compares a recording with the last of its test that passed, from a second on. */
export const comparePath = (recordingId: number, seconds = 0): string =>
	pathAt(`/recordings/${recordingId}/compare`, seconds);

let requestedId: number | null = null;

/** Call it when the user clicks a recording to play it, before its page opens. */
export function requestPlay(recordingId: number): void {
	requestedId = recordingId;
}

export const isPlayRequested = (recordingId: number): boolean => requestedId === recordingId;

/** A request counts for one visit: a later visit to the same recording waits for a new click. */
export function clearPlayRequest(): void {
	requestedId = null;
}
