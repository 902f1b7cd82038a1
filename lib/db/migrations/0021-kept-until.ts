/** Until when retention spares a recording that was restored, and an index of pinned recordings. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addKeptUntil(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = sql.raw(dialect === "sqlite" ? "integer" : "bigint");
	await sql`alter table recording add column "keptUntil" ${int}`.execute(db);
	await sql`create index recording_pinned on recording ("organizationId", "createdAt", id)
		where pinned = 1 and "deletedAt" is null`.execute(db);
}
