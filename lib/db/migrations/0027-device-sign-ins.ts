/** Programs that wait until a person confirms their code, and get an API key then. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.createTable("deviceSignIn")
		.addColumn("hash", "text", (c) => c.primaryKey())
		.addColumn("userCode", "text", (c) => c.notNull().unique())
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("address", "text")
		.addColumn("scopes", "text", (c) => c.notNull())
		.addColumn("createdAt", int64(dialect), (c) => c.notNull())
		.addColumn("expiresAt", int64(dialect), (c) => c.notNull())
		.addColumn("organizationId", int64(dialect))
		.addColumn("userId", int64(dialect))
		.execute();
}
