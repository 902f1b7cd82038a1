/** What running dashboards must agree on, besides the secret key; and the last time that each organization has seen. */
import type { Kysely } from "kysely";
import { type DialectName, int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	// Null for a dashboard of a version before.
	for (const column of ["storesIn", "readsFrom"]) {
		await db.schema.alterTable("dashboardProcess").addColumn(column, "text").execute();
	}
	await db.schema
		.createTable("clockWatch")
		.addColumn("organizationId", int64(dialect), (c) => c.primaryKey())
		.addColumn("seenAt", int64(dialect), (c) => c.notNull())
		.addColumn("bootId", "text", (c) => c.notNull())
		.addColumn("uptimeMs", int64(dialect), (c) => c.notNull())
		.addColumn("jumpedAt", int64(dialect))
		.execute();
}
