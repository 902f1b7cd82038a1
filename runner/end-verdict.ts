/** Why a capture ended that nobody asked to end, and while no runner was there to go on. */
import { faultOf } from "./ffmpeg-reason.ts";
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
