/**
 * The transition table: every status that a job can have, and where it can go from there.
 *
 *   queued ──► starting ──► recording ──► uploading ──► completed
 *     │           │             │             │
 *     └─cancelled─┘             └── failed ◄──┘
 *
 * `queued → failed` and `starting → failed` exist too. The one way back leads out of the provisional verdict
 * `failed / runner_lost`, when the runner reports again.
 */
import type { JobStatus, StopReason } from "../contract/job.ts";

export const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
	queued: ["starting", "cancelled", "failed"],
	starting: ["recording", "cancelled", "failed"],
	recording: ["uploading", "failed"],
	uploading: ["completed", "failed"],
	completed: [],
	failed: [],
	cancelled: [],
};

/** Where a job that was declared lost can go when its runner reports again. */
export const RETURNS: readonly JobStatus[] = ["recording", "uploading", "completed", "cancelled", "failed"];

/** The verdict that a returning runner overturns, unless somebody has deleted what there was of the recording. */
export const isProvisional = (job: {
	status: JobStatus;
	stopReason: unknown;
	recordingDeletedAt?: number | null;
}): boolean => job.status === "failed" && job.stopReason === "runner_lost" && job.recordingDeletedAt == null;

/** Whether something may still be captured for a job that stands there. @param stopReason as it is, or is being set. */
export const mayCapture = (status: JobStatus, stopReason: unknown): boolean =>
	status === "queued" || status === "starting" || status === "recording" || isProvisional({ status, stopReason });

/** Whether a job may go from where it stands to `to`. */
export function mayMove(job: { status: JobStatus; stopReason: StopReason | null }, to: JobStatus): boolean {
	return isProvisional(job) ? RETURNS.includes(to) : TRANSITIONS[job.status].includes(to);
}

/** Statuses from which `to` can be reached, the provisional verdict left aside. */
export const statusesBefore = (to: JobStatus): JobStatus[] =>
	(Object.keys(TRANSITIONS) as JobStatus[]).filter((from) => TRANSITIONS[from].includes(to));

/** Statuses in which a runner holds the job. */
export const LEASED_STATUSES = ["starting", "recording", "uploading"] as const satisfies readonly JobStatus[];
