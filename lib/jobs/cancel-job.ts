/** `POST /v1/jobs/{id}/cancel`: ends a job, whatever its stop condition. */
import type { Job } from "../contract/job.ts";
import { assertMayWrite, creatorOf } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { addJobEvent, inTransaction, moveJob, publishJob } from "../lifecycle/job-store.ts";
import { readJob } from "./read-job.ts";

/**
 * Cancels a job: a queued one is over at once, a running one is told to its runner, which ends the recording.
 *
 * @returns the job, and whether this very call stopped it: false when it was stopping or had ended already,
 *   which is no error, because a cancel may race the natural end.
 * @throws not_found for a job that the caller's organization does not have.
 */
export async function cancelJob(ctx: Context, jobId: number): Promise<{ job: Job; stopped: boolean }> {
	assertMayWrite(ctx);
	const { name } = await readJob(ctx, jobId);
	const stopped = await inTransaction(ctx, async (ctx) => {
		const by = creatorOf(ctx)?.name ?? "Tapedeck";
		const now = ctx.clock.now();
		const cancelled = { action: "job.cancelled", target: { kind: "job", id: jobId, name } } as const;
		const over = { cancelRequestedAt: now, stopReason: "cancelled", endedAt: now } as const;
		if ((await moveJob(ctx, jobId, "cancelled", over, { from: ["queued"] })) !== undefined) {
			await addJobEvent(ctx, jobId, {
				type: "cancelled",
				message: `Cancelled by ${by} before it started.`,
				data: { by },
			});
			await audit(ctx, cancelled);
			return true;
		}
		if (!(await requestCancel(ctx, jobId, now))) return false;
		await addJobEvent(ctx, jobId, {
			type: "cancel_requested",
			at: now,
			message: `${by} asked to stop the recording.`,
			data: { by },
		});
		await audit(ctx, cancelled);
		return true;
	});
	const job = await readJob(ctx, jobId);
	if (stopped) publishJob(ctx, job);
	return { job, stopped };
}

/** Marks a running job, or one whose runner is lost, by compare-and-set: two cancels at once are one. */
async function requestCancel(ctx: Context, jobId: number, now: number): Promise<boolean> {
	const row = await ctx.db
		.updateTable("job")
		.set({ cancelRequestedAt: now })
		.where("id", "=", jobId)
		.where("cancelRequestedAt", "is", null)
		.where((where) =>
			where.or([
				where("status", "in", ["starting", "recording"]),
				where.and([where("status", "=", "failed"), where("stopReason", "=", "runner_lost")]),
			]),
		)
		.returning("id")
		.executeTakeFirst();
	return row !== undefined;
}
