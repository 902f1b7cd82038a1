/** Test results by the million, written by SQL straight into a dashboard's database. */
import { SUMMARY_OF_RESULTS } from "#lib/db/test-summary.ts";
import { connect, type Place } from "./many-rows.ts";

const TESTS = 10_000;
/** A transaction has so many builds. */
const BUILDS_AT_ONCE = 10;
const MINUTE_MS = 60_000;

/** A title that one test has. */
export const RARE_TEST = "Zanzibar";
/** One of this many tests fails in the newest build. One of `NEWLY` of these did not fail before. */
const FAILING = 40;
const NEWLY = 25;
/** One of this many tests is flaky. */
const FLAKY = 60;

/** Adds results of builds that ran one after the other, each with 10,000 tests, for the organization with id 1. */
export async function addManyResults(place: Place, results: number): Promise<void> {
	const { run, numbers, close } = await connect(place);
	const builds = Math.ceil(results / TESTS);
	const now = Date.now();
	const startOf = (build: number) => `${now - (builds - build) * MINUTE_MS}`;
	try {
		await run(`insert into test (id, "organizationId", repository, project, name, suite, file, "firstAt", "lastAt")
			select i, 1, 'acme/shop', '', 'Suite ' || (i % 100) || ' › does ' || i
				|| case when i = ${TESTS / 2} then ' ${RARE_TEST}' else '' end,
				'Suite ' || (i % 100), 'tests/' || (i % 500) || '.spec.ts', ${startOf(1)}, ${startOf(builds)} + i
			from ${numbers(1, TESTS)}`);
		for (let build = 1; build <= builds; build += 1) {
			const isNewest = build === builds;
			const fails = `(id % ${FAILING} = 0 and (id % ${FAILING * NEWLY} <> 0 or ${isNewest}))`;
			if (build % BUILDS_AT_ONCE === 1) await run("begin");
			await run(`insert into "testResult" ("organizationId", "testId", key, name, project, suite, file, attempt, outcome,
					"startedAt", "endedAt", "failedAt", cause, message, build, "isFlaky", "isNew", bytes, "createdAt")
				select 1, id, 'b' || ${build} || '-' || id, name, project, suite, file, 1,
					case when fails then 'failed' else 'passed' end, at, at + 100 + (id * 7919) % 20000,
					case when fails then at + 1000 end, case when fails then 'cause ' || (id % 300) end,
					case when fails then 'Error: expected ' || (id % 300) || ' of test ' || id end, 'shop ${build}',
					case when id % ${FLAKY} = 1 and ${build} % 3 = 0 then 1 else 0 end,
					case when fails and ${isNewest} and id % ${FAILING * NEWLY} = 0 then 1 else 0 end, 200, at
				from (select test.*, ${fails} as fails, ${startOf(build)} + id as at from test) as run`);
			if (build % BUILDS_AT_ONCE === 0 || isNewest) await run("commit");
		}
		await run(`update test set ${SUMMARY_OF_RESULTS}`);
		if ("file" in place) await run("analyze");
	} finally {
		await close();
	}
}
