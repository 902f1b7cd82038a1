/** Deletes the entries of the audit log that are older than a year, on a timer. */
import { type Kysely, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { dialectOf, postgresNow } from "#lib/db/dialect.ts";
import { AUDIT_KEPT_DAYS } from "#lib/db/migrations/0007-trust.ts";
import { defaultPartition, dropPartition, monthStart, partitionsOf } from "#lib/db/partitions.ts";
import type { Tables } from "#lib/db/schema.ts";

const DAY_MS = 86_400_000;
/** A day longer than migration 0007 protects entries: the database's clock may be behind ours. */
const KEPT_MS = (AUDIT_KEPT_DAYS + 1) * DAY_MS;
const BATCH = 1_000;

/**
 * On PostgreSQL, entries go by whole months, when the last of the month is old enough, and one by one only from before
 * there were partitions.
 *
 * @returns how many entries it deleted one by one.
 * @throws when the database's clock says that they are younger.
 */
export async function sweepAudit({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> {
	const before = clock.now() - KEPT_MS;
	if (dialectOf(db) === "sqlite") return deleteEntries(db, "auditEntry", before);
	const partitions = await partitionsOf(db, "auditEntry");
	for (const partition of partitions) {
		if (monthStart(partition.end) > before) break;
		await refuseYoung(db, monthStart(partition.end));
		await dropPartition(db, partition);
	}
	let deleted = await deleteEntries(db, defaultPartition("auditEntry"), before);
	const first = partitions.find(({ isFirst, end }) => isFirst && monthStart(end) > before);
	if (first !== undefined) deleted += await deleteEntries(db, first.name, before);
	return deleted;
}

async function deleteEntries(db: Kysely<Tables>, table: string, before: number): Promise<number> {
	let deleted = 0;
	for (;;) {
		const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id in (
			select id from ${sql.table(table)} where "at" < ${before} limit ${sql.lit(BATCH)})`.execute(db);
		deleted += Number(numAffectedRows ?? 0);
		if (Number(numAffectedRows ?? 0) < BATCH) return deleted;
	}
}

/** Dropping a partition asks no trigger, so the rule that the triggers enforce is checked here, by the database's clock. */
async function refuseYoung(db: Kysely<Tables>, newest: number): Promise<void> {
	const { rows } = await sql<{ now: number }>`select ${postgresNow} as now`.execute(db);
	if (newest > (rows[0]?.now ?? 0) - AUDIT_KEPT_DAYS * DAY_MS) throw new Error("The audit log can only be added to.");
}
