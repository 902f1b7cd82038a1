/** Recordings that are images, documents or other files. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addRecordingKinds(db: Kysely<unknown>): Promise<void> {
	await sql`alter table recording add column kind text not null default 'video'`.execute(db);
	await sql`create index recording_by_file_kind on recording ("organizationId", kind, "createdAt", id)
		where "deletedAt" is null`.execute(db);
}
