/** How many recordings retention has still to delete: what its sweep, which takes them in small steps, has left. */
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

/** More are not counted. */
const MAX_COUNTED = 100_000;

/**
 * Counts the actor's deletable recordings that were created by `createdBy`, or whose deletion, oldest first, brings
 * the organization down by `bytes`; whichever are more.
 */
export async function countOverdue(
	ctx: Pick<Context, "actor" | "reads">,
	{ createdBy, bytes }: { createdBy: number | null; bytes: number },
): Promise<number> {
	const oldest = sql`select bytes, "createdAt", id from recording
		where "organizationId" = ${ctx.actor.organizationId} and state <> 'live' and pinned = 0`;
	const first = sql`order by "createdAt", id limit ${MAX_COUNTED}`;
	const byAge =
		createdBy === null
			? 0
			: await countOf(ctx, sql`select 1 from (${oldest} and "createdAt" <= ${createdBy} ${first}) as old`);
	if (bytes <= 0) return byAge;
	const sums = sql`select sum(bytes) over (order by "createdAt", id) - bytes as before from (${oldest} ${first}) as oldest`;
	return Math.max(byAge, await countOf(ctx, sql`select 1 from (${sums}) as sums where before < ${bytes}`));
}

async function countOf({ reads }: Pick<Context, "reads">, rows: ReturnType<typeof sql>): Promise<number> {
	const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as counted`.execute(reads);
	return Number(counted.rows[0]?.count ?? 0);
}
