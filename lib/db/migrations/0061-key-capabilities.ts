/** The capabilities of API keys. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addKeyCapabilities(db: Kysely<unknown>): Promise<void> {
	await sql`alter table "apiKey" add column capabilities text`.execute(db);
}
