/** Results of agents' runs, which say nothing about how reliable a test is. Described in schema.ts. */
import { type Kysely, sql } from "kysely";
import { SUMMARY_OF_RESULTS } from "../test-summary.ts";

export async function addAgentsResults(db: Kysely<unknown>): Promise<void> {
	const owners = [
		["jobId", "jobLabel"],
		["testRunId", "testRunLabel"],
		["recordingId", "recordingLabel"],
	] as const;
	for (const statement of [
		`alter table "testResult" add column "isByAgent" integer not null default 0`,
		...owners.map(
			([column, table]) => `update "testResult" set "isByAgent" = 1
				where "${column}" in (select "${column}" from "${table}" where key = 'agent')`,
		),
		// The index has all columns that a summary reads.
		`drop index test_result_by_test`,
		`create index test_result_by_test
			on "testResult" ("testId", "startedAt", id, outcome, "isFlaky", "isNew", "endedAt", "isByAgent")`,
		`update test set ${SUMMARY_OF_RESULTS} where id in (select "testId" from "testResult" where "isByAgent" = 1)`,
	]) {
		await sql.raw(statement).execute(db);
	}
}
