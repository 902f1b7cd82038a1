/** Which dashboard process does the periodic work that one of them does for all. Only PostgreSQL can have several. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("claim")
		.addColumn("name", "text", (c) => c.primaryKey())
		.addColumn("holder", "text", (c) => c.notNull())
		// Until then nobody else may do the work.
		.addColumn("until", int64(dialect), (c) => c.notNull())
		.execute();
}
