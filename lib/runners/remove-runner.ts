/**
 * `DELETE /v1/runners/{id}`: removes a runner. Its row stays for the jobs it recorded; its names become available, so
 * the same machine and token can return as a new runner.
 *
 * No recording is lost: a connected runner learns of its removal by its long poll, ends its recordings, uploads them
 * and exits. Only then do its jobs end. The jobs of a runner that is offline, or falls silent meanwhile, end with what
 * was uploaded.
 */
import type { Selector } from "@tapedeck/contract/job.ts";
import { UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { fittingDisplays, fittingRunners } from "#lib/jobs/selector.ts";
import type { JobRow } from "#lib/lifecycle/job-store.ts";
import { endRemovedJob, publishLost } from "#lib/lifecycle/lose-job.ts";
import { gridUrlOf } from "#lib/lifecycle/token-limits.ts";
import { isOnline } from "./runner-view.ts";

/** No runner can sign in with a control character in its name, so this never collides. */
const nameOfRemoved = (id: number): string => `\u001fremoved ${id}`;

/**
 * @param unless for a sweep: the runner stays if it was seen since `lastSeenAt`; `detail` is the reason in the audit
 *   log.
 * @throws not_found if the caller's organization has no such runner, it was already removed, or it was seen since.
 */
export async function removeRunner(
	ctx: Context,
	runnerId: number,
	unless?: { lastSeenAt: number | null; detail: Record<string, unknown> },
): Promise<void> {
	const removed = await inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.updateTable("runner")
			.set({ removedAt: ctx.clock.now(), signInName: nameOfRemoved(runnerId) })
			.where("id", "=", runnerId)
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("removedAt", "is", null)
			.$if(unless !== undefined, (update) =>
				update.where("lastSeenAt", "is not distinct from", unless?.lastSeenAt ?? null),
			)
			.returningAll()
			.executeTakeFirst();
		if (row === undefined) throw notFound("runner");
		const target = { kind: "runner", id: runnerId, name: row.name } as const;
		await audit(ctx, { action: "runner.removed", target, ...(unless === undefined ? {} : { detail: unless.detail }) });
		return row;
	});
	const { organizationId } = removed;
	// Wakes its long poll, and updates the pages.
	ctx.events.publish({ type: "runner", organizationId, runnerId, removed: true });
	await endJobsOf(ctx, removed, { held: !isOnline(removed, ctx.clock.now()) });
}

/** Assigns a job that waits for any runner to another matching runner, if there is one. */
async function passOn(ctx: Context, jobId: number): Promise<JobRow | undefined> {
	const job = await ctx.db
		.selectFrom("job")
		.select(["selector", "stopConditionConfig", "preSeconds"])
		.where("id", "=", jobId)
		.where("status", "=", "queued")
		.executeTakeFirst();
	if (job?.selector == null) return undefined;
	const selector = JSON.parse(job.selector) as Selector;
	const [other] = await fittingRunners(ctx, selector, { gridUrl: gridUrlOf(job), preSeconds: job.preSeconds }).catch(
		() => [],
	);
	if (other === undefined) return undefined;
	return ctx.db
		.updateTable("job")
		.set({ runnerId: other.id, displayId: fittingDisplays(other, selector)[0] ?? "" })
		.where("id", "=", jobId)
		.where("status", "=", "queued")
		.returningAll()
		.executeTakeFirst();
}

/** Ends what jobs are left of a removed runner; with `held` also those it had started. */
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
					where("status", "in", held ? UNFINISHED_STATUSES : ["queued"]),
					where.and([where("status", "=", "failed"), where("stopReason", "=", "runner_lost")]),
				]),
			)
			.orderBy("id")
			.execute();
		const rows: JobRow[] = [];
		for (const { id } of jobs) {
			const moved = await passOn(ctx, id);
			if (moved !== undefined) {
				rows.push(moved);
				continue;
			}
			const row = await endRemovedJob(ctx, id, runner.name, { held });
			if (row !== undefined) rows.push(row);
		}
		return rows;
	});
	for (const job of ended) await publishLost(ctx, job);
}
