/** Expired leases: silent runners count as offline, and their jobs are declared lost. */
import { LEASED_STATUSES, UNFINISHED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { LEASE_SECONDS } from "@tapedeck/contract/runner-protocol.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { loseJob, publishLost } from "#lib/lifecycle/lose-job.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { endJobsOf } from "./remove-runner.ts";
import { publishRunner } from "./runner-session.ts";
import { isOnline, type RunnerRow } from "./runner-view.ts";

export type LeaseSweep = (ctx: Context) => Promise<void>;
type Once = (work: () => Promise<void>) => Promise<void>;

const MAX_PAUSE_MS = 10_000;

/**
 * Creates the sweep that a timer runs every second or two. It costs three queries, however many runners are offline.
 *
 * @param startedAt the time at which this process began to listen, in milliseconds. It received no polls before, so
 *   leases restart then.
 * @param once ends expired jobs, unless another process does.
 */
export function leaseSweep(startedAt: number, once: Once = (work) => work()): LeaseSweep {
	const wasOnline = new Map<number, boolean>();
	let heardSince = startedAt;
	let sweptAt: number | null = null;
	return async (ctx) => {
		const now = ctx.clock.now();
		const runners = await ctx.db
			.selectFrom("runner")
			.select(["id", "organizationId", "sessionId", "lastSeenAt", "saidOnline"])
			.where("removedAt", "is", null)
			.execute();
		for (const runner of runners) {
			const online = isOnline(runner, now);
			if (wasOnline.get(runner.id) === true && !online) publishRunner(ctx, runner);
			wasOnline.set(runner.id, online);
		}
		// Same as after a start: while the database was unreachable or this process stood still, no poll was recorded.
		if (sweptAt !== null && now - sweptAt > MAX_PAUSE_MS) heardSince = now;
		sweptAt = now;
		await once(async () => {
			if (runners.length > 0) await loseSilentJobs(ctx, heardSince);
			await endJobsOfRemoved(ctx, heardSince);
			for (const runner of runners) await notePresence(ctx, runner, heardSince);
		});
	};
}

const LEASE_MS = LEASE_SECONDS * 1_000;

/** Declares jobs lost whose runner has been silent for longer than a lease. */
async function loseSilentJobs(ctx: Context, heardSince: number): Promise<void> {
	const before = ctx.clock.now() - LEASE_MS;
	if (heardSince >= before) return;
	const held = await ctx.db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select(["job.id", "runner.name"])
		.where("job.status", "in", LEASED_STATUSES)
		.where("runner.removedAt", "is", null)
		.where((where) => where.or([where("runner.lastSeenAt", "is", null), where("runner.lastSeenAt", "<", before)]))
		.execute();
	for (const { id, name } of held) {
		const why = `The runner ${name} has been silent for ${LEASE_SECONDS} seconds. Check that it is running and can reach this dashboard; when it reports again, the job continues.`;
		const lost = await inTransaction(ctx, (ctx) => loseJob(ctx, id, why));
		if (lost !== undefined) await publishLost(ctx, lost);
	}
}

type Watched = Pick<RunnerRow, "id" | "organizationId" | "sessionId" | "lastSeenAt" | "saidOnline">;

/** Tells webhooks that a runner came or went. It is offline when it signed out, or has been silent for a lease. */
async function notePresence(ctx: Context, runner: Watched, heardSince: number): Promise<void> {
	const now = ctx.clock.now();
	const isHere = isOnline(runner, now);
	const isGone = runner.sessionId === null || now - Math.max(runner.lastSeenAt ?? 0, heardSince) > LEASE_MS;
	const saidOnline = Number(isHere);
	if (runner.saidOnline === saidOnline || !(isHere || isGone)) return;
	await inTransaction(ctx, async (ctx) => {
		const changed = await ctx.db
			.updateTable("runner")
			.set({ saidOnline })
			.where("id", "=", runner.id)
			.where(({ or, eb }) => or([eb("saidOnline", "is", null), eb("saidOnline", "!=", saidOnline)]))
			.returning("id")
			.executeTakeFirst();
		// A runner that was never online cannot go offline.
		if (changed === undefined || (runner.saidOnline === null && !isHere)) return;
		await noteEvents(ctx, isHere ? "runner.online" : "runner.offline", runner.organizationId, [runner.id]);
	});
}

/**
 * Ends the remaining jobs of removed runners: those created at the moment of the removal, and those of a runner that
 * fell silent before it had uploaded them.
 */
async function endJobsOfRemoved(ctx: Context, heardSince: number): Promise<void> {
	const left = await ctx.db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select(["runner.id", "runner.name", "runner.lastSeenAt"])
		.distinct()
		.where("job.status", "in", UNFINISHED_STATUSES)
		.where("runner.removedAt", "is not", null)
		.execute();
	for (const runner of left) {
		const heardAt = Math.max(runner.lastSeenAt ?? 0, heardSince);
		await endJobsOf(ctx, runner, { held: ctx.clock.now() - heardAt > LEASE_MS });
	}
}
