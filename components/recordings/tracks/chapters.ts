import type { TrackLine } from "@tapedeck/contract/track.ts";
import { lineAt } from "./track-window.ts";

/** The title of the window that was active at a second; null where none was, or nobody knows. */
export function chapterAt(windows: readonly TrackLine[], seconds: number): string | null {
	const line = windows[lineAt(windows, seconds)];
	// Some lines only end the chapter before them.
	return line === undefined || line.data?.window === null ? null : line.text;
}
