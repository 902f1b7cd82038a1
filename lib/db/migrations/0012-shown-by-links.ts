/** The contents of a share link. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addShownByLinks(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "shareLink" add column shown text`.execute(db);
}
