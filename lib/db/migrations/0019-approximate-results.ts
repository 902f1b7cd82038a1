/** Test results whose times are not exact. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addApproximateResults(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "testResult" add column "isApproximate" integer not null default 0`.execute(db);
}
