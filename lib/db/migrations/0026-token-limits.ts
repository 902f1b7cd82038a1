/** Limits of runner tokens, and which token each runner signed in with. */
import type { Kysely } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";

export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema.alterTable("runnerToken").addColumn("limits", "text").execute();
	await db.schema.alterTable("runnerToken").addColumn("familyId", int64(dialect)).execute();
	await db.schema.alterTable("runner").addColumn("tokenId", int64(dialect)).execute();
	await db.schema.alterTable("runner").addColumn("limits", "text").execute();
	await db.schema.createIndex("runnerOfToken").on("runner").columns(["tokenId"]).execute();
}
