/** How many recordings retention has still to delete: what its sweep, which takes them in small steps, has left. */
import { sql } from "kysely";
import type { RetentionPolicy } from "#lib/contract/organization.ts";
import type { RecordingContext } from "../recording-context.ts";
import { DAY_MS } from "./retention-rules.ts";

/** More are not counted. */
const MAX_COUNTED = 100_000;
/** Up to this many are counted each time, in a millisecond; more only now and then. */
const COUNTED_EACH_TIME = 10_000;
const RECOUNT_MS = 10_000;

/** A count of many, with what the organization stored and had as its limits. */
export type OverdueCount = { count: number; storedRecordings: number; limits: string; at: number };

/**
 * Counts the actor's deletable recordings that are older than the policy allows, or whose deletion, oldest first,
 * brings the organization below its limit; whichever are more. Of many, those that went since the last count are
 * subtracted from it.
 */
export async function countOverdue(
	ctx: RecordingContext,
	policy: Pick<RetentionPolicy, "maxAgeDays" | "maxBytes">,
	stored: { bytes: number; count: number },
): Promise<number> {
	const few = await countUpTo(ctx, COUNTED_EACH_TIME, policy, stored.bytes);
	if (few < COUNTED_EACH_TIME) return few;
	const { organizationId } = ctx.actor;
	const counts = ctx.storageUsage.overdueCounts;
	const limits = `${policy.maxAgeDays} ${policy.maxBytes}`;
	const now = performance.now();
	const last = counts.get(organizationId);
	if (last?.limits === limits && now - last.at < RECOUNT_MS) {
		const deleted = last.count < MAX_COUNTED ? Math.max(0, last.storedRecordings - stored.count) : 0;
		return Math.max(few, last.count - deleted);
	}
	const count = await countUpTo(ctx, MAX_COUNTED, policy, stored.bytes);
	counts.set(organizationId, { count, storedRecordings: stored.count, limits, at: now });
	return count;
}

async function countUpTo(
	ctx: RecordingContext,
	most: number,
	{ maxAgeDays, maxBytes }: Pick<RetentionPolicy, "maxAgeDays" | "maxBytes">,
	storedBytes: number,
): Promise<number> {
	const deletable = sql`from recording
		where "organizationId" = ${ctx.actor.organizationId} and state <> 'live' and pinned = 0`;
	const createdBy = ctx.clock.now() - (maxAgeDays ?? 0) * DAY_MS;
	const byAge =
		maxAgeDays === null
			? 0
			: await countOf(ctx, sql`select 1 ${deletable} and "createdAt" <= ${createdBy} limit ${most}`);
	const bytes = maxBytes === null ? 0 : storedBytes - maxBytes;
	if (bytes <= 0) return byAge;
	const oldest = sql`select bytes, "createdAt", id ${deletable} order by "createdAt", id limit ${most}`;
	const sums = sql`select sum(bytes) over (order by "createdAt", id) - bytes as before from (${oldest}) as oldest`;
	return Math.max(byAge, await countOf(ctx, sql`select 1 from (${sums}) as sums where before < ${bytes}`));
}

async function countOf({ reads }: RecordingContext, rows: ReturnType<typeof sql>): Promise<number> {
	const counted = await sql<{ count: number }>`select count(*) as count from (${rows}) as counted`.execute(reads);
	return Number(counted.rows[0]?.count ?? 0);
}
