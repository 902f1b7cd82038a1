/** Names of job statuses, stop conditions and failures, used everywhere. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { FailedReason, JobStatus, JobType } from "@tapedeck/contract/job-status.ts";
import type { StopCondition } from "@tapedeck/contract/stop-condition.ts";

export const STATUS_LABELS: Record<JobStatus, string> = {
	queued: "Queued",
	starting: "Starting",
	recording: "Recording",
	uploading: "Uploading",
	completed: "Completed",
	failed: "Recording failed",
	cancelled: "Cancelled",
};

export const STOP_CONDITION_LABELS: Record<StopCondition, string> = {
	duration: "Duration",
	interrupt: "Interrupt",
	selenium_idle: "Selenium idle",
	selenium_session: "Selenium session",
};

/** Names of types that have no stop condition. */
export const TYPE_LABELS: Record<JobType, string> = {
	recording: "Recording",
	screenshot: "Screenshot",
	file_upload: "File upload",
};

/** Headings of jobs that failed. */
const FAILURE_TITLES: Record<FailedReason, string> = {
	display_lost: "Display disappeared",
	display_unavailable: "Display not found",
	storage_full: "Disk full",
	runner_lost: "Runner stopped responding",
	runner_removed: "Runner removed",
	grid_unauthorized: "Grid rejected the credentials",
	grid_not_recognised: "Grid or node not recognized",
	grid_not_allowed: "Grid not allowed by the runner",
	not_supported: "Not supported by the runner",
	ffmpeg_failed: "ffmpeg failed",
	file_unavailable: "File not uploaded",
};

/** The same where there is little space, as below a status in the list. */
const FAILURE_NOTES: Partial<Record<FailedReason, string>> = {
	runner_lost: "Runner not responding",
	grid_unauthorized: "Grid sign-in failed",
	grid_not_allowed: "Grid not allowed",
	grid_not_recognised: "Grid not recognized",
	not_supported: "Not supported",
};

export const failureNote = (job: Pick<Job, "error">): string =>
	(job.error ? FAILURE_NOTES[job.error.code] : undefined) ?? failureTitle(job);

/** The heading of a failed job. */
export const failureTitle = (job: Pick<Job, "error">): string =>
	job.error ? FAILURE_TITLES[job.error.code] : STATUS_LABELS.failed;
