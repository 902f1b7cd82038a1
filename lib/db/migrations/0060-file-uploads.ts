/** Jobs that upload a file of their runner. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addFileUploads(db: Kysely<unknown>): Promise<void> {
	await sql`alter table job add column "filePath" text`.execute(db);
}
