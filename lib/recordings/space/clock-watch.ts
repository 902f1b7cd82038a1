/**
 * Whether what deletes by age may believe the clock. A clock that jumps ahead, by a wrong setting or a machine that boots
 * with a wrong one, would make everything old at once. The last time that was believed is in the database, for each
 * organization; after a jump nothing is deleted by age until the clock is back or an admin confirms it.
 */
import { uptime } from "node:os";
import type { Retention } from "@tapedeck/contract/organization.ts";
import { bootId } from "@tapedeck/machine/boot-id.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Clock, type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import type { ClockWatchTable } from "#lib/db/schema.ts";

const HOUR_MS = 3_600_000;
/** By how much the clock may be ahead of the last time and what the machine's uptime explains. */
const MAX_AHEAD_MS = HOUR_MS;
/** How long a machine may have been off, or nothing have run: uptime says nothing about that. */
const MAX_OFF_MS = 7 * 24 * HOUR_MS;
/** How often the time is noted. */
const NOTE_MS = 30_000;

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
	// Of dashboards on other machines, only they can say how long their uptime was.
	if (hasJumped(ctx.clock, moment)) await doubt(ctx, moment);
	const organizations = await ctx.db
		.selectFrom("organization")
		.leftJoin("clockWatch", "organizationId", "organization.id")
		.select(["organization.id", "seenAt", "bootId", "uptimeMs", "jumpedAt"])
		.execute();
	const doubtedBy = new Set<number>();
	const [back, due, jumped]: [number[], number[], number[]] = [[], [], []];
	for (const { id, ...row } of organizations) {
		if (row.seenAt === null || !isComplete(row)) due.push(id);
		else if (!isBelieved(row, moment)) {
			doubtedBy.add(id);
			if (row.jumpedAt === null) jumped.push(id);
		} else if (row.jumpedAt !== null) back.push(id);
		else if (Math.abs(now - row.seenAt) >= NOTE_MS) due.push(id);
	}
	await note(ctx, [...back, ...due], moment);
	if (back.length > 0) ctx.log.info({ organizationIds: back }, "the clock is back; retention continues");
	if (jumped.length > 0) await doubt(ctx, moment, jumped);
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

function isBelieved({ seenAt, bootId, uptimeMs, jumpedAt }: Noted, moment: Moment): boolean {
	// In some containers, uptime begins anew while the boot is the same.
	const isSameBoot = bootId === moment.bootId && moment.uptimeMs >= uptimeMs;
	if (isSameBoot) return moment.now - seenAt - (moment.uptimeMs - uptimeMs) <= MAX_AHEAD_MS;
	// After a jump, a restart of the machine explains nothing: the clock must have been set back.
	return moment.now - seenAt <= MAX_OFF_MS && (jumpedAt === null || moment.now < jumpedAt);
}

/** The last moment that this process has seen, by its clock. */
const lastSeen = new WeakMap<Clock, Moment>();

/** Whether the clock has jumped ahead since this process last looked. */
function hasJumped(clock: Clock, moment: Moment): boolean {
	const last = lastSeen.get(clock);
	lastSeen.set(clock, moment);
	return last !== undefined && moment.now - last.now - (moment.uptimeMs - last.uptimeMs) > MAX_AHEAD_MS;
}

async function doubt(ctx: Context, { now }: Moment, organizationIds?: readonly number[]): Promise<void> {
	const doubting = await ctx.db
		.updateTable("clockWatch")
		.set({ jumpedAt: now })
		.where("jumpedAt", "is", null)
		.$if(organizationIds !== undefined, (rows) => rows.where("organizationId", "in", organizationIds ?? []))
		.returning("seenAt")
		.execute();
	if (doubting.length === 0) return;
	const seenAt = Math.max(...doubting.map((row) => row.seenAt));
	ctx.log.warn(
		{ lastSeenAt: timestamp(seenAt), now: timestamp(now) },
		"The clock has jumped ahead. Nothing is deleted by age until it is back, or an admin confirms it under Settings, Retention.",
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
