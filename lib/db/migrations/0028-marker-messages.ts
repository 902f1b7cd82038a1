/** Messages of markers: several lines, such as the error of a test. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema.alterTable("marker").addColumn("message", "text").execute();
}
