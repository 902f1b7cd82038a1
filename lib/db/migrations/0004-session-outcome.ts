/** The outcome of a grid's session, as its client reports it. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addSessionOutcome(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = dialect === "postgres" ? "bigint" : "integer";
	for (const column of ["outcome text", "message text", `"outcomeAt" ${int}`]) {
		await sql.raw(`alter table "recordedSession" add column ${column}`).execute(db);
	}
}
