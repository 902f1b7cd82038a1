/** The seconds before its start that a job asks for. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addPreSeconds(db: Kysely<unknown>): Promise<void> {
	await sql`alter table job add column "preSeconds" integer not null default 0`.execute(db);
}
