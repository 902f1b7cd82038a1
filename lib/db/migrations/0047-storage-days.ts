/** The bytes that each organization stored at the end of each day. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addStorageDays(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = sql.raw(dialect === "sqlite" ? "integer" : "bigint");
	await sql`create table "storageDay" (
		"organizationId" ${int} not null references organization (id) on delete cascade,
		day ${int} not null,
		bytes ${int} not null,
		primary key ("organizationId", day)
	)`.execute(db);
	await sql`create index storage_day_by_age on "storageDay" (day)`.execute(db);
}
