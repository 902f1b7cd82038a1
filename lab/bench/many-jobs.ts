/**
 * Lists, filters, search and counters of many jobs, on SQLite and PostgreSQL: each call against a plain list in the
 * same run, and the time for which it blocked the event loop.
 */
import { join } from "node:path";
import { cursorAfter } from "#lib/core/cursor.ts";
import { type Measured, measureBeside, PROMISE, printMeasured, slowestOf, timeOf } from "./beside-plain-list.ts";
import { ms, type Result, type Results } from "./figures.ts";
import { DATABASES, type DatabaseName, openFilled } from "./filled-database.ts";
import { RARE_NAME, RARE_RUNNER } from "./many-rows.ts";
import { QUICK } from "./samples.ts";
import { heldBy, startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
/** More or fewer rows while developing: BENCH_JOBS=3000000. */
const SIZES =
	process.env.BENCH_JOBS?.split(",").map(Number) ?? (QUICK ? [1_000, 100_000] : [1_000, 1_000_000, 10_000_000]);
const MANY = SIZES.at(-1) ?? 0;
const PROMISED_HELD_MS = 20;
const PROMISED_START_MS = 5_000;

const many = MANY.toLocaleString("en");
export const figures = {
	sqlite: {
		what: `slowest of ${callsOf(MANY).length} calls over ${many} jobs, SQLite`,
		promise: PROMISE,
	},
	postgres: {
		what: `slowest of ${callsOf(MANY).length} calls over ${many} jobs, PostgreSQL`,
		promise: PROMISE,
	},
	held: { what: `longest the event loop is held by any of them`, promise: `≤ ${PROMISED_HELD_MS} ms` },
	start: { what: `start with ${many} jobs`, promise: `≤ ${PROMISED_START_MS / 1000} s` },
};

/** The measured calls, by name. */
function callsOf(jobs: number): [name: string, path: string][] {
	const at = (part: number) => new Date(Date.now() - jobs * (1 - part) * 1000).toISOString();
	const deep = `cursor=${cursorAfter(Math.ceil(jobs / 2))}`;
	return [
		["jobs, deep page", `/v1/jobs?${deep}`],
		["status=completed", "/v1/jobs?status=completed"],
		["status=queued", "/v1/jobs?status=queued"],
		["two statuses, deep", `/v1/jobs?status=cancelled&status=failed&${deep}`],
		["rare runner", `/v1/jobs?runnerId=${RARE_RUNNER}`],
		["runner, status, condition", "/v1/jobs?runnerId=7&status=failed&stopCondition=selenium_idle"],
		["runner, queued, no match", `/v1/jobs?runnerId=${RARE_RUNNER}&status=queued`],
		["created before, old", `/v1/jobs?createdBefore=${at(0.1)}`],
		["created between, failed", `/v1/jobs?createdAfter=${at(0.5)}&createdBefore=${at(0.500_1)}&status=failed`],
		["created after, none", `/v1/jobs?createdAfter=${new Date(Date.now() + 3_600_000).toISOString()}`],
		["q, many", "/v1/jobs?q=checkout"],
		["q, many, deep", `/v1/jobs?q=checkout&${deep}`],
		["q, one", `/v1/jobs?q=${RARE_NAME}`],
		["q, none", "/v1/jobs?q=does-not-occur"],
		["q, two characters", "/v1/jobs?q=zz"],
		["q, queued", "/v1/jobs?q=checkout&status=queued"],
		["q none, runner, old", `/v1/jobs?q=does-not-occur&runnerId=7&createdBefore=${at(0.5)}`],
		["recordings", "/v1/recordings"],
		["recordings by size, partial", "/v1/recordings?sort=bytes&state=partial"],
		["verdict=black", "/v1/recordings?verdict=black"],
		["verdict=black by length, old", `/v1/recordings?verdict=black&sort=durationSeconds&order=asc`],
		["recordings, q none", "/v1/recordings?q=does-not-occur"],
		["recordings of a runner, old", `/v1/recordings?runnerId=7&createdBefore=${at(0.5)}`],
		["recordings, q one", `/v1/recordings?q=${RARE_NAME}`],
		["retention", "/v1/retention"],
		["storage", "/v1/storage"],
		["metrics", "/metrics"],
	];
}

export async function run(): Promise<Results<typeof figures>> {
	const slowest: Partial<Record<DatabaseName, Result>> = {};
	const starts: number[] = [];
	let held: Measured & { where: string } = { name: "", where: "", callMs: 0, listMs: 0, heldMs: 0 };
	for (const database of DATABASES) {
		for (const jobs of SIZES) {
			const { measured, startMs } = await measureOn(database, jobs);
			printMeasured(`${jobs.toLocaleString("en")} jobs on ${database}`, measured);
			if (jobs !== MANY) continue;
			starts.push(startMs);
			slowest[database] = slowestOf(measured);
			for (const one of measured) if (one.heldMs > held.heldMs) held = { ...one, where: database };
		}
	}
	return {
		sqlite: slowest.SQLite as Result,
		postgres: slowest.PostgreSQL as Result,
		held: {
			values: [held.heldMs],
			measured: `${ms(held.heldMs)} (${held.name}, ${held.where})`,
			holds: held.heldMs <= PROMISED_HELD_MS,
		},
		start: {
			values: starts,
			measured: DATABASES.map((name, at) => `${ms(starts[at] ?? 0)} ${name}`).join(", "),
			holds: starts.every((value) => value <= PROMISED_START_MS),
		},
	};
}

async function measureOn(database: DatabaseName, jobs: number): Promise<{ measured: Measured[]; startMs: number }> {
	const { variables, close } = await openFilled(database, jobs);
	try {
		const startedAt = performance.now();
		const server = await startProcess([SERVERS, "dashboard"], variables);
		try {
			const startMs = (await timeOf(server, "/v1/jobs")) + performance.now() - startedAt;
			const heldMs = heldBy(server);
			const measured: Measured[] = [];
			for (const [name, path] of callsOf(jobs)) measured.push({ name, ...(await measureBeside(server, path, heldMs)) });
			return { measured, startMs };
		} finally {
			await server.stop();
		}
	} finally {
		await close();
	}
}
