/**
 * Whether what deletes by age may believe the clock. A clock that jumps ahead, by a wrong setting or a machine that boots
 * with a wrong one, would make everything old at once. The highest time that was believed is in the database, for each
 * organization; after a jump nothing is deleted by age until the clock is back or an admin confirms it. A clock that was
 * behind returns to the highest time without a jump.
 */
import { uptime } from "node:os";
import type { Retention } from "@tapedeck/contract/retention.ts";
import { bootId } from "@tapedeck/machine/boot-id.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Clock, type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import type { ClockWatchTable } from "#lib/db/schema.ts";

const HOUR_MS = 3_600_000;
/** The clock may be ahead of the last time and what the machine's uptime explains by so much. */
const MAX_AHEAD_MS = HOUR_MS;
/** Maximum time that a machine may have been off, or nothing have run. Uptime does not include it. */
const MAX_OFF_MS = 7 * 24 * HOUR_MS;
/** Interval of noting the time. */
const NOTE_MS = 30_000;
/** A clock that is further behind the highest time was wrong before it jumped: it returns. Other dashboards note the time, too. */
const BEHIND_MS = 2 * NOTE_MS;

/** Organizations that don't believe the clock. Those that do may go by `now`, which is the same for a whole sweep. */
export interface ClockReading {
	now: number;
	doubtedBy: ReadonlySet<number>;
}

/**
 * Reads the clock and compares it with the last time that was believed. Run by a timer of every dashboard, and by each
 * sweep before it deletes by age.
 * @param ctx any actor.
 */
export async function watchClock(ctx: Context): Promise<ClockReading> {
	const moment = momentOf(ctx.clock);
	const { now } = moment;
	const { watchedMs, jumpedFrom } = watched(ctx.clock, moment);
	// Only dashboards on other machines can say how long their uptime was.
	if (jumpedFrom !== null) await doubt(ctx, moment, { seenBefore: jumpedFrom + BEHIND_MS });
	const organizations = await ctx.db
		.selectFrom("organization")
		.leftJoin("clockWatch", "organizationId", "organization.id")
		.select(["organization.id", "seenAt", "bootId", "uptimeMs", "jumpedAt"])
		.execute();
	const doubtedBy = new Set<number>();
	const [back, due, jumped]: [number[], number[], number[]] = [[], [], []];
	for (const { id, ...row } of organizations) {
		if (row.seenAt === null || !isComplete(row)) due.push(id);
		else if (!isBelieved(row, moment, watchedMs)) {
			doubtedBy.add(id);
			if (row.jumpedAt === null) jumped.push(id);
		} else if (row.jumpedAt !== null) back.push(id);
		else if (now - row.seenAt >= NOTE_MS) due.push(id);
	}
	await note(ctx, due, moment);
	if (back.length > 0) {
		await ctx.db.updateTable("clockWatch").set({ jumpedAt: null }).where("organizationId", "in", back).execute();
		ctx.log.info({ organizationIds: back }, "the clock is back; retention continues");
	}
	if (jumped.length > 0) await doubt(ctx, moment, { organizationIds: jumped });
	return { now, doubtedBy };
}

/** For `GET /v1/retention`: null while the actor's organization believes the clock. */
export async function clockJumpOf(ctx: Context): Promise<Retention["clockJump"]> {
	const row = await ctx.db
		.selectFrom("clockWatch")
		.select("seenAt")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("jumpedAt", "is not", null)
		.executeTakeFirst();
	return row === undefined ? null : { lastSeenAt: timestamp(row.seenAt), now: timestamp(ctx.clock.now()) };
}

/** `POST /v1/retention/confirm-clock`: the actor's organization believes the clock from now on. Idempotent. */
export async function confirmClock(ctx: Context): Promise<void> {
	await inTransaction(ctx, async (ctx) => {
		const jump = await clockJumpOf(ctx);
		if (jump === null) return;
		await note(ctx, [ctx.actor.organizationId], momentOf(ctx.clock));
		await audit(ctx, { action: "retention.clock_confirmed", detail: { lastSeenAt: jump.lastSeenAt } });
		ctx.log.warn({ organizationId: ctx.actor.organizationId, ...jump }, "the clock was confirmed; retention continues");
	});
}

interface Moment {
	now: number;
	bootId: string;
	uptimeMs: number;
}

type Noted = Omit<ClockWatchTable, "organizationId">;

const isComplete = (row: { [Key in keyof Noted]: Noted[Key] | null }): row is Noted =>
	row.seenAt !== null && row.bootId !== null && row.uptimeMs !== null;

/** @param watchedMs how long this process has watched the clock: time that has passed since the row was written, if it is of an earlier boot. */
function isBelieved({ seenAt, bootId, uptimeMs, jumpedAt }: Noted, moment: Moment, watchedMs: number): boolean {
	// In some containers, uptime begins anew while the boot is the same.
	const isSameBoot = bootId === moment.bootId && moment.uptimeMs >= uptimeMs;
	if (isSameBoot) return moment.now - seenAt - (moment.uptimeMs - uptimeMs) <= MAX_AHEAD_MS;
	// After a jump, a restart of the machine explains nothing: the clock must have been set back.
	return moment.now - seenAt <= MAX_OFF_MS + watchedMs && (jumpedAt === null || moment.now < jumpedAt);
}

/** Observations of a clock by this process. */
const seen = new WeakMap<Clock, { first: Moment; last: Moment }>();

/** @returns how long this process has watched the clock, and from which time it has jumped ahead since the last look. */
function watched(clock: Clock, moment: Moment): { watchedMs: number; jumpedFrom: number | null } {
	const { first, last } = seen.get(clock) ?? { first: moment, last: moment };
	seen.set(clock, { first, last: moment });
	const hasJumped = moment.now - last.now - (moment.uptimeMs - last.uptimeMs) > MAX_AHEAD_MS;
	return { watchedMs: moment.uptimeMs - first.uptimeMs, jumpedFrom: hasJumped ? last.now : null };
}

/** @param whose organizations, or all that have seen no time later than `seenBefore`. */
async function doubt(
	ctx: Context,
	{ now }: Moment,
	whose: { organizationIds: readonly number[] } | { seenBefore: number },
): Promise<void> {
	const doubting = await ctx.db
		.updateTable("clockWatch")
		.set({ jumpedAt: now })
		.where("jumpedAt", "is", null)
		.where((is) =>
			"seenBefore" in whose ? is("seenAt", "<=", whose.seenBefore) : is("organizationId", "in", whose.organizationIds),
		)
		.returning("seenAt")
		.execute();
	if (doubting.length === 0) return;
	const seenAt = Math.max(...doubting.map((row) => row.seenAt));
	ctx.log.warn(
		{ lastSeenAt: timestamp(seenAt), now: timestamp(now) },
		"The clock has jumped ahead. Nothing is deleted by age until it is set back, or, if it is right, an admin confirms it under Settings, Retention.",
	);
}

async function note(ctx: Context, organizationIds: readonly number[], moment: Moment): Promise<void> {
	if (organizationIds.length === 0) return;
	const { now: seenAt, bootId, uptimeMs } = moment;
	await ctx.db
		.insertInto("clockWatch")
		.values(organizationIds.map((organizationId) => ({ organizationId, seenAt, bootId, uptimeMs, jumpedAt: null })))
		.onConflict((conflict) =>
			conflict.column("organizationId").doUpdateSet({ seenAt, bootId, uptimeMs, jumpedAt: null }),
		)
		.execute();
}

function momentOf(clock: Clock): Moment {
	const uptimeMs = clock.uptimeMs?.() ?? uptime() * 1_000;
	return { now: clock.now(), bootId: bootId(), uptimeMs: Math.round(uptimeMs) };
}
