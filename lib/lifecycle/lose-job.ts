/** Jobs whose runner is gone: lost while it is silent, resumed when it returns, failed when it is removed. */
import { LEASED_STATUSES, type StopReason, UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { addJobEvent, type JobRow, moveJob, publishJob } from "./job-store.ts";
import { concludeOutcome } from "./settle-job.ts";

/**
 * Declares a job lost. This is provisional: `returnJob` or a report from the runner reverts it. What was uploaded so
 * far becomes playable.
 *
 * @param ctx its database must be a transaction.
 * @param why one sentence, shown to users.
 */
export async function loseJob(ctx: Context, jobId: number, why: string): Promise<JobRow | undefined> {
	const now = ctx.clock.now();
	const set = {
		heldStopReason: sql<StopReason | null>`"stopReason"`,
		stopReason: "runner_lost",
		errorMessage: why,
		endedAt: now,
	} as const;
	const moved = await moveJob(ctx, jobId, "failed", set, { from: LEASED_STATUSES });
	if (moved === undefined) return undefined;
	await markPartial(ctx, jobId, now);
	await addJobEvent(ctx, jobId, { type: "runner_lost", message: why, at: now });
	return (await concludeOutcome(ctx, moved)) ?? moved;
}

/** Makes what was uploaded of a job's recording playable, and no longer live. */
export async function markPartial(ctx: Context, jobId: number, now: number): Promise<void> {
	await ctx.db
		.updateTable("recording")
		.set({ state: "partial", updatedAt: now })
		.where("jobId", "=", jobId)
		.where("state", "=", "live")
		.execute();
}

/** Publishes a committed loss: the job, and its recording, which is now `partial`. */
export async function publishLost(ctx: Context, job: JobRow): Promise<void> {
	publishJob(ctx, job);
	const recording = await ctx.db.selectFrom("recording").select("id").where("jobId", "=", job.id).executeTakeFirst();
	if (recording === undefined) return;
	const { organizationId } = job;
	ctx.events.publish({ type: "recording", organizationId, recordingId: recording.id, jobId: job.id, deleted: false });
}

/** Resumes a lost job that its runner still has. @param ctx its database must be a transaction. */
export async function returnJob(ctx: Context, job: JobRow): Promise<JobRow | undefined> {
	const set = { stopReason: job.heldStopReason, heldStopReason: null, errorMessage: null, endedAt: null };
	const to = job.startedAt === null ? "starting" : job.stoppedAt === null ? "recording" : "uploading";
	const moved = await moveJob(ctx, job.id, to, set, { from: [], returning: true });
	if (moved === undefined) return undefined;
	await noteReturn(ctx, job.id);
	return moved;
}

/** Says in the history that a loss was none. @param ctx its database must be a transaction. */
export async function noteReturn(ctx: Context, jobId: number): Promise<void> {
	await addJobEvent(ctx, jobId, { type: "runner_returned", message: "The runner reports again. The job continues." });
}

/**
 * Fails a job because its runner was removed: a queued or lost job, and with `held` also one the runner had started.
 * The part that is already uploaded becomes playable.
 *
 * @param ctx its database must be a transaction.
 */
export async function endRemovedJob(
	ctx: Context,
	jobId: number,
	runnerName: string,
	{ held }: { held: boolean },
): Promise<JobRow | undefined> {
	const now = ctx.clock.now();
	const why = `The runner ${runnerName} was removed. Create the job again on another one.`;
	const set = { stopReason: "runner_removed", heldStopReason: null, errorMessage: why, endedAt: now } as const;
	const from = held ? UNFINISHED_STATUSES : (["queued"] as const);
	const moved = await moveJob(ctx, jobId, "failed", set, { from, returning: true });
	if (moved === undefined) return undefined;
	await markPartial(ctx, jobId, now);
	await addJobEvent(ctx, jobId, { type: "runner_removed", message: why, at: now });
	return moved;
}
