/**
 * Removes runners from the list that will not come back: those that have been offline for a long time, and ephemeral
 * ones once they have stopped and delivered everything. Run by a timer.
 */
import { UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Context } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { readLimits } from "#lib/lifecycle/token-limits.ts";
import { removeRunner } from "./remove-runner.ts";

const DAY_MS = 86_400_000;
/** An ephemeral runner that did not sign out was killed, or its network is down for a while. */
const EPHEMERAL_SILENT_MS = 10 * 60_000;
/** The maximum per kind and sweep. The next sweep removes more. */
const MOST = 100;

interface GoneRunner {
	id: number;
	organizationId: number;
	lastSeenAt: number | null;
}

/**
 * @param ctx any actor.
 * @param offlineDays after how many days offline a runner is removed; null for never.
 * @returns how many were removed.
 */
export async function sweepRunners(ctx: Context, offlineDays: number | null, stopping?: AbortSignal): Promise<number> {
	let removed = await removeAll(ctx, await stoppedEphemeral(ctx), { reason: "ephemeral" }, stopping);
	if (offlineDays !== null) {
		const offline = await longOffline(ctx, ctx.clock.now() - offlineDays * DAY_MS);
		removed += await removeAll(ctx, offline, { reason: "offline", days: offlineDays }, stopping);
	}
	return removed;
}

/** @param detail why, for the audit log. */
async function removeAll(
	ctx: Context,
	runners: readonly GoneRunner[],
	detail: Record<string, unknown>,
	stopping: AbortSignal | undefined,
): Promise<number> {
	let removed = 0;
	for (const { id, organizationId, lastSeenAt } of runners) {
		if (stopping?.aborted === true) break;
		const system = { ...ctx, actor: { kind: "system", organizationId } } as const;
		try {
			await removeRunner(system, id, { detail, lastSeenAt });
			removed += 1;
		} catch (error) {
			// It came back, or another user removed it.
			if (!(isTapedeckError(error) && error.code === "not_found")) throw error;
		}
	}
	return removed;
}

const longOffline = (ctx: Context, seenBefore: number): Promise<GoneRunner[]> =>
	ctx.db
		.selectFrom("runner")
		.select(["id", "organizationId", "lastSeenAt"])
		.where("removedAt", "is", null)
		.where("lastSeenAt", "<=", seenBefore)
		.orderBy("lastSeenAt")
		.limit(MOST)
		.execute();

/**
 * Ephemeral runners that have stopped and have nothing left to upload. A lost job may still be uploaded. A runner whose
 * token admits no new runners stays, because the same machine's next command would be refused.
 */
async function stoppedEphemeral(ctx: Context): Promise<GoneRunner[]> {
	const stopped = await ctx.db
		.selectFrom("runner")
		.select(["id", "organizationId", "lastSeenAt", "limits"])
		.where("removedAt", "is", null)
		.where("ephemeral", "=", 1)
		.where("waitingBytes", "=", 0)
		.where((where) =>
			where.or([where("sessionId", "is", null), where("lastSeenAt", "<=", ctx.clock.now() - EPHEMERAL_SILENT_MS)]),
		)
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("job")
						.select("job.id")
						.whereRef("job.runnerId", "=", "runner.id")
						.where((where) =>
							where.or([
								where("job.status", "in", UNFINISHED_STATUSES),
								where.and([where("job.status", "=", "failed"), where("job.stopReason", "=", "runner_lost")]),
							]),
						),
				),
			),
		)
		.orderBy("lastSeenAt")
		.limit(MOST)
		.execute();
	return stopped.filter((runner) => (readLimits(runner)?.enrollUntil ?? null) === null);
}
