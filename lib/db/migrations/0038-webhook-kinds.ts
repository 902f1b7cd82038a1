/** The formats that receivers of webhooks understand, and whether they want builds without new failures. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addWebhookKinds(db: Kysely<unknown>): Promise<void> {
	await sql`alter table webhook add column kind text not null default 'standard'`.execute(db);
	await sql`alter table webhook add column "onlyNew" integer not null default 0`.execute(db);
}
