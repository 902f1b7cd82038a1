/** Why a capture ended that nobody asked to end: while no runner was there to go on, or by an error of the runner. */
import { faultOf, STORAGE_FULL } from "./ffmpeg-reason.ts";
import { wordsOf } from "./log.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";

export interface CaptureOutcome {
	displayId: string;
	stderr: string;
	/** Whether a first frame was captured. */
	started: boolean;
	/** Whether a `duration` was captured to its last frame. */
	whole: boolean;
}

/** ffmpeg's own words tell why; its exit status does not. */
export function verdictOf(outcome: CaptureOutcome): StopDecision {
	if (outcome.whole) return { reason: "duration_elapsed" };
	const fault = faultOf(outcome.stderr, outcome.displayId, outcome.started);
	if (fault !== null) return { reason: fault.reason, message: fault.message };
	return {
		reason: "ffmpeg_failed",
		message:
			"The recording broke off: the runner was ended from outside, and its ffmpeg no longer ran when it came back. What was captured is kept; stop the runner with SIGTERM so that recordings end whole.",
	};
}

/** The runner itself could not go on. @param error what was thrown, such as by its disk. */
export function verdictOfError(error: unknown): StopDecision {
	const { code } = error as NodeJS.ErrnoException;
	if (code === "ENOSPC" || code === "EDQUOT") return { reason: STORAGE_FULL.reason, message: STORAGE_FULL.message };
	return {
		reason: "ffmpeg_failed",
		message: `The runner could not go on with the recording (${wordsOf(error)}). Check the disk that holds its data directory; what was captured is kept there and delivered when it can be read.`,
	};
}
