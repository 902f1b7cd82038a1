/**
 * Ranges of job ids by when the jobs were created. Lists go by id, and `createdAt` grows with it but for clocks that were
 * set back: each zone of ids notes its earliest and latest job, so that a list skips the zones that cannot match.
 */
import type { Order } from "@tapedeck/contract/recording-kinds.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./schema.ts";

/** Fewer make more zones to read, more make more jobs to look at in the first and the last matching zone. */
export const JOBS_PER_ZONE = 4_096;
/** A transaction that has not committed yet may hold a lower id than the newest visible one; none lasts this long. */
const SETTLED_MS = 60_000;
/** After more ranges than this, the rest is read as one. */
const MAX_RANGES = 20;

/** Ids from `from` to `to`, both included. */
export interface IdRange {
	from: number;
	to: number;
}

/**
 * The ids that jobs created after and before these times can have. Jobs that are not noted yet are among them, so the
 * caller still compares `createdAt`.
 * @param options.order highest first, unless it is `asc`.
 * @param options.after only ids after this one, in this order.
 */
export async function idRangesOf(
	db: Kysely<Tables>,
	{ after, before }: { after?: number; before?: number },
	{ after: id, order = "desc" }: { after?: number; order?: Order } = {},
): Promise<IdRange[]> {
	const lowest = after ?? Number.MIN_SAFE_INTEGER;
	const highest = before ?? Number.MAX_SAFE_INTEGER;
	const matching = sql`"jobZone" where "maxCreatedAt" > ${lowest} and "minCreatedAt" < ${highest}`;
	// The zones that can match, and a row without a zone: the last job noted, and the last of all.
	const { rows } = await sql<{ first: number | null; last: number; lastId: number; zones: number; newest: number }>`
		select min(zone) as first, max(zone) as last, max("lastId") as "lastId", count(*) as zones, 0 as newest from ${matching}
		union all
		select null, 0, (select coalesce(max("lastId"), 0) from "jobZone"), -1, (select coalesce(max(id), 0) from job)`.execute(
		db,
	);
	const [noted, rest] = [rows.find(({ zones }) => zones >= 0), rows.find(({ zones }) => zones < 0)];
	// Ten times as fast as looking for gaps, which only clocks that were set back leave.
	const isWhole = noted?.first != null && noted.last - noted.first + 1 === noted.zones;
	const found = isWhole || noted?.zones === 0 ? [noted] : await islandsOf(db, matching);
	const all = found.flatMap(({ first, lastId }) =>
		first === null ? [] : [{ from: first * JOBS_PER_ZONE, to: lastId }],
	);
	if (rest !== undefined) all.push({ from: rest.lastId + 1, to: rest.newest });
	const bottom = id !== undefined && order === "asc" ? id + 1 : 1;
	const top = id !== undefined && order === "desc" ? id - 1 : Number.MAX_SAFE_INTEGER;
	const ranges = all
		.sort((one, other) => (order === "desc" ? other.from - one.from : one.from - other.from))
		.map(({ from, to }) => ({ from: Math.max(from, bottom), to: Math.min(to, top) }))
		.filter(({ from, to }) => from <= to);
	if (ranges.length <= MAX_RANGES) return ranges;
	const others = ranges.slice(MAX_RANGES - 1);
	const whole = { from: Math.min(...others.map(({ from }) => from)), to: Math.max(...others.map(({ to }) => to)) };
	return [...ranges.slice(0, MAX_RANGES - 1), whole];
}

/** Zones that follow one another without a gap. */
async function islandsOf(db: Kysely<Tables>, matching: RawBuilder<unknown>) {
	const { rows } = await sql<{ first: number; lastId: number }>`select min(zone) as first, max("lastId") as "lastId"
		from (select zone, "lastId", zone - row_number() over (order by zone) as island from ${matching}) as matching
		group by island`.execute(db);
	return rows;
}

async function lastNoted(db: Kysely<Tables>): Promise<number> {
	const row = await db
		.selectFrom("jobZone")
		.select(({ fn }) => fn.max("lastId").as("id"))
		.executeTakeFirst();
	return row?.id ?? 0;
}

/** Creates the function that a timer calls to note new jobs. Several processes may do so at once. */
export function jobZoneSweep(): (ctx: { db: Kysely<Tables> }) => Promise<void> {
	let seen: { id: number; at: number }[] = [];
	return async ({ db }) => {
		const now = performance.now();
		const newest = await db
			.selectFrom("job")
			.select(({ fn }) => fn.max("id").as("id"))
			.executeTakeFirst();
		if (newest?.id != null) seen.push({ id: newest.id, at: now });
		const settled = seen.findLast(({ at }) => now - at >= SETTLED_MS);
		if (settled === undefined) return;
		seen = seen.filter(({ at }) => at >= settled.at);
		await noteJobs(db, settled.id);
	};
}

/** Notes the jobs up to this id. */
export async function noteJobs(db: Kysely<Tables>, lastId: number): Promise<void> {
	const noted = await lastNoted(db);
	if (noted >= lastId) return;
	const size = sql.lit(JOBS_PER_ZONE);
	await sql`insert into "jobZone" (zone, "lastId", "minCreatedAt", "maxCreatedAt")
		select id / ${size}, max(id), min("createdAt"), max("createdAt") from job where id > ${noted} and id <= ${lastId}
		group by id / ${size}
		on conflict (zone) do update set
			"lastId" = case when excluded."lastId" > "jobZone"."lastId" then excluded."lastId" else "jobZone"."lastId" end,
			"minCreatedAt" = case when excluded."minCreatedAt" < "jobZone"."minCreatedAt" then excluded."minCreatedAt" else "jobZone"."minCreatedAt" end,
			"maxCreatedAt" = case when excluded."maxCreatedAt" > "jobZone"."maxCreatedAt" then excluded."maxCreatedAt" else "jobZone"."maxCreatedAt" end`.execute(
		db,
	);
}
