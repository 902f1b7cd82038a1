/** The end of jobs whose runner was removed. */
import type { Context } from "../core/context.ts";
import { addJobEvent, type JobRow, moveJob } from "../lifecycle/job-store.ts";
import { keepAsPartial } from "./lose-job.ts";

/**
 * Fails a job because its runner was removed: one that waits, one that was lost before, and with `held` one that the
 * runner had taken. What was uploaded so far plays from now on.
 *
 * @param ctx one whose database is a transaction.
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
	const from = held ? (["queued", "starting", "recording", "uploading"] as const) : (["queued"] as const);
	const moved = await moveJob(ctx, jobId, "failed", set, { from, returning: true });
	if (moved === undefined) return undefined;
	await keepAsPartial(ctx, jobId, now);
	await addJobEvent(ctx, jobId, { type: "runner_removed", message: why, at: now });
	return moved;
}
