/** A runner's display name, separate from its sign-in name; and removed runners. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	// The unique constraint follows the column: a sign-in name is unique per organization.
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
