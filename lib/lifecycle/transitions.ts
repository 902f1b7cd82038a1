/**
 * The transition table: every job status and the statuses that can follow it.
 *
 *   queued ──► starting ──► recording ──► uploading ──► completed
 *     │           │             │             │
 *     └─cancelled─┘             └── failed ◄──┘
 *
 * `queued → failed` and `starting → failed` exist too. An ended job changes in one case only: the provisional verdict
 * `failed / runner_lost` is reverted when the runner reports again.
 */
import type { JobStatus } from "@tapedeck/contract/job-status.ts";

export const TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
	queued: ["starting", "cancelled", "failed"],
	starting: ["recording", "cancelled", "failed"],
	recording: ["uploading", "failed"],
	uploading: ["completed", "failed"],
	completed: [],
	failed: [],
	cancelled: [],
};

/** The statuses that a lost job can return to when its runner reports again. */
export const RETURNS: readonly JobStatus[] = ["starting", "recording", "uploading", "completed", "cancelled", "failed"];

/** Whether a returning runner reverts this verdict: yes, unless someone deleted the partial recording. */
export const isProvisional = (job: {
	status: JobStatus;
	stopReason: unknown;
	recordingDeletedAt?: number | null;
}): boolean => job.status === "failed" && job.stopReason === "runner_lost" && job.recordingDeletedAt == null;

/** Whether more may be captured for a job in this status. @param stopReason the current one, or the one being set. */
export const mayCapture = (status: JobStatus, stopReason: unknown): boolean =>
	status === "queued" || status === "starting" || status === "recording" || isProvisional({ status, stopReason });

/** Statuses that can move to `to`, not counting the provisional verdict. */
export const statusesBefore = (to: JobStatus): JobStatus[] =>
	(Object.keys(TRANSITIONS) as JobStatus[]).filter((from) => TRANSITIONS[from].includes(to));
