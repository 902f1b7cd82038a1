/** What a job's status and stop condition are called, everywhere. */
import type { JobStatus } from "#lib/contract/job.ts";
import type { StopCondition } from "#lib/contract/stop-condition.ts";

export const STATUS_WORDS: Record<JobStatus, string> = {
	queued: "Queued",
	starting: "Starting",
	recording: "Recording",
	uploading: "Uploading",
	completed: "Completed",
	failed: "Failed",
	cancelled: "Cancelled",
};

export const STOP_CONDITION_WORDS: Record<StopCondition, string> = {
	duration: "Duration",
	interrupt: "Interrupt",
	selenium_idle: "Selenium idle",
};
