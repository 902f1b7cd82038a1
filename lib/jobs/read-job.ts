/** `GET /v1/jobs/{id}`: a job, at once or when it reaches a given status. */
import type { Job, WaitFor } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import type { Change, Context, EventBus } from "#lib/core/context.ts";
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

/** Reads of jobs that are under way, for each process's events. */
const underWay = new WeakMap<EventBus, Map<string, { read: Promise<Job>; delivered: number }>>();

/**
 * One read for all who wait for a job: a change wakes them at the same time. A read that began before the last change is
 * not shared, because it may not have seen it.
 */
function readForAll(ctx: Context, jobId: number): Promise<Job> {
	const { events } = ctx;
	const reads = underWay.get(events) ?? new Map();
	underWay.set(events, reads);
	const key = `${ctx.actor.organizationId} ${jobId}`;
	const known = reads.get(key);
	if (known?.delivered === events.delivered) return known.read;
	const read = readJob(ctx, jobId).finally(() => {
		if (reads.get(key)?.read === read) reads.delete(key);
	});
	reads.set(key, { read, delivered: events.delivered });
	return read;
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
	const read = () => readForAll(ctx, jobId);
	const isFinal = (job: Job) => hasReached(job, goal);
	const isRelevant = (change: Change) => "jobId" in change && change.jobId === jobId;
	return pollUntil(ctx, { read, isFinal, isRelevant, timeoutMs }, signal);
}
