/** `GET /v1/jobs/{id}`: a job, at once or when it reaches a given status. */
import type { Job, WaitFor } from "#lib/contract/job.ts";
import { isEnded } from "#lib/contract/job-status.ts";
import type { Change, Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { pollUntil } from "#lib/core/poll-until.ts";
import { selectJobs } from "#lib/lifecycle/job-store.ts";
import { jobView } from "./job-view.ts";

/** @throws not_found if the job doesn't exist in the caller's organization. */
export async function readJob(ctx: Context, jobId: number): Promise<Job> {
	const row = await selectJobs(ctx.db)
		.where("job.id", "=", jobId)
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("job");
	return jobView(ctx, row);
}

/** Whether a job has reached the goal. A job that can no longer reach it counts too. */
export function hasReached(job: Job, goal: WaitFor): boolean {
	switch (goal) {
		case "recording":
			return job.startedAt !== null || isEnded(job.status);
		case "ended":
			return isEnded(job.status);
		case "playable":
			return isEnded(job.status) && (job.recording === null || job.recording.state !== "live");
	}
}

/**
 * Waits until the job reaches the goal, for at most `timeoutMs`.
 *
 * @param signal ends the wait early: the caller disconnected, or the server is stopping.
 * @returns the job's current state, whether it reached the goal or not.
 */
export function waitForJob(
	ctx: Context,
	jobId: number,
	goal: WaitFor,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Job> {
	const read = () => readJob(ctx, jobId);
	const isFinal = (job: Job) => hasReached(job, goal);
	const isRelevant = (change: Change) => "jobId" in change && change.jobId === jobId;
	return pollUntil(ctx, { read, isFinal, isRelevant, timeoutMs }, signal);
}
