/** `GET /v1/labels`: which labels there are, for completing a search. */
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

const MOST = 10;

/** @returns at most ten keys, or values of the key, that begin with the prefix. */
export async function listLabels(ctx: Context, { key, prefix }: { key?: string; prefix: string }): Promise<string[]> {
	const tables = ["jobLabel", "recordingLabel", "testRunLabel"];
	const found = await Promise.all(tables.map((table) => distinct(ctx, table, { key, prefix })));
	return [...new Set(found.flat())].sort().slice(0, MOST);
}

/** Each step jumps in the index to the next value, however many rows have this one. */
async function distinct(ctx: Context, table: string, { key, prefix }: { key?: string; prefix: string }) {
	const column = key === undefined ? sql`key` : sql`value`;
	const next = (above: RawBuilder<unknown>) => sql`(select min(${column}) from ${sql.table(table)}
		where "organizationId" = ${ctx.actor.organizationId} and ${key === undefined ? sql`1 = 1` : sql`key = ${key}`} and ${column} ${above})`;
	const { rows } = await sql<{ found: string | null }>`with recursive steps(found) as (
		select ${next(sql`>= ${prefix}`)}
		union all select ${next(sql`> steps.found`)} from steps where steps.found is not null
	) select found from steps limit ${MOST + 1}`.execute(ctx.reads);
	return rows.flatMap(({ found }) => (found?.startsWith(prefix) ? [found] : []));
}
