/** Requests for the privacy of jobs, and their state. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addPrivacy(db: Kysely<unknown>): Promise<void> {
	await sql`alter table job add column privacy text`.execute(db);
}
