/** `GET /v1/daily-totals`: the totals of each day, and the daily note of the bytes that organizations store. */
import { type DailyTotals, type DailyTotalsQuery, MAX_TOTAL_DAYS } from "@tapedeck/contract/daily-total.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

const DAY_MS = 86_400_000;

/** Tests are counted by build, and sessions are few: neither is stored for each day. */
export async function readDailyTotals(ctx: Context, { days }: DailyTotalsQuery): Promise<DailyTotals> {
	const { organizationId } = ctx.actor;
	const today = dayOf(ctx.clock.now());
	const first = today - days + 1;
	const builds = await ctx.reads
		.selectFrom("build")
		.select([
			sql<number>`"lastAt" / ${sql.lit(DAY_MS)}`.as("day"),
			sql<number>`sum(tests)`.as("tests"),
			sql<number>`sum("testsFailed" + "testsError")`.as("failed"),
			sql<number>`sum("testsFlaky")`.as("flaky"),
		])
		.where("organizationId", "=", organizationId)
		.where("lastAt", ">=", first * DAY_MS)
		// Literally, as in the index.
		.where(sql<boolean>`(recordings > 0 or jobs > 0)`)
		.groupBy("day")
		.execute();
	const sessions = await ctx.reads
		.selectFrom("gridSession")
		.select([
			sql<number>`"startedAt" / ${sql.lit(DAY_MS)}`.as("day"),
			sql<number>`count(*)`.as("seen"),
			sql<number>`sum(recorded)`.as("recorded"),
		])
		.where("organizationId", "=", organizationId)
		.where("startedAt", ">=", first * DAY_MS)
		.groupBy("day")
		.execute();
	const stored = await ctx.reads
		.selectFrom("storageDay")
		.select(["day", "bytes"])
		.where("organizationId", "=", organizationId)
		.where("day", ">=", first)
		.execute();
	const now = await ctx.reads
		.selectFrom("organizationUse")
		.select("bytes")
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	const testsOf = byDay(builds);
	const sessionsOf = byDay(sessions);
	const storedOn = byDay([...stored, { day: today, bytes: now?.bytes ?? 0 }]);
	return {
		data: Array.from({ length: days }, (_, index) => {
			const day = first + index;
			return {
				day: new Date(day * DAY_MS).toISOString().slice(0, 10),
				tests: Number(testsOf.get(day)?.tests ?? 0),
				failed: Number(testsOf.get(day)?.failed ?? 0),
				flaky: Number(testsOf.get(day)?.flaky ?? 0),
				sessions: Number(sessionsOf.get(day)?.seen ?? 0),
				recordedSessions: Number(sessionsOf.get(day)?.recorded ?? 0),
				storedBytes: storedOn.get(day)?.bytes ?? null,
			};
		}),
	};
}

/** Days since 1970, in UTC. */
const dayOf = (at: number): number => Math.floor(at / DAY_MS);

const byDay = <T extends { day: number }>(rows: readonly T[]) => new Map(rows.map((row) => [Number(row.day), row]));

/** Notes what every organization stores now as the bytes of this day, and deletes notes that are too old to be shown. */
export async function noteStoredBytes(ctx: Pick<Context, "db" | "clock">): Promise<void> {
	const today = dayOf(ctx.clock.now());
	await ctx.db
		.insertInto("storageDay")
		.columns(["organizationId", "day", "bytes"])
		.expression((from) =>
			from
				.selectFrom("organizationUse")
				.innerJoin("organization", "organization.id", "organizationUse.organizationId")
				.select(["organization.id", sql<number>`cast(${today} as bigint)`.as("day"), "organizationUse.bytes"])
				// Otherwise SQLite takes "on conflict" as part of the join.
				.where(sql<boolean>`true`),
		)
		.onConflict((conflict) =>
			conflict.columns(["organizationId", "day"]).doUpdateSet(({ ref }) => ({ bytes: ref("excluded.bytes") })),
		)
		.execute();
	await ctx.db
		.deleteFrom("storageDay")
		.where("day", "<=", today - MAX_TOTAL_DAYS)
		.execute();
}
