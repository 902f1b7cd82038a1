/** What several dashboards on one database need to share their runners and uploads. Only PostgreSQL can have several. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("dashboardNode")
		.addColumn("id", "text", (c) => c.primaryKey())
		.addColumn("holder", "text", (c) => c.notNull())
		.addColumn("internalUrl", "text", (c) => c.notNull())
		.addColumn("until", int64(dialect), (c) => c.notNull())
		.execute();
	await db.schema
		.createTable("uploadLease")
		.addColumn("uploadId", "text", (c) => c.primaryKey())
		.addColumn("nodeId", "text", (c) => c.notNull())
		.addColumn("epoch", int64(dialect), (c) => c.notNull())
		.addColumn("storedAt", int64(dialect))
		.addColumn("deletedAt", int64(dialect))
		.execute();
	// The few whose files are still to be deleted.
	await sql`create index "uploadLeaseDeleted" on "uploadLease" ("nodeId") where "deletedAt" is not null`.execute(db);
	await db.schema.alterTable("runner").addColumn("pollUntil", int64(dialect)).execute();
	await db.schema.alterTable("runner").addColumn("pollNodeId", "text").execute();
	await db.schema.alterTable("runner").addColumn("syncedSessionId", "text").execute();
	await createPictures(db, dialect);
	// As rate-limiter-flexible wants it.
	await db.schema
		.createTable("rateLimit")
		.addColumn("key", "varchar(255)", (c) => c.primaryKey())
		.addColumn("points", "integer", (c) => c.notNull().defaultTo(0))
		.addColumn("expire", int64(dialect))
		.execute();
}

/** Pictures live for a minute: writing them to PostgreSQL's log would only wear the disk. */
async function createPictures(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const isPostgres = dialect === "postgres";
	await sql`create ${sql.raw(isPostgres ? "unlogged" : "")} table "displayPicture" (
		"runnerId" ${int64(dialect)} not null,
		"displayId" text not null,
		jpeg ${sql.raw(isPostgres ? "bytea" : "blob")} not null,
		"takenAt" ${int64(dialect)} not null,
		primary key ("runnerId", "displayId")
	)`.execute(db);
}
