/** What dashboard processes on one database know of each other. Only PostgreSQL can have several. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	// Who does the periodic work that one of them does for all.
	await db.schema
		.createTable("claim")
		.addColumn("name", "text", (c) => c.primaryKey())
		.addColumn("holder", "text", (c) => c.notNull())
		.addColumn("until", int64(dialect), (c) => c.notNull())
		.execute();
	await db.schema
		.createTable("dashboardProcess")
		.addColumn("id", "text", (c) => c.primaryKey())
		.addColumn("secretKeyId", "text", (c) => c.notNull())
		.addColumn("seenAt", int64(dialect), (c) => c.notNull())
		.execute();
	// Versions that know at least this migration work with the database as it is.
	await db.schema.alterTable("dashboard").addColumn("compatibleFrom", "text").execute();
	await sql`update dashboard set "compatibleFrom" = '0015-several-dashboards'`.execute(db);
}
