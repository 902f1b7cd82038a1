/** How long a recording is as it is downloaded: a fragmented MP4 gets a header, and loses a torn end. */
import type { Kysely } from "kysely";
import { int64 } from "../columns.ts";
import type { DialectName } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema.alterTable("recording").addColumn("downloadBytes", int64(dialect)).execute();
}
