/**
 * Lists of tests, results, failures and builds over many results, on SQLite and PostgreSQL: each call against a plain list
 * in the same run.
 */
import { join } from "node:path";
import { type Measured, measureBeside, PROMISE, printMeasured, slowestOf } from "./beside-plain-list.ts";
import type { Result, Results } from "./figures.ts";
import { DATABASES, type DatabaseName, openFilled } from "./filled-database.ts";
import { addManyResults, RARE_TEST } from "./many-result-rows.ts";
import { QUICK } from "./samples.ts";
import { heldBy, startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
/** More or fewer results while developing: BENCH_RESULTS=300000. */
const MANY = Number(process.env.BENCH_RESULTS ?? (QUICK ? 300_000 : 1_000_000));
/** Only one database while developing: BENCH_DATABASES=SQLite. */
const MEASURED = DATABASES.filter((name) => (process.env.BENCH_DATABASES ?? name).split(",").includes(name));

/** There are no jobs. */
const PLAIN_LIST = "/v1/tests";
const TESTS = "/v1/test-summaries?limit=50";
/** The measured calls, by name. */
const CALLS: readonly (readonly [name: string, path: string])[] = [
	["tests", TESTS],
	["tests, lowest pass rate", `${TESTS}&sort=passRate&order=asc`],
	["tests, most flaky", `${TESTS}&sort=flakyRate`],
	["tests, slowest", `${TESTS}&sort=durationSeconds`],
	["tests, most slowed down", `${TESTS}&sort=durationChangeSeconds`],
	["tests, newly failing", `${TESTS}&q=new:yes`],
	["tests, failing", `${TESTS}&q=outcome:failed`],
	["tests, flaky, slowest", `${TESTS}&q=flaky:yes&sort=durationSeconds`],
	["tests, one word", `${TESTS}&q=${RARE_TEST}`],
	["tests, no match", `${TESTS}&q=does-not-occur`],
	["tests of a file", `${TESTS}&q=file:tests/7.spec.ts`],
	["tests of a build", `${TESTS}&q=build:"shop 3"`],
	["results that failed", "/v1/tests?q=outcome:failed"],
	["results of a build", "/v1/tests?lastOfBuild=shop%203"],
	["builds", "/v1/builds"],
];

const many = MANY.toLocaleString("en");
export const figures = {
	sqlite: { what: `slowest of ${CALLS.length} calls over ${many} test results, SQLite`, promise: PROMISE },
	postgres: { what: `slowest of ${CALLS.length} calls over ${many} test results, PostgreSQL`, promise: PROMISE },
};

export async function run(): Promise<Results<typeof figures>> {
	const slowest: Partial<Record<DatabaseName, Result>> = {};
	for (const database of MEASURED) {
		const measured = await measureOn(database);
		printMeasured(`${many} results on ${database}`, measured);
		slowest[database] = slowestOf(measured);
	}
	const none: Result = { values: [0], measured: "not measured", holds: false };
	return { sqlite: slowest.SQLite ?? none, postgres: slowest.PostgreSQL ?? none };
}

async function measureOn(database: DatabaseName): Promise<Measured[]> {
	const { variables, close } = await openFilled(database, MANY, addManyResults);
	try {
		const server = await startProcess([SERVERS, "dashboard"], variables);
		try {
			const heldMs = heldBy(server);
			const measured: Measured[] = [];
			for (const [name, path] of CALLS)
				measured.push({ name, ...(await measureBeside(server, path, heldMs, PLAIN_LIST)) });
			return measured;
		} finally {
			await server.stop();
		}
	} finally {
		await close();
	}
}
