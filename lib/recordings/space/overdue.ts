/** Counts the recordings that retention has to delete now: before its limits change, and during a sweep. */
import type { RetentionPolicy } from "@tapedeck/contract/retention.ts";
import { type RawBuilder, sql } from "kysely";
import { showsFailure } from "#lib/lifecycle/recording-store.ts";
import { isNotSpared } from "../deletion.ts";
import type { RecordingContext } from "../recording-context.ts";
import { DAY_MS } from "./retention-rules.ts";

/** More are not counted. */
const MAX_COUNTED = 100_000;
/** Up to this many are counted each time, in a millisecond; more only now and then. */
const COUNTED_EACH_TIME = 10_000;
const RECOUNT_MS = 10_000;

export interface Overdue {
	count: number;
	bytes: number;
	/** Number of them that show a failure. */
	failed: number;
	newest: { id: number; name: string; createdAt: number } | null;
}

/**
 * Counts the actor's overdue recordings. Of many, those that went since the last count are subtracted from it.
 * @param bytesOver how many bytes have to go.
 */
export async function countOverdue(
	ctx: RecordingContext,
	policy: Pick<RetentionPolicy, "maxAgeDays" | "maxBytes">,
	bytesOver: number,
	storedRecordings: number,
): Promise<number> {
	const few = (await findOverdue(ctx, policy, bytesOver, COUNTED_EACH_TIME)).count;
	if (few < COUNTED_EACH_TIME) return few;
	const { organizationId } = ctx.actor;
	const counts = ctx.storageUsage.overdueCounts;
	const limits = `${policy.maxAgeDays} ${policy.maxBytes}`;
	const now = performance.now();
	const last = counts.get(organizationId);
	if (last?.limits === limits && now - last.at < RECOUNT_MS) {
		const deleted = last.count < MAX_COUNTED ? Math.max(0, last.storedRecordings - storedRecordings) : 0;
		return Math.max(few, last.count - deleted);
	}
	const { count } = await findOverdue(ctx, policy, bytesOver);
	counts.set(organizationId, { count, storedRecordings, limits, at: now });
	return count;
}

/** The actor's deletable recordings that are too old, and those that go to bring the organization below its limits. */
export async function findOverdue(
	ctx: RecordingContext,
	{ maxAgeDays }: Pick<RetentionPolicy, "maxAgeDays">,
	bytesOver: number,
	most = MAX_COUNTED,
): Promise<Overdue> {
	const createdBy = maxAgeDays === null ? null : ctx.clock.now() - maxAgeDays * DAY_MS;
	const deletable = sql`from recording where "organizationId" = ${ctx.actor.organizationId} and ${DELETABLE}
		and ${isNotSpared(ctx.clock.now())}`;
	const columns = sql`id, name, bytes, "createdAt", ${showsFailure} as failed`;
	const aged =
		createdBy === null
			? NOTHING
			: await sumOf(
					ctx,
					sql`select ${columns} ${deletable} and "createdAt" <= ${createdBy} order by "createdAt", id limit ${most}`,
				);
	const left = bytesOver - aged.bytes;
	if (left <= 0 || aged.count >= most) return aged;
	const others = createdBy === null ? sql`` : sql`and "createdAt" > ${createdBy}`;
	const order = sql`${showsFailure}, "createdAt", id`;
	const expendable = sql`select ${columns}, sum(bytes) over (order by ${order}) - bytes as before
		from (select * ${deletable} ${others} order by ${order} limit ${most - aged.count}) as recording`;
	const expended = await sumOf(ctx, sql`select * from (${expendable}) as expendable where before < ${left}`);
	const newer = [aged.newest, expended.newest].filter((each) => each !== null);
	return {
		count: aged.count + expended.count,
		bytes: aged.bytes + expended.bytes,
		failed: aged.failed + expended.failed,
		newest: newer.sort((a, b) => b.createdAt - a.createdAt)[0] ?? null,
	};
}

/** Literally, as in the indexes of what may be deleted. */
export const DELETABLE = sql<boolean>`state <> 'live' and pinned = 0 and "deletedAt" is null`;

const NOTHING: Overdue = { count: 0, bytes: 0, failed: 0, newest: null };

async function sumOf({ reads }: RecordingContext, rows: RawBuilder<unknown>): Promise<Overdue> {
	type Sums = Record<"count" | "bytes" | "failed", number | string | null>;
	const sums = await sql<Sums>`select count(*) as count, sum(bytes) as bytes, sum(failed) as failed
		from (${rows}) as counted`.execute(reads);
	const [first] = sums.rows;
	if (first === undefined || Number(first.count) === 0) return NOTHING;
	const newest = await sql<{ id: number; name: string; createdAt: number }>`select id, name, "createdAt"
		from (${rows}) as counted order by "createdAt" desc, id desc limit 1`.execute(reads);
	return {
		count: Number(first.count),
		bytes: Number(first.bytes),
		failed: Number(first.failed),
		newest: newest.rows[0] ?? null,
	};
}
