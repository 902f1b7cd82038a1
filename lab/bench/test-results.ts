/**
 * Lists, histories, groups and counts of many test results, on SQLite and PostgreSQL: each call beside a plain list of the same
 * run, and how long the event loop was held meanwhile; and how long a large run takes to report while others record.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Measured, measureBeside, PROMISE, printMeasured, slowestOf } from "./beside-plain-list.ts";
import { ms, type Result, type Results } from "./figures.ts";
import { DATABASES, type DatabaseName, openFilled, RUNNER_TOKEN, TOKEN } from "./filled-database.ts";
import { makePieces, startLoad } from "./fleet-process.ts";
import { RARE_WORD } from "./many-rows.ts";
import { QUICK, samples } from "./samples.ts";
import { heldBy, type ServerProcess, startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
/** Other numbers while developing: BENCH_RESULTS=1000000. */
const RESULTS = Number(process.env.BENCH_RESULTS ?? (QUICK ? 100_000 : 10_000_000));
/** Each has the results of a build. */
const JOBS = QUICK ? 200 : 2_000;
const PROMISED_HELD_MS = 20;
const RUN = 5_000;
const STEPS = 10;
const PROMISED_RUN_SECONDS = 10;
const MAX_BODY = 900_000;
const RECORDING = samples(60);
/** The recordings last for as long as anything is reported. */
const VIDEO_SECONDS = QUICK ? 20 : 60;
/** Two jobs, so that each run is new. */
const [JOB_ALONE, JOB_BESIDE] = [9, 10];

const many = RESULTS.toLocaleString("en");
export const figures = {
	sqlite: { what: `slowest call over ${many} test results, SQLite`, promise: PROMISE },
	postgres: { what: `slowest call over ${many} test results, PostgreSQL`, promise: PROMISE },
	held: { what: "longest the event loop is held by any of them", promise: `≤ ${PROMISED_HELD_MS} ms` },
	run: {
		what: `report of ${RUN.toLocaleString("en")} tests with ${STEPS} steps each beside ${RECORDING} live recordings`,
		promise: `≤ ${PROMISED_RUN_SECONDS} s, and no call of a runner fails`,
	},
};

const q = (text: string): string => `q=${encodeURIComponent(text)}`;
const CALLS: [name: string, path: string][] = [
	["results", "/v1/tests"],
	["of a job", "/v1/tests?jobId=7"],
	["build", `/v1/tests?${q("build:b7")}`],
	["build, failed", `/v1/tests?${q("build:b7 outcome:failed")}`],
	["last of a build", "/v1/tests?lastOfBuild=b7"],
	["last of a build, failed", `/v1/tests?lastOfBuild=b7&${q("outcome:failed")}`],
	["failed", `/v1/tests?${q("outcome:failed")}`],
	["test", `/v1/tests?${q('test:"Suite 7 › test 1007"')}`],
	["flaky", `/v1/tests?${q("flaky:yes")}`],
	["new", `/v1/tests?${q("new:yes")}`],
	["new, branch", `/v1/tests?${q("new:yes branch:main")}`],
	["cause", `/v1/tests?${q("cause:cause-3")}`],
	["message", `/v1/tests?${q("outcome:failed message:row")}`],
	["word, many", `/v1/tests?${q("suite")}`],
	["word, one", `/v1/tests?${q(RARE_WORD)}`],
	["word, none", `/v1/tests?${q("does-not-occur")}`],
	["history", "/v1/test-history?testId=1007"],
	["history of a branch", "/v1/test-history?testId=1007&branch=main"],
	["failures by cause", "/v1/test-failures"],
	["failures by test", "/v1/test-failures?by=test"],
	["failures by screen", "/v1/test-failures?by=screen"],
	["report of a build", "/v1/builds/b7/report"],
	["builds", "/v1/builds"],
	["builds of a branch", `/v1/builds?${q("branch:main")}`],
	["failures of a build", `/v1/test-failures?${q("build:b7")}`],
];

export async function run(): Promise<Results<typeof figures>> {
	const slowest: Partial<Record<DatabaseName, Result>> = {};
	const runs: { alone: number; beside: number; failures: number }[] = [];
	let held: Measured & { where: string } = { name: "", where: "", callMs: 0, listMs: 0, heldMs: 0 };
	for (const database of DATABASES) {
		const { variables, close } = await openFilled(database, JOBS, { labelled: true, results: RESULTS });
		const server = await startProcess([SERVERS, "dashboard"], variables);
		try {
			const heldMs = heldBy(server);
			const measured: Measured[] = [];
			for (const [name, path] of CALLS) {
				measured.push({ name, ...(await measureBeside(server, { path, plain: "/v1/jobs" }, heldMs)) });
			}
			printMeasured(`${many} test results on ${database}`, measured);
			slowest[database] = slowestOf(measured);
			for (const one of measured) if (one.heldMs > held.heldMs) held = { ...one, where: database };
			runs.push({ alone: await reportRun(server, JOB_ALONE), ...(await reportBesideRecordings(server)) });
		} finally {
			await server.stop();
			await close();
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
		run: {
			values: runs.flatMap(({ beside, alone, failures }) => [beside, alone, failures]),
			measured: `${ofEach(runs.map(({ beside }) => beside))}; ${runs.map(({ failures }) => failures).join(" and ")} calls of runners failed`,
			against: `${ofEach(runs.map(({ alone }) => alone))} without recordings`,
			holds: runs.every(({ beside, failures }) => beside <= PROMISED_RUN_SECONDS * 1_000 && failures === 0),
		},
	};
}

/** @param durations in milliseconds. */
const ofEach = (durations: readonly number[]): string =>
	DATABASES.map((name, at) => `${((durations[at] ?? 0) / 1_000).toFixed(1)} s ${name}`).join(", ");

/** While simulated runners record and upload. @returns milliseconds, and how many of the runners' calls failed. */
async function reportBesideRecordings(server: ServerProcess): Promise<{ beside: number; failures: number }> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const pieces = join(folder, "pieces.mp4");
	await makePieces(pieces, VIDEO_SECONDS);
	const load = startLoad({ port: server.port, runnerToken: RUNNER_TOKEN, apiKey: TOKEN, pieces });
	try {
		await load.ask("runners", { count: RECORDING });
		await load.ask("record", { count: RECORDING });
		const [beside, { pieces: confirmed, failures }] = await Promise.all([
			reportRun(server, JOB_BESIDE),
			load.ask("measure", { ms: PROMISED_RUN_SECONDS * 1_000 }),
		]);
		if (confirmed === 0) throw new Error("nothing was recorded while the run was reported");
		return { beside, failures: failures.length };
	} finally {
		await load.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Reports a run as a reporter does, in calls of at most 1 MiB. @returns milliseconds. */
async function reportRun({ port }: ServerProcess, jobId: number): Promise<number> {
	const at = Date.now() - RUN * 1_000;
	const time = (index: number, seconds: number) => new Date(at + index * 1_000 + seconds * 100).toISOString();
	const results = Array.from({ length: RUN }, (_, index) => ({
		...{ key: `run ${index}`, test: `Suite ${index % 100} › test ${index}`, suite: `Suite ${index % 100}` },
		...{ file: `tests/suite-${index % 100}.spec.ts`, line: index, project: "chromium", attempt: 1 },
		...{ outcome: index % 50 === 0 ? "failed" : "passed", startedAt: time(index, 0), endedAt: time(index, 9) },
		...(index % 50 === 0 ? { message: `Error: expected ${index} rows, got ${index % 7}` } : {}),
		steps: Array.from({ length: STEPS }, (_, step) => ({
			...{ title: `step ${step} of the test`, category: "test.step", outcome: "passed" },
			...{ startedAt: time(index, step / 2), durationSeconds: 0.04 },
		})),
	}));
	const startedAt = performance.now();
	for (let from = 0; from < RUN; ) {
		let size = 0;
		let to = from;
		for (; to < RUN && to - from < 1_000; to += 1) {
			size += JSON.stringify(results[to]).length + 1;
			if (size > MAX_BODY) break;
		}
		const answer = await fetch(`http://127.0.0.1:${port}/v1/jobs/${jobId}/tests`, {
			method: "POST",
			headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
			body: JSON.stringify(results.slice(from, to)),
		});
		await answer.text();
		if (answer.status !== 201) throw new Error(`the results were answered ${answer.status}`);
		from = to;
	}
	return performance.now() - startedAt;
}
