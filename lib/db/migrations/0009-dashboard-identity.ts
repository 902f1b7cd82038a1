/**
 * Who this dashboard is, and which job is which: numbers repeat in another dashboard, and in this one after it was
 * restored from a backup.
 */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { int64 } from "../columns.ts";
import type { DialectName } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("dashboard")
		.addColumn("id", "text", (c) => c.primaryKey())
		.execute();
	await sql`INSERT INTO "dashboard" ("id") VALUES (${randomUUID()})`.execute(db);
	await db.schema.alterTable("job").addColumn("key", "text").execute();
	await db.schema.alterTable("job").addColumn("recordingDeletedAt", int64(dialect)).execute();
	// Of jobs that are there it follows from the job: a backup from before this migration gives it the same key again.
	await sql`UPDATE "job" SET "key" = coalesce("runnerKey", 'job-' || "id" || '-' || "createdAt")`.execute(db);
	await db.schema.createIndex("job_key").unique().on("job").columns(["runnerId", "key"]).execute();
}
