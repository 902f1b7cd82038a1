/** A runner's shown name, apart from the one that it signs in with; and runners that were removed. */
import { type Kysely, sql } from "kysely";
import { int64 } from "../columns.ts";
import type { DialectName } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	// The unique constraint goes along: one runner an organization and a name that it signs in with.
	await db.schema.alterTable("runner").renameColumn("name", "signInName").execute();
	await db.schema
		.alterTable("runner")
		.addColumn("name", "text", (c) => c.notNull().defaultTo(""))
		.execute();
	await db.schema.alterTable("runner").addColumn("removedAt", int64(dialect)).execute();
	await sql`update runner set name = "signInName"`.execute(db);
	await db.schema
		.createIndex("runner_shown_name")
		.unique()
		.on("runner")
		.columns(["organizationId", "name"])
		.where(sql.ref("removedAt"), "is", null)
		.execute();
}
