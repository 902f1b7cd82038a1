/** Causes that let CI pass, and the failures that were let through. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addGate(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "failureTriage" add column "letsPass" integer not null default 0`.execute(db);
	await sql`alter table "testResult" add column "isLetThrough" integer not null default 0`.execute(db);
	await sql`create index test_result_let_through on "testResult" ("organizationId", build) where "isLetThrough" = 1`.execute(
		db,
	);
}
