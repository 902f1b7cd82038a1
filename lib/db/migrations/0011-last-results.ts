/** The last result of each test of a build, in the order of lists: a page of them reads no others. */
import { type Kysely, sql } from "kysely";

export async function addLastResults(db: Kysely<unknown>): Promise<void> {
	await sql`create index test_result_last_of_build on "testResult" ("organizationId", build, "startedAt", id)
		where "isLast" = 1 and build is not null`.execute(db);
}
