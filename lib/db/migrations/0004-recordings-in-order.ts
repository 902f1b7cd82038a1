/** Lists of recordings by age, length, size and runner, each from an index. */
import { type Kysely, sql } from "kysely";
import { int64 } from "../columns.ts";
import type { DialectName } from "../dialect.ts";

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
	// Everything that it served begins with the organization too, and orders by one of these.
	await db.schema.dropIndex("recording_by_organization").execute();
}
