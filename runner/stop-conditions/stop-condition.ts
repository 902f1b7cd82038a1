/** The interface of all stop conditions: each watches a recording and decides when it has to end. */
import type { HistoryEntry, StopDecision } from "../spool/spool.ts";

export type SessionReport = Extract<HistoryEntry, { type: "session_started" | "session_ended" }>;

export interface WatchedRecording {
	/**
	 * performance.now() of the first frame, or of the call whose recording begins before it; it can lie before this process
	 * started. It changes when the recording starts
	 * over because its first encoder left no frame.
	 */
	readonly startedAt: number;
	/** Aborted when capture is over. */
	over: AbortSignal;
	stop(decision: StopDecision): void;
	/** Adds a note to the job's history. */
	note(event: string, message: string, data?: Record<string, unknown>): void;
	/** Reports a session of the grid. @param at performance.now() of when it came or went. */
	session(report: SessionReport, at: number): void;
	/** The recording is of this session of the grid, also after a restart of the runner. */
	follow(sessionId: string): void;
}

/** ffmpeg itself ends on the exact frame, also while no runner is running. */
export interface CaptureLimit {
	/** Seconds of video that are captured. */
	seconds: number;
	/** Why the recording has ended when they are. */
	reached: StopDecision;
}

export interface StopCondition {
	/** Null when it sets none. */
	readonly limit: CaptureLimit | null;
	/** Watches until the recording is over. Must not reject. */
	watch(recording: WatchedRecording): Promise<void>;
}
