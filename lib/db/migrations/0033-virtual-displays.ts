/** Displays that runners make for jobs. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addVirtualDisplays(db: Kysely<unknown>): Promise<void> {
	await sql`alter table runner add column "virtualDisplays" integer`.execute(db);
	await sql`alter table job add column "newDisplay" text`.execute(db);
}
