/** Whether the creator of a job has announced that it will report the outcome. */
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
	await db.schema
		.alterTable("job")
		.addColumn("outcomeExpected", "integer", (c) => c.notNull().defaultTo(0))
		.execute();
}
