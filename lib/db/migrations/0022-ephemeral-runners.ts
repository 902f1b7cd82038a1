/** Runners that leave the list once they have stopped, and an index of those that are listed. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addEphemeralRunners(db: Kysely<unknown>): Promise<void> {
	await sql`alter table runner add column ephemeral integer not null default 0`.execute(db);
	await sql`create index runner_listed on runner ("lastSeenAt") where "removedAt" is null`.execute(db);
}
