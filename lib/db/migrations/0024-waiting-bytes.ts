/** Bytes of video that a runner has recorded and not uploaded yet, as it said with its last poll. */
import type { Kysely } from "kysely";
import { type DialectName, int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.alterTable("runner")
		.addColumn("waitingBytes", int64(dialect), (c) => c.notNull().defaultTo(0))
		.execute();
}
