/** Organizations that an owner has asked to delete, and when. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addOrganizationDeletion(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = sql.raw(dialect === "sqlite" ? "integer" : "bigint");
	await sql`create table "organizationDeletion" (
		"organizationId" ${int} primary key references organization (id) on delete cascade,
		"requestedAt" ${int} not null,
		"requestedBy" text not null,
		"deleteAt" ${int} not null
	)`.execute(db);
}
