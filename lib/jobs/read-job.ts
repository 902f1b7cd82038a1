/** `GET /v1/jobs/{id}`: one job, now or once it has come so far. */
import { isEnded, type Job, type WaitFor } from "../contract/job.ts";
import type { Context, Fact } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { lookUntil } from "../core/look-until.ts";
import { selectJobs } from "../lifecycle/job-store.ts";
import { jobView } from "./job-view.ts";

/** @throws not_found for a job that the caller's organization does not have. */
export async function readJob(ctx: Context, jobId: number): Promise<Job> {
	const row = await selectJobs(ctx.db)
		.where("job.id", "=", jobId)
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("job");
	return jobView(ctx, row);
}

/** Whether a job has come as far as a caller waits for; one that can never come there counts as arrived. */
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
 * Holds until the job has reached the goal, at most `timeoutMs`.
 *
 * @param signal ends the wait early: the caller went away, or the server stops.
 * @returns the job as it stands then, whether it got there or not.
 */
export function waitForJob(
	ctx: Context,
	jobId: number,
	goal: WaitFor,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Job> {
	const look = () => readJob(ctx, jobId);
	const isEnough = (job: Job) => hasReached(job, goal);
	const matters = (fact: Fact) => "jobId" in fact && fact.jobId === jobId;
	return lookUntil(ctx, { look, isEnough, matters, timeoutMs }, signal);
}
