/** What was asked for the privacy of jobs, and what became of it. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addPrivacy(db: Kysely<unknown>): Promise<void> {
	await sql`alter table job add column privacy text`.execute(db);
}
