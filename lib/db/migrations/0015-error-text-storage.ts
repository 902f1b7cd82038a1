/**
 * PostgreSQL stores error lines as they are: searches read hundreds of them for a page, and decompressing takes longer than
 * the search in them. Those that are stored already stay compressed, which nothing but the time to read them depends on.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function storeErrorTextPlainly(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	if (dialect === "sqlite") return;
	await sql`alter table "errorText" alter column text set storage external`.execute(db);
}
