/** `POST /v1/jobs/{id}/cancel`: cancels a job, whatever its stop condition. */
import type { Job } from "@tapedeck/contract/job.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, creatorOf, inTransaction } from "#lib/core/context.ts";
import { addJobEvent, moveJob, publishJob } from "#lib/lifecycle/job-store.ts";
import { readJob } from "./read-job.ts";

/**
 * Cancels a job. A queued job ends at once; a running one ends when its runner receives the request.
 *
 * @returns the job, and whether this call stopped it. False if the job was already stopping or had ended: not an
 *   error, because a cancel can race the natural end.
 * @throws not_found if the job doesn't exist in the caller's organization.
 */
export async function cancelJob(ctx: Context, jobId: number): Promise<{ job: Job; stopped: boolean }> {
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
			message: `Stop requested by ${by}.`,
			data: { by },
		});
		await audit(ctx, cancelled);
		return true;
	});
	const job = await readJob(ctx, jobId);
	if (stopped) publishJob(ctx, job);
	return { job, stopped };
}

/** Marks a running job, or one whose runner is lost. Compare-and-set, so concurrent cancels count once. */
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
