/**
 * The version of the rules that found the cause of a failure. Failures of older rules are moved while the dashboard runs:
 * see lib/lifecycle/update-causes.ts. Described in schema.ts.
 */
import { type Kysely, sql } from "kysely";

export async function addCauseRules(db: Kysely<unknown>): Promise<void> {
	// An older dashboard that shares the database does not know the column, and writes causes of the first rules.
	await sql`alter table "testResult" add column "causeRules" integer not null default 1`.execute(db);
	await sql`create index test_result_by_cause_rules on "testResult" ("causeRules", id) where cause is not null`.execute(
		db,
	);
}
