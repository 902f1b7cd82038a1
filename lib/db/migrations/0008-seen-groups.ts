/** The time up to which a person has seen the failures of a group. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";

export async function addSeenGroups(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = dialect === "postgres" ? "bigint" : "integer";
	await sql
		.raw(`create table "failureGroupSeen" (
			"organizationId" ${int} not null references organization (id) on delete cascade,
			"userId" ${int} not null references "user" (id) on delete cascade,
			kind text not null,
			key text not null,
			"seenAt" ${int} not null,
			constraint "failureGroupSeen_pkey" primary key ("organizationId", "userId", kind, key)
		)`)
		.execute(db);
}
