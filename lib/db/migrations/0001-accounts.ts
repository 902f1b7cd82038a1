/** Users, sessions and organizations: the tables that better-auth keeps. */
import type { Kysely } from "kysely";
import { withId } from "../columns.ts";
import type { DialectName } from "../open.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await withId(db.schema.createTable("organization"), dialect)
		.addColumn("name", "text", (c) => c.notNull())
		.addColumn("slug", "text", (c) => c.notNull().unique())
		.execute();
}
