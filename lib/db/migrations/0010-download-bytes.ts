/** The size of a recording's download: a fragmented MP4 gains a header and loses a torn end. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema.alterTable("recording").addColumn("downloadBytes", int64(dialect)).execute();
}
