/** Vocabulary of jobs: types, statuses and stop reasons. Without zod, because pages need it in their first load. */

/** A `screenshot` is one picture of a display, a `file_upload` a file of its runner. */
export const JOB_TYPES = ["recording", "screenshot", "file_upload"] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = [
	"queued",
	"starting",
	"recording",
	"uploading",
	"completed",
	"failed",
	"cancelled",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Statuses in which a runner holds the job. */
export const LEASED_STATUSES = ["starting", "recording", "uploading"] as const satisfies readonly JobStatus[];

/** Statuses of a job that has not ended. */
export const UNFINISHED_STATUSES = ["queued", ...LEASED_STATUSES] as const satisfies readonly JobStatus[];

/** Statuses of a job that has ended. Of these, only `failed` can change again: see `isProvisional`. */
export const ENDED_STATUSES = ["completed", "failed", "cancelled"] as const satisfies readonly JobStatus[];
export const isEnded = (status: JobStatus): boolean => (ENDED_STATUSES as readonly JobStatus[]).includes(status);

/** Reasons that end a job as `completed`. */
export const COMPLETED_REASONS = [
	"duration_elapsed",
	"cancelled",
	"selenium_idle",
	"runner_shutdown",
	"grid_unreachable",
	"duration_cap",
	"session_ended",
	"captured",
	"file_sent",
] as const;
/** Reasons that end a job as `failed`; `error.code` has the same value. */
export const FAILED_REASONS = [
	"display_lost",
	"display_unavailable",
	"storage_full",
	"runner_lost",
	"runner_removed",
	"grid_unauthorized",
	"grid_not_recognised",
	"grid_not_allowed",
	"not_supported",
	"ffmpeg_failed",
	"file_unavailable",
] as const;
export const STOP_REASONS = [...COMPLETED_REASONS, ...FAILED_REASONS] as const;
export type FailedReason = (typeof FAILED_REASONS)[number];
export type StopReason = (typeof STOP_REASONS)[number];

export const isFailedReason = (reason: StopReason): reason is FailedReason =>
	(FAILED_REASONS as readonly StopReason[]).includes(reason);
