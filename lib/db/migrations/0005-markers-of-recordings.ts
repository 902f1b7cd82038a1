/** Markers of uploaded videos: a marker belongs to a job or to a recording. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64, withId } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	if (dialect === "sqlite") await rebuild(db);
	else {
		await db.schema
			.alterTable("marker")
			.alterColumn("jobId", (column) => column.dropNotNull())
			.execute();
		await db.schema
			.alterTable("marker")
			.addColumn("recordingId", int, (c) => c.references("recording.id").onDelete("cascade"))
			.execute();
	}
	await db.schema.createIndex("marker_by_recording").on("marker").columns(["recordingId", "at", "id"]).execute();
}

/** SQLite cannot drop a NOT NULL constraint, so the table is rebuilt. */
async function rebuild(db: Kysely<unknown>): Promise<void> {
	const int = int64("sqlite");
	await sql`alter table marker rename to marker_before`.execute(db);
	await db.schema.dropIndex("marker_by_job").execute();
	await withId(db.schema.createTable("marker"), "sqlite")
		.addColumn("organizationId", int, (c) => c.notNull().references("organization.id").onDelete("cascade"))
		.addColumn("jobId", int, (c) => c.references("job.id").onDelete("cascade"))
		.addColumn("recordingId", int, (c) => c.references("recording.id").onDelete("cascade"))
		.addColumn("label", "text", (c) => c.notNull())
		.addColumn("kind", "text", (c) => c.notNull())
		.addColumn("at", int, (c) => c.notNull())
		.addColumn("createdAt", int, (c) => c.notNull())
		.execute();
	const kept = sql.raw(`id, "organizationId", "jobId", label, kind, at, "createdAt"`);
	await sql`insert into marker (${kept}) select ${kept} from marker_before`.execute(db);
	await db.schema.dropTable("marker_before").execute();
	await db.schema.createIndex("marker_by_job").on("marker").columns(["jobId", "at", "id"]).execute();
}
