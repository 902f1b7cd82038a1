/** Indexes for lists of recordings by age, duration, size and runner. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema.alterTable("recording").addColumn("runnerId", int64(dialect)).execute();
	await sql`
		update recording set "runnerId" = (select job."runnerId" from job where job.id = recording."jobId")
	`.execute(db);
	const index = (name: string, columns: string[]) =>
		db.schema.createIndex(name).on("recording").columns(columns).execute();
	await index("recording_by_age", ["organizationId", "createdAt", "id"]);
	await index("recording_by_length", ["organizationId", "durationSeconds", "id"]);
	await index("recording_by_size", ["organizationId", "bytes", "id"]);
	await index("recording_by_runner", ["organizationId", "runnerId", "createdAt", "id"]);
	// Redundant: the new indexes all begin with the organization.
	await db.schema.dropIndex("recording_by_organization").execute();
}
