/** `GET /v1/coverage`: which of the grid's sessions were recorded. */
import type { Coverage, CoverageQuery } from "@tapedeck/contract/session.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { GridSessionTable } from "#lib/db/schema.ts";

const DAY_MS = 86_400_000;

/** The counts of a period, and a page of the sessions without a recording, those reported last first. */
export async function readCoverage(ctx: Context, { days, limit, cursor }: CoverageQuery): Promise<Coverage> {
	const since = ctx.clock.now() - days * DAY_MS;
	const inPeriod = ctx.reads
		.selectFrom("gridSession")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("startedAt", ">=", since);
	const counts = await inPeriod
		.select([sql<number>`count(*)`.as("seen"), sql<number>`coalesce(sum(recorded), 0)`.as("recorded")])
		.executeTakeFirstOrThrow();
	const rows = await inPeriod
		.selectAll()
		.where("recorded", "=", 0)
		.$if(cursor !== undefined, (query) => query.where("id", "<", readCursor(cursor ?? "")))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	const [seen, recorded] = [Number(counts.seen), Number(counts.recorded)];
	return { seen, recorded, missed: seen - recorded, ...pageFrom(rows, limit, missedView) };
}

export const missedView = (row: Selectable<GridSessionTable>): Coverage["data"][number] => ({
	sessionId: row.sessionId,
	name: row.name,
	node: row.node,
	startedAt: timestamp(row.startedAt),
	endedAt: timestampOrNull(row.endedAt),
	reason: row.reason ?? "no_runner",
	runnerId: row.runnerId,
});
