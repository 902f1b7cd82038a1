/** What every stop condition is: something that watches a recording and says when it has to end. */
import type { StopReason } from "#lib/contract/job.ts";

export interface StopDecision {
	reason: StopReason;
	/** One sentence, where the reason fails the job. */
	message?: string;
	/** The observations that decided. */
	data?: Record<string, unknown>;
}

export interface WatchedRecording {
	/**
	 * performance.now() of the first frame; it can lie before this process began. It moves when the recording had to
	 * begin again, because its first encoder left nothing.
	 */
	readonly startedAt: number;
	/** Aborted when capture is over. */
	over: AbortSignal;
	stop(decision: StopDecision): void;
	/** A line in the job's history. */
	note(event: string, message: string, data?: Record<string, unknown>): void;
}

export interface StopCondition {
	/** Seconds of video after which capture ends by itself; null for no such end. */
	readonly captureSeconds: number | null;
	/** Watches until the recording is over. Must not reject. */
	watch(recording: WatchedRecording): Promise<void>;
}
