/** Videos in a bucket of an object store. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema.alterTable("recording").addColumn("objectKey", "text").execute();
	await db.schema.alterTable("recording").addColumn("objectHeaderBytes", int64(dialect)).execute();
	await db.schema
		.createTable("upload")
		.addColumn("id", "text", (c) => c.primaryKey())
		.addColumn("record", "text", (c) => c.notNull())
		.execute();
	await db.schema
		.createTable("videoSegment")
		.addColumn("uploadId", "text", (c) => c.notNull())
		.addColumn("number", "integer", (c) => c.notNull())
		.addColumn("objectKey", "text", (c) => c.notNull())
		.addPrimaryKeyConstraint("videoSegment_pk", ["uploadId", "number"])
		.execute();
	await db.schema
		.createTable("unusedObject")
		.addColumn("objectKey", "text", (c) => c.primaryKey())
		.addColumn("deleteAfter", int64(dialect), (c) => c.notNull())
		.addColumn("multipartId", "text")
		.execute();
	await db.schema.createIndex("unusedObject_deleteAfter").on("unusedObject").column("deleteAfter").execute();
}
