/** Video options of jobs and organizations, and those that recordings used. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addVideoOptions(db: Kysely<unknown>): Promise<void> {
	for (const column of ["video", `"usedVideo"`]) {
		await sql.raw(`alter table job add column ${column} text`).execute(db);
	}
	await sql`alter table recording add column video text`.execute(db);
	await sql`alter table "recordingSettings" add column video text`.execute(db);
}
