/** The last time step whose code was used, for each second factor. Described in account-tables.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addUsedCodes(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = sql.raw(dialect === "sqlite" ? "integer" : "bigint");
	await sql`alter table "twoFactor" add column "lastUsedStep" ${int}`.execute(db);
}
