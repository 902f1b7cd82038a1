/** The last step of a job: it ends once its capture has ended and its video is completely uploaded. */
import { isFailedReason, type JobType, LEASED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { changeDetails } from "./change-details.ts";
import { addJobEvent, type JobRow, lockJob, moveJob, publishJob } from "./job-store.ts";
import { recordingSettings } from "./labels.ts";
import { storeVerdict } from "./verdict.ts";

const STORED: Record<JobType, string> = {
	recording: "The video is stored and can be played.",
	screenshot: "The screenshot is stored.",
	file_upload: "The file is stored.",
};

/**
 * Ends a job that is `uploading` and whose recording is `ready`; otherwise does nothing. Called both when capture is
 * reported to have ended and when the upload completes, in either order.
 *
 * @param ctx its database must be a transaction.
 */
export async function settleJob(ctx: Context, jobId: number): Promise<JobRow | undefined> {
	const job = await ctx.db
		.selectFrom("job")
		.innerJoin("recording", "recording.jobId", "job.id")
		.select(["job.type", "job.stopReason", "job.stoppedAt", "recording.bytes", "recording.verdict"])
		.where("job.id", "=", jobId)
		.where("job.status", "=", "uploading")
		.where("recording.state", "=", "ready")
		.executeTakeFirst();
	if (job === undefined || job.stopReason === null) return undefined;
	const endedAt = ctx.clock.now();
	const status = isFailedReason(job.stopReason) ? "failed" : "completed";
	const moved = await moveJob(ctx, jobId, status, { endedAt }, { from: ["uploading"], verdict: job.verdict });
	if (moved === undefined) return undefined;
	if (job.stoppedAt !== null) ctx.measures?.playableAfter(Math.max(0, endedAt - job.stoppedAt) / 1_000);
	if (moved.keep === "failed" && moved.outcome === "passed") await startGrace(ctx, moved, endedAt);
	const message =
		status === "completed" ? STORED[job.type] : "The job failed. What was captured is stored and can be played.";
	await addJobEvent(ctx, jobId, { type: status, message, at: endedAt, data: { bytes: job.bytes } });
	return (await concludeOutcome(ctx, moved)) ?? moved;
}

/** The announced outcome of a job has not come: from now on, its `fail` markers count. @returns its row, if changed. */
export async function concludeOutcome(ctx: Context, job: JobRow): Promise<JobRow | null> {
	if (job.outcomeExpected === 0 || job.outcome !== null) return null;
	const failure = await ctx.db
		.selectFrom("marker")
		.select("id")
		.where("jobId", "=", job.id)
		.where("kind", "=", "fail")
		.limit(1)
		.executeTakeFirst();
	if (failure === undefined) return null;
	const owner = { ...ctx, actor: { ...ctx.actor, organizationId: job.organizationId } };
	return (await changeDetails(owner, { jobId: job.id }, { hasFailMarker: true })).job;
}

/** A recording whose test passed is to be deleted: its time begins now that it can be watched. */
async function startGrace(ctx: Context, { id, organizationId }: JobRow, now: number): Promise<void> {
	const { graceSeconds } = await recordingSettings(ctx, organizationId);
	await ctx.db
		.updateTable("recording")
		.set({ deleteAt: now + graceSeconds * 1000 })
		.where("jobId", "=", id)
		.where("deleteAt", "is not", null)
		.execute();
}

/**
 * Call in the transaction in which a job's recording becomes `ready`.
 * @param ctx its database must be that transaction, with the job locked: a concurrent one may be applying the report
 *   that capture ended, and neither would see the other.
 */
export async function settleStored(ctx: Context, jobId: number): Promise<JobRow | undefined> {
	await storeVerdict(ctx, jobId);
	return settleJob(ctx, jobId);
}

/** Settles a job whose recording is `ready`. Idempotent. */
export async function recordingStored(ctx: Context, jobId: number): Promise<void> {
	const moved = await inTransaction(ctx, async (ctx) => {
		await lockJob(ctx, jobId);
		return settleStored(ctx, jobId);
	});
	if (moved !== undefined) publishJob(ctx, moved);
}

/**
 * Call when the upload of a job's video ended without a byte: nothing more comes, so the job fails. Idempotent.
 */
export async function recordingIsEmpty(ctx: Context, jobId: number): Promise<void> {
	const moved = await inTransaction(ctx, async (ctx) => {
		await lockJob(ctx, jobId);
		const { stopReason, errorMessage } = await ctx.db
			.selectFrom("job")
			.select(["stopReason", "errorMessage"])
			.where("id", "=", jobId)
			.executeTakeFirstOrThrow();
		const endedAt = ctx.clock.now();
		const message = errorMessage ?? "The runner sent no video. See the runner's log, and create the job again.";
		const reason = stopReason !== null && isFailedReason(stopReason) ? stopReason : "ffmpeg_failed";
		const set = { stopReason: reason, errorMessage: message, endedAt };
		const moved = await moveJob(ctx, jobId, "failed", set, { from: LEASED_STATUSES });
		if (moved !== undefined) await addJobEvent(ctx, jobId, { type: "failed", message, at: endedAt });
		return moved;
	});
	if (moved !== undefined) publishJob(ctx, moved);
}
