/**
 * `DELETE /v1/runners/{id}`: a runner that shall be here no more. Its row stays, for the jobs that it has recorded;
 * its names are free again, so that the same machine and token come back as a new runner.
 *
 * Nothing that was recorded may be lost: a connected runner is told by its long poll, ends its recordings, uploads
 * them and goes. Only then are its jobs over. Those of a runner that is not there, or falls silent meanwhile, end with
 * what was uploaded.
 */
import { assertMayAdminister } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { endRemovedJob } from "../jobs/end-removed-job.ts";
import type { JobRow } from "../lifecycle/job-store.ts";
import { LEASED_STATUSES } from "../lifecycle/transitions.ts";
import { publishLost } from "../jobs/lose-job.ts";
import { isOnline } from "./runner-view.ts";

/** No runner can sign in with a control character in its name. */
const freedName = (id: number): string => `\u001fremoved ${id}`;

/**
 * @throws forbidden for everyone but owners, admins, and API keys with the scope runners:write; not_found when the
 *   caller's organization has no such runner, or no more: of two removals at once one is told so.
 */
export async function removeRunner(ctx: Context, runnerId: number): Promise<void> {
	if (ctx.actor.kind !== "apiKey") assertMayAdminister(ctx);
	const removed = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("runner")
			.set({ removedAt: ctx.clock.now(), signInName: freedName(runnerId) })
			.where("id", "=", runnerId)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("removedAt", "is", null)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("runner");
		await audit(ctx, { action: "runner.removed", target: { kind: "runner", id: runnerId, name: row.name } });
		return row;
	});
	const { organizationId } = removed;
	// Its long poll hears of it, and the pages.
	ctx.facts.publish({ type: "runner", organizationId, runnerId, removed: true });
	await endJobsOf(ctx, removed, { held: !isOnline(removed, ctx.clock.now()) });
}

/** Ends what is left of a removed runner's jobs; with `held` also those that it had taken. */
export async function endJobsOf(
	ctx: Context,
	runner: { id: number; name: string },
	{ held }: { held: boolean },
): Promise<void> {
	const ended = await inTransaction(ctx, async (ctx) => {
		const jobs = await ctx.db
			.selectFrom("job")
			.select("id")
			.where("runnerId", "=", runner.id)
			.where((where) =>
				where.or([
					where("status", "in", held ? ["queued", ...LEASED_STATUSES] : ["queued"]),
					where.and([where("status", "=", "failed"), where("stopReason", "=", "runner_lost")]),
				]),
			)
			.orderBy("id")
			.execute();
		const rows: JobRow[] = [];
		for (const { id } of jobs) {
			const row = await endRemovedJob(ctx, id, runner.name, { held });
			if (row !== undefined) rows.push(row);
		}
		return rows;
	});
	for (const job of ended) await publishLost(ctx, job);
}
