/** Deletes the entries of the audit log that are older than a year, on a timer. */
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";

const DAY_MS = 86_400_000;
/** A day longer than a trigger protects entries: the database's clock may be behind ours. */
const KEPT_MS = 366 * DAY_MS;
const BATCH = 1_000;

/**
 * Deletes them in batches, the oldest first: each is found by the index of ages and committed by itself, so nobody waits
 * for more than one.
 *
 * @returns how many entries it deleted.
 * @throws when the database's clock says that they are younger.
 */
export async function sweepAudit({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> {
	const before = clock.now() - KEPT_MS;
	let deleted = 0;
	for (;;) {
		const { numAffectedRows } = await sql`delete from "auditEntry" where id in (
			select id from "auditEntry" where "at" < ${before} order by "at" limit ${sql.lit(BATCH)})`.execute(db);
		deleted += Number(numAffectedRows ?? 0);
		if (Number(numAffectedRows ?? 0) < BATCH) return deleted;
	}
}
