/** The seconds of their displays that runners keep. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addBufferSeconds(db: Kysely<unknown>): Promise<void> {
	await sql`alter table runner add column "bufferSeconds" integer`.execute(db);
}
