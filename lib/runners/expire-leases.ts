/** Runners that have fallen silent: seen to be offline, and their jobs declared lost. */
import { LEASE_SECONDS } from "../contract/runner-protocol.ts";
import type { Context } from "../core/context.ts";
import { inTransaction } from "../lifecycle/job-store.ts";
import { LEASED_STATUSES } from "../lifecycle/transitions.ts";
import { loseJob, publishLost } from "../jobs/lose-job.ts";
import { endJobsOf } from "./remove-runner.ts";
import { publishRunner } from "./runner-session.ts";
import { isOnline } from "./runner-view.ts";

export type LeaseSweep = (ctx: Context) => Promise<void>;

/**
 * Makes the sweep that a timer runs every second or two.
 *
 * @param startedAt when this process began to listen, milliseconds: nobody could be heard before, so that
 *   lease clocks start anew then.
 */
export function leaseSweep(startedAt: number): LeaseSweep {
	const seenOnline = new Map<number, boolean>();
	return async (ctx) => {
		const now = ctx.clock.now();
		const runners = await ctx.db
			.selectFrom("runner")
			.select(["id", "organizationId", "name", "sessionId", "lastSeenAt"])
			.where("removedAt", "is", null)
			.execute();
		for (const runner of runners) {
			const online = isOnline(runner, now);
			if (seenOnline.get(runner.id) === true && !online) publishRunner(ctx, runner);
			seenOnline.set(runner.id, online);
			const heardAt = Math.max(runner.lastSeenAt ?? 0, startedAt);
			if (now - heardAt > LEASE_SECONDS * 1000) await loseJobsOf(ctx, runner);
		}
		await endJobsOfRemoved(ctx, startedAt);
	};
}

/**
 * Removed runners that still have jobs: one that was created in the moment of the removal, and those of a runner that
 * fell silent before it had delivered them.
 */
async function endJobsOfRemoved(ctx: Context, startedAt: number): Promise<void> {
	const left = await ctx.db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select(["runner.id", "runner.name", "runner.lastSeenAt"])
		.distinct()
		.where("job.status", "in", ["queued", ...LEASED_STATUSES])
		.where("runner.removedAt", "is not", null)
		.execute();
	for (const runner of left) {
		const heardAt = Math.max(runner.lastSeenAt ?? 0, startedAt);
		await endJobsOf(ctx, runner, { held: ctx.clock.now() - heardAt > LEASE_SECONDS * 1000 });
	}
}

async function loseJobsOf(ctx: Context, runner: { id: number; name: string }): Promise<void> {
	const held = await ctx.db
		.selectFrom("job")
		.select("id")
		.where("runnerId", "=", runner.id)
		.where("status", "in", LEASED_STATUSES)
		.execute();
	for (const { id } of held) {
		const why = `The runner ${runner.name} has been silent for ${LEASE_SECONDS} seconds. Check that it runs and reaches this dashboard; when it reports again, the job goes on.`;
		const lost = await inTransaction(ctx, (ctx) => loseJob(ctx, id, why));
		if (lost !== undefined) await publishLost(ctx, lost);
	}
}
