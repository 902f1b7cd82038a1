/**
 * Summaries of the newest results of each test, so that no list of tests has to look at results. Described in schema.ts;
 * lib/lifecycle/test-summaries.ts keeps it.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { summaryOf } from "../test-summary.ts";

export async function addTestSummaries(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const [int, real] = dialect === "sqlite" ? ["integer", "real"] : ["bigint", "double precision"];
	const columns = [
		`"lastOutcome" text`,
		`"lastIsNew" integer not null default 0`,
		`"recentResults" integer not null default 0`,
		`"passRate" ${real} not null default 1`,
		`"flakyRate" ${real} not null default 0`,
		`"durationMs" ${int} not null default -1`,
		`"durationChangeMs" ${int} not null default 0`,
	];
	for (const statement of [
		...columns.map((column) => `alter table test add column ${column}`),
		// Has all columns of a summary, so that none reads the rows of results, which are large.
		`drop index test_result_by_test`,
		`create index test_result_by_test on "testResult" ("testId", "startedAt", id, outcome, "isFlaky", "isNew", "endedAt")`,
		`update test set ${summaryOf("true")}`,
		...["lastAt", "passRate", "flakyRate", "durationMs", "durationChangeMs"].map(
			(column) => `create index "test_by_${column}" on test ("organizationId", "${column}", id)`,
		),
	]) {
		await sql.raw(statement).execute(db);
	}
}
