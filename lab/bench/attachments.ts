/** A test run of 5,000 results with 500 attachments of 1 MB, stored while other callers list results and jobs. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Tapedeck, type TestResult } from "@tapedeck/client-source/index.ts";
import { ms, percentile, type Results } from "./figures.ts";
import { openFilled, TOKEN } from "./filled-database.ts";
import type { OtherCalls } from "./other-calls.ts";
import { cpuSeconds } from "./processes.ts";
import { samples } from "./samples.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
const JOBS = 1_000;
const RESULTS = samples(5_000);
const ATTACHMENTS = samples(500);
const CONTENT = randomBytes(1_000_000);
/** The reporters send so many at a time. */
const SENT_AT_ONCE = 2;
const REPORTED_AT_ONCE = 100;
/** Other calls, one after the other, with a pause. */
const OTHER_CALLS = ["/v1/jobs", "/v1/tests", "/v1/test-runs"];
const PAUSE_MS = 10;
const BASELINE_MS = 10_000;
const PROMISED = { seconds: 60, ratio: 2 };

const what = `${RESULTS.toLocaleString("en")} results with ${ATTACHMENTS} attachments of 1 MB in one run, SQLite`;
export const figures = {
	stored: { what: `${what}: until all are stored`, promise: `≤ ${PROMISED.seconds} s` },
	others: { what: "the same: p99 of other calls, against that before", promise: `≤ ${PROMISED.ratio} times` },
};

export async function run(): Promise<Results<typeof figures>> {
	const { variables, close } = await openFilled("SQLite", JOBS);
	const server = await startProcess([SERVERS, "dashboard"], variables);
	try {
		// Lists of a run before, so that the calls have as much to answer without the load as with it.
		await store(server, { build: "attachments 0", attachments: 0 });
		const before = await callWhile(server, sleep(BASELINE_MS));
		const began = performance.now();
		const usedBefore = cpuSeconds(server.pid);
		const storing = store(server, { build: "attachments 1", attachments: ATTACHMENTS });
		const meanwhile = await callWhile(server, storing);
		const seconds = (performance.now() - began) / 1_000;
		await storing;
		const used = cpuSeconds(server.pid) - usedBefore;
		const [p99, p99Before] = [percentile(meanwhile, 0.99), percentile(before, 0.99)];
		const ratio = p99 / p99Before;
		return {
			stored: {
				...{
					values: [seconds],
					measured: `${seconds.toFixed(1)} s, ${used.toFixed(1)} s of CPU time of the dashboard`,
				},
				holds: seconds <= PROMISED.seconds,
			},
			others: {
				...{ values: [ratio], measured: `${ratio.toFixed(2)} times (${ms(p99)} of ${meanwhile.length} calls)` },
				...{ against: `${ms(p99Before)} of ${before.length}`, holds: ratio <= PROMISED.ratio },
			},
		};
	} finally {
		await server.stop();
		await close();
	}
}

/** Reports results and sends their files at the same time, as reporters do. */
async function store({ port }: ServerProcess, wanted: { build: string; attachments: number }): Promise<void> {
	const client = new Tapedeck({ url: `http://127.0.0.1:${port}`, apiKey: TOKEN });
	const run = await client.testRuns.create({ labels: { build: wanted.build } });
	const stored: TestResult[] = [];
	const every = RESULTS / Math.max(1, wanted.attachments);
	let isReported = false;
	const send = async (place: number): Promise<void> => {
		for (let index = place; index < wanted.attachments; index += SENT_AT_ONCE) {
			const at = Math.floor(index * every);
			while (stored[at] === undefined && !isReported) await sleep(PAUSE_MS);
			await client.tests.addAttachment(stored[at]?.id ?? 0, { name: "trace.zip", content: CONTENT });
		}
	};
	const report = async (): Promise<void> => {
		for (let index = 0; index < RESULTS; index += REPORTED_AT_ONCE) {
			const tests = Array.from({ length: Math.min(REPORTED_AT_ONCE, RESULTS - index) }, (_, at) => ({
				...{ key: `${index + at}`, test: `Shop › test ${index + at}`, outcome: "passed" as const },
			}));
			stored.push(...(await client.testRuns.addTests(run.id, tests)));
		}
		isReported = true;
	};
	await Promise.all([report(), ...Array.from({ length: SENT_AT_ONCE }, (_, place) => send(place))]);
	await client.testRuns.end(run.id, { outcome: "passed" });
}

/** @returns how many milliseconds each other call took, until `work` is done. */
async function callWhile({ port }: ServerProcess, work: Promise<unknown>): Promise<number[]> {
	const workerData: OtherCalls = { port, token: TOKEN, paths: OTHER_CALLS, pauseMs: PAUSE_MS };
	const thread = new Worker(new URL("other-calls.ts", import.meta.url), { workerData });
	const answered = once(thread, "message");
	await Promise.race([work, answered]);
	thread.postMessage("end");
	return (await answered)[0];
}
