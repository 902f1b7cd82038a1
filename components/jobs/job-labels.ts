/** What a job's status, its stop condition and its failures are called, everywhere. */
import type { Job } from "#lib/contract/job.ts";
import type { FailedReason, JobStatus } from "#lib/contract/job-status.ts";
import type { StopCondition } from "#lib/contract/stop-condition.ts";

export const STATUS_LABELS: Record<JobStatus, string> = {
	queued: "Queued",
	starting: "Starting",
	recording: "Recording",
	uploading: "Uploading",
	completed: "Completed",
	failed: "Failed",
	cancelled: "Cancelled",
};

export const STOP_CONDITION_LABELS: Record<StopCondition, string> = {
	duration: "Duration",
	interrupt: "Interrupt",
	selenium_idle: "Selenium idle",
};

/** Headings of jobs that failed. */
const FAILURE_TITLES: Record<FailedReason, string> = {
	display_lost: "The display went away",
	display_unavailable: "The display was not there",
	storage_full: "The disk is full",
	runner_lost: "The runner went silent",
	runner_removed: "The runner was removed",
	grid_unauthorized: "The grid refused the credentials",
	grid_not_recognised: "No Selenium Grid was recognised",
	grid_not_allowed: "The runner may not ask this grid",
	not_supported: "The runner does not support this",
	ffmpeg_failed: "The recorder failed",
};

/** The heading of a failed job. */
export const failureTitle = (job: Job): string => (job.error ? FAILURE_TITLES[job.error.code] : "The job failed");
