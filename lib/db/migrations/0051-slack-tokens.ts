/** The bot tokens with which webhooks upload frames to Slack. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addSlackTokens(db: Kysely<unknown>): Promise<void> {
	await sql`alter table webhook add column "botTokenSealed" text`.execute(db);
}
