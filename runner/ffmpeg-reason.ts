/** What ffmpeg's standard error says about why it ended. Its exit status says little: 0 when the display dies. */
import type { FailedReason } from "#lib/contract/job.ts";

export interface CaptureFault {
	reason: Extract<FailedReason, "display_unavailable" | "display_lost" | "storage_full" | "ffmpeg_failed">;
	/** One sentence: what happened and what to do. */
	message: string;
	/** The screen is smaller than was asked for; asking again with its new size can work. */
	shrunk?: true;
}

export const STORAGE_FULL: CaptureFault = {
	reason: "storage_full",
	message:
		"The disk that holds the runner's data directory is full; make room on it, or set TAPEDECK_DATA_DIR to a larger one.",
};

const STORAGE = /No space left on device|Disk quota exceeded|File too large/;
const UNAVAILABLE = /Cannot open display|Authorization required|Invalid MIT-MAGIC-COOKIE|Can't open X display/i;
const SHRUNK = /Capture area .* outside the screen size|Cannot get the image data/;
const LOST = /Failed to query xcb pointer|Cannot get the image data|Generic error in an external library/;

/** Lines that ffmpeg prints on a good day too. */
const HARMLESS =
	/not enough frames to estimate|deprecated pixel format|-vsync is deprecated|Thread message queue blocking|^\s|^frame=|^video:|^Press /;

/** Its own words: the last line that is no chatter. */
export function lastWords(stderr: string): string {
	const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== "" && !HARMLESS.test(line));
	return (lines.at(-1) ?? "").replace(/^\[[^\]]*\] /, "").trim();
}

/** Whether ffmpeg says that a signal ended it. */
export const endedBySignal = (stderr: string): boolean => /Exiting normally, received signal \d+/.test(stderr);

/**
 * @param started whether the first frame had been captured.
 * @returns null when standard error names no fault.
 */
export function faultOf(stderr: string, displayId: string, started: boolean): CaptureFault | null {
	if (STORAGE.test(stderr)) {
		return STORAGE_FULL;
	}
	if (UNAVAILABLE.test(stderr)) {
		return {
			reason: "display_unavailable",
			message: `Display ${displayId} cannot be opened; start it, and check that the runner may use it (XAUTHORITY).`,
		};
	}
	if (!started && SHRUNK.test(stderr)) {
		return {
			reason: "display_unavailable",
			message: `Display ${displayId} changed its size while the recording began; start the job again.`,
			shrunk: true,
		};
	}
	if (LOST.test(stderr)) {
		return started
			? {
					reason: "display_lost",
					message: `Display ${displayId} went away or changed while it was recorded; keep the X server running until the job has ended.`,
				}
			: {
					reason: "display_unavailable",
					message: `Display ${displayId} went away before its first frame; start it again.`,
				};
	}
	return null;
}

/** The fault of an ffmpeg that ended without being asked and without naming a known one. */
export function unknownFault(stderr: string, exit: string): CaptureFault {
	const words = lastWords(stderr);
	return {
		reason: "ffmpeg_failed",
		message: `ffmpeg ended unexpectedly (${exit})${words === "" ? "" : `: ${words.slice(0, 500)}`}; see the runner's log, and check that its ffmpeg is a complete one.`,
	};
}

/** The instant of the first frame as ffmpeg prints it, in ms since 1970; null while it has not started writing. */
export function firstFrameAt(stderr: string): number | null {
	if (!stderr.includes("Output #0")) return null;
	const seconds = /, start: (\d+\.\d+)/.exec(stderr)?.[1];
	return seconds === undefined ? null : Math.round(Number(seconds) * 1_000);
}
