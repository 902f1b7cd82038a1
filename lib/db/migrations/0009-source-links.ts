/** The addresses of an organization's commits. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addSourceLinks(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "recordingSettings" add column "commitUrlTemplate" text`.execute(db);
}
