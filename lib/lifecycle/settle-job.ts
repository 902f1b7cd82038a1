/** The last step of a job: it is over once its capture has ended and its video is whole. */
import { isFailedReason } from "../contract/job.ts";
import type { Context } from "../core/context.ts";
import { addJobEvent, inTransaction, type JobRow, lockJob, moveJob, publishJob } from "./job-store.ts";
import { keepVerdict } from "./verdict.ts";

/**
 * Ends a job that is `uploading` and whose recording is `ready`; does nothing otherwise. Called from both
 * sides, by the report that capture has ended and by the upload that became whole, in either order.
 *
 * @param ctx one whose database is a transaction.
 */
export async function settleJob(ctx: Context, jobId: number): Promise<JobRow | undefined> {
	const job = await ctx.db
		.selectFrom("job")
		.innerJoin("recording", "recording.jobId", "job.id")
		.select(["job.stopReason", "recording.bytes"])
		.where("job.id", "=", jobId)
		.where("job.status", "=", "uploading")
		.where("recording.state", "=", "ready")
		.executeTakeFirst();
	if (job === undefined || job.stopReason === null) return undefined;
	const endedAt = ctx.clock.now();
	const status = isFailedReason(job.stopReason) ? "failed" : "completed";
	const moved = await moveJob(ctx, jobId, status, { endedAt }, { from: ["uploading"] });
	if (moved === undefined) return undefined;
	const message =
		status === "completed"
			? "The video is stored and plays."
			: "The job failed; what was captured is stored and plays.";
	await addJobEvent(ctx, jobId, { type: status, message, at: endedAt, data: { bytes: job.bytes } });
	return moved;
}

/** Told by lib/recordings once an upload is whole. Idempotent. */
export async function recordingStored(ctx: Context, jobId: number): Promise<void> {
	const moved = await inTransaction(ctx, async (ctx) => {
		// The report that capture has ended may be on its way in another transaction: neither would see the other.
		await lockJob(ctx, jobId);
		await keepVerdict(ctx, jobId);
		return settleJob(ctx, jobId);
	});
	if (moved !== undefined) publishJob(ctx, moved);
}
