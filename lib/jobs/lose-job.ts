/** The verdict over jobs whose runner is silent, and its return. */
import { sql } from "kysely";
import type { StopReason } from "../contract/job.ts";
import type { Context } from "../core/context.ts";
import { addJobEvent, type JobRow, moveJob, publishJob } from "../lifecycle/job-store.ts";
import { LEASED_STATUSES } from "../lifecycle/transitions.ts";

/**
 * Declares a job lost. The verdict is provisional: `returnJob` or a report of the runner overturns it.
 * What was uploaded so far plays from now on.
 *
 * @param ctx one whose database is a transaction.
 * @param why one sentence for the people who look at the job.
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
	await keepAsPartial(ctx, jobId, now);
	await addJobEvent(ctx, jobId, { type: "runner_lost", message: why, at: now });
	return moved;
}

/** What was uploaded of a job's recording is all that there is (for now): it plays, and nothing is live any more. */
export async function keepAsPartial(ctx: Context, jobId: number, now: number): Promise<void> {
	await ctx.db
		.updateTable("recording")
		.set({ state: "partial", updatedAt: now })
		.where("jobId", "=", jobId)
		.where("state", "=", "live")
		.execute();
}

/** Tells the committed loss: of the job, and of the recording that is `partial` from now on. */
export async function publishLost(ctx: Context, job: JobRow): Promise<void> {
	publishJob(ctx, job);
	const recording = await ctx.db.selectFrom("recording").select("id").where("jobId", "=", job.id).executeTakeFirst();
	if (recording === undefined) return;
	const { organizationId } = job;
	ctx.facts.publish({ type: "recording", organizationId, recordingId: recording.id, jobId: job.id, deleted: false });
}

/** Takes a lost job up again, because its runner has it after all. @param ctx one whose database is a transaction. */
export async function returnJob(ctx: Context, job: JobRow): Promise<JobRow | undefined> {
	if (job.startedAt === null) return undefined;
	const set = { stopReason: job.heldStopReason, heldStopReason: null, errorMessage: null, endedAt: null };
	const to = job.stoppedAt === null ? "recording" : "uploading";
	const moved = await moveJob(ctx, job.id, to, set, { from: [], returning: true });
	if (moved === undefined) return undefined;
	await addJobEvent(ctx, job.id, { type: "runner_returned", message: "The runner reports again; the job goes on." });
	return moved;
}
