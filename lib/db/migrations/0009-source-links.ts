/** How an organization's commits are addressed. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addSourceLinks(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "recordingSettings" add column "commitUrlTemplate" text`.execute(db);
}
