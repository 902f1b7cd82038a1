/**
 * Times that a dashboard whose clock was ahead has written. They are moved so that what waits is as far away as it was meant to
 * be: otherwise a retry after 5 s, set while the clock was a day ahead, would wait for a day.
 */
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

/** Clocks of several dashboards may differ by less. */
export const MAX_AHEAD_MS = 60_000;
/** The end of builds that began longer ago is not reported. The index of builds has their times. */
const SEEN_MS = 24 * 3_600_000;

/** For one dashboard at a time: the one that delivers. */
export async function bringDeliveriesBack(ctx: Pick<Context, "db" | "clock">): Promise<void> {
	const now = ctx.clock.now();
	for (const { id } of await ctx.db.selectFrom("webhook").select("id").orderBy("id").execute()) {
		const waiting = ctx.db.updateTable("webhookDelivery").where("webhookId", "=", id).where("nextAt", ">", now);
		const { numUpdatedRows } = await waiting
			.set({
				nextAt: sql`${now} + "nextAt" - coalesce("lastAttemptAt", "createdAt")`,
				lastAttemptAt: sql`case when "lastAttemptAt" > ${now} then ${now} else "lastAttemptAt" end`,
				createdAt: sql`case when "createdAt" > ${now} then ${now} else "createdAt" end`,
			})
			.where(sql<boolean>`coalesce("lastAttemptAt", "createdAt") > ${now + MAX_AHEAD_MS}`)
			.executeTakeFirst();
		// Those that wait for an earlier one have its time.
		if (numUpdatedRows > 0) await waiting.set({ nextAt: now }).where("attempts", "=", 0).execute();
		// SQLite answers at once, and requests would wait for all webhooks.
		await setImmediate();
	}
}

/** Events that a dashboard whose clock is ahead has just written. Their delay, if they have one, begins now. */
export async function bringEventsBack(ctx: Pick<Context, "db" | "clock">): Promise<void> {
	const now = ctx.clock.now();
	await ctx.db
		.updateTable("webhookEvent")
		.set({ at: now, dueAt: sql`${now} + "dueAt" - at` })
		.where("at", ">", now + MAX_AHEAD_MS)
		.execute();
}

/** Builds whose times are to come do not become quiet. Their quiet time begins now. */
export async function bringBuildsBack(ctx: Pick<Context, "db" | "clock">): Promise<void> {
	const now = ctx.clock.now();
	const past = (column: string) => {
		const time = sql.ref(column);
		return sql<number>`case when ${time} > ${now} then ${now} else ${time} end`;
	};
	await ctx.db
		.updateTable("build")
		.set({
			...{ firstAt: past("firstAt"), lastAt: past("lastAt") },
			...{ startedAt: past("startedAt"), endedAt: past("endedAt") },
		})
		.where(({ or, eb }) => or([eb("lastAt", ">", now + MAX_AHEAD_MS), eb("endedAt", ">", now + MAX_AHEAD_MS)]))
		.where("lastAt", ">", now - SEEN_MS)
		.where("organizationId", "in", (db) =>
			db.selectFrom("webhook").select("organizationId").where("events", "like", '%"build.finished"%'),
		)
		.execute();
}
