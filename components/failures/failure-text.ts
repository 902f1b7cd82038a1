/** Why a recording that failed has stopped, in a few words. */
import { failureTitle } from "#components/jobs/job-labels.ts";
import type { Failure } from "#lib/contract/failure.ts";
import { type COMPLETED_REASONS, isFailedReason } from "#lib/contract/job-status.ts";

const STOPPED: Record<(typeof COMPLETED_REASONS)[number], string> = {
	duration_elapsed: "Stopped after its duration",
	cancelled: "Stopped by request",
	selenium_idle: "Stopped when the grid was idle",
	runner_shutdown: "Stopped because its runner shut down",
	grid_unreachable: "Stopped because the grid was unreachable",
	duration_cap: "Stopped at its cap",
	session_ended: "Stopped when the session ended",
};

/** Null while it records, and for an upload. */
export function whyStopped({ job }: Pick<Failure, "job">): string | null {
	if (job?.stopReason == null) return null;
	if (isFailedReason(job.stopReason)) return failureTitle(job);
	return STOPPED[job.stopReason];
}

/** What went wrong, in the words of whoever noticed; null if nobody said more than that it failed. */
export function whatFailed({ failMarker, job }: Pick<Failure, "failMarker" | "job">): string | null {
	return failMarker?.label ?? job?.error?.message ?? null;
}
