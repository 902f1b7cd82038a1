/**
 * Identifies the dashboard and its jobs beyond their ids, which repeat in another dashboard, and in this one after a
 * restore from a backup.
 */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("dashboard")
		.addColumn("id", "text", (c) => c.primaryKey())
		.execute();
	await sql`INSERT INTO "dashboard" ("id") VALUES (${randomUUID()})`.execute(db);
	await db.schema.alterTable("job").addColumn("key", "text").execute();
	await db.schema.alterTable("job").addColumn("recordingDeletedAt", int64(dialect)).execute();
	// Existing jobs get a deterministic key, so that restoring a backup from before this migration yields the same one.
	await sql`UPDATE "job" SET "key" = coalesce("runnerKey", 'job-' || "id" || '-' || "createdAt")`.execute(db);
	await db.schema.createIndex("job_key").unique().on("job").columns(["runnerId", "key"]).execute();
}
