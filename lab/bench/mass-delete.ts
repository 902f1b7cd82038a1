/**
 * Retention deletes many recordings with their files in the background: what other calls take meanwhile, against the
 * same calls before it in the same run, on SQLite and PostgreSQL. Also how soon a dashboard with so many files starts.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Retention } from "@tapedeck/contract/organization.ts";
import { runSql } from "#test/databases/database.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/databases/own-postgres.ts";
import { addEndedJobs } from "./ended-jobs.ts";
import { type Figure, ms, p50p99, percentile, type Result, type Results } from "./figures.ts";
import { QUICK } from "./samples.ts";
import { heldBy, type ServerProcess, startProcess } from "./server-process.ts";

const RECORDINGS = Number(process.env.BENCH_RECORDINGS ?? (QUICK ? 1_000 : 100_000));
const WITHOUT_MS = QUICK ? 1_000 : 20_000;
/** Each kind of call begins that often, unless its last one takes longer. */
const CALL_EVERY_MS = 20;
/** As often as the settings page reads how many are left. */
const PROGRESS_EVERY_MS = 2_000;
const PROMISED_GROWTH_MS = 20;
const PROMISED_START_MS = 5_000;

const SERVERS = join(import.meta.dirname, "servers.ts");
const TOKEN = "tdk_bench_0123456789abcdef";
const RUNNER_TOKEN = "tdr_bench_0123456789abcdef";
/** What a dashboard on PostgreSQL must be given. */
const SHARED = { TAPEDECK_SECRET_KEY: "5e".repeat(32), TAPEDECK_URL: "http://tapedeck.test" };
const AGE_DAYS = 20;
/** A recording's files: the video, its poster, its storyboard and its upload's record. */
const ENDINGS = ["", ".jpg", ".frames", ".json"];

type Place = Parameters<typeof runSql>[0];

const all = RECORDINGS.toLocaleString("en");
const callsFigure = (database: string): Figure => ({
	what: `slowest of five calls while retention deletes ${all} recordings, ${database}`,
	promise: `p99 grows ≤ ${PROMISED_GROWTH_MS} ms`,
});
const DELETED: Figure = { what: "the same: recordings deleted a second, with their files", promise: "none left" };

export const figures = {
	calls: callsFigure("SQLite"),
	deleted: DELETED,
	postgresCalls: callsFigure("PostgreSQL"),
	postgresDeleted: DELETED,
	start: {
		what: `start with ${all} recordings and ${ENDINGS.length} files of each`,
		promise: `≤ ${PROMISED_START_MS / 1000} s`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const sqlite = await measureOn(null);
	const postgres = await startOwnPostgres();
	try {
		const { calls, deleted } = await measureOn(postgres);
		return { ...sqlite, postgresCalls: calls, postgresDeleted: deleted };
	} finally {
		await postgres.stop();
	}
}

type Measured = { calls: Result; deleted: Result; start: Result };

/** @param postgres instead of SQLite. */
async function measureOn(postgres: OwnPostgres | null): Promise<Measured> {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const place: Place = { dataDir, databaseUrl: postgres?.url };
	const variables = {
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_BOOTSTRAP_API_KEY: TOKEN,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: RUNNER_TOKEN,
		BENCH_SWEEP_MS: "500",
		...(postgres === null ? {} : { TAPEDECK_DATABASE_URL: postgres.url, ...SHARED }),
	};
	let server: ServerProcess | undefined;
	try {
		// Once for the tables, then filled from outside while nobody holds it.
		await (await startProcess([SERVERS, "dashboard"], variables)).stop();
		await addRecordings(place);
		const startedAt = performance.now();
		server = await startProcess([SERVERS, "dashboard"], variables);
		await call(server, "GET", "/v1/jobs");
		const startMs = performance.now() - startedAt;
		return { ...(await measure(server, place)), start: startOf(startMs) };
	} finally {
		await server?.stop();
		await rm(dataDir, { recursive: true, force: true });
	}
}

async function addRecordings(place: Place): Promise<void> {
	await addEndedJobs(place, RECORDINGS, { recordings: true, endedDaysAgo: AGE_DAYS });
	// Without a trash: what is measured is the removal of files, too.
	await runSql(place, `insert into retention ("organizationId", "trashHours") values (1, 0)`);
	const videos = join(place.dataDir, "videos");
	mkdirSync(videos, { recursive: true });
	for (let id = 1; id <= RECORDINGS; id += 1) {
		for (const ending of ENDINGS) writeFileSync(join(videos, `job-${id}${ending}`), "0123456789");
	}
}

async function measure(server: ServerProcess, place: Place): Promise<Omit<Measured, "start">> {
	const calls = await callsOf(server);
	const held = heldBy(server);
	// The first calls compile and read pages from the disk.
	await during(sleep(WITHOUT_MS / 5), calls);
	await held();
	const without = await during(sleep(WITHOUT_MS), calls);
	const heldWithout = await held();
	await runSql(place, `update retention set "maxAgeDays" = ${AGE_DAYS / 2}`);
	const from = performance.now();
	const meanwhile = await during(deleted(server), calls);
	const seconds = (performance.now() - from) / 1_000;
	const heldMeanwhile = await held();
	const grown = [...without].map(([name, before]) => {
		const after = meanwhile.get(name) ?? [];
		console.log(`    ${name.padEnd(20)} ${p50p99(before)}; meanwhile ${p50p99(after)}`);
		return { name, before, after, by: percentile(after, 0.99) - percentile(before, 0.99) };
	});
	console.log(`    event loop held ${ms(heldWithout)}; meanwhile ${ms(heldMeanwhile)}`);
	const worst = grown.reduce((a, b) => (a.by >= b.by ? a : b));
	const files = (await readdir(join(place.dataDir, "videos"))).length;
	return {
		calls: {
			values: [percentile(worst.after, 0.99), percentile(worst.before, 0.99)],
			measured: `${p50p99(worst.after)} (${worst.name}); event loop held ${ms(heldMeanwhile)} at most`,
			against: `${p50p99(worst.before)} without, ${ms(heldWithout)}`,
			holds: worst.by <= PROMISED_GROWTH_MS,
		},
		deleted: {
			values: [RECORDINGS / seconds, files],
			measured: `${Math.round(RECORDINGS / seconds)} a second; ${files} files left`,
			holds: files === 0,
		},
	};
}

const startOf = (startMs: number) => ({
	values: [startMs],
	measured: ms(startMs),
	holds: startMs <= PROMISED_START_MS,
});

/** Resolves when retention has nothing left to delete, which it asks for as the settings page does. */
async function deleted(server: ServerProcess): Promise<void> {
	for (;;) {
		const { storedRecordings } = (await call(server, "GET", "/v1/retention")) as Retention;
		if (storedRecordings === 0) return;
		await sleep(QUICK ? 100 : PROGRESS_EVERY_MS);
	}
}

type Call = () => Promise<unknown>;

async function callsOf(server: ServerProcess): Promise<Map<string, Call>> {
	const asRunner = { token: RUNNER_TOKEN };
	const runner = {
		name: "idle",
		version: "bench",
		instanceId: "idle runner",
		displays: [{ id: ":99", width: 640, height: 360 }],
	};
	const { sessionId } = (await call(server, "POST", "/v1/runner/sign-in", runner, asRunner)) as { sessionId: string };
	const job = {
		runnerId: 1,
		displayId: ":99",
		name: "bench",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 5 },
	};
	const poll = { sessionId, jobs: [], waitSeconds: 0 };
	return new Map<string, Call>([
		["list jobs", () => call(server, "GET", "/v1/jobs")],
		["list recordings", () => call(server, "GET", "/v1/recordings")],
		["get a job", () => call(server, "GET", `/v1/jobs/${RECORDINGS}`)],
		["create a job", () => call(server, "POST", "/v1/jobs", job)],
		["a runner's poll", () => call(server, "POST", "/v1/runner/sync", poll, asRunner)],
	]);
}

/** Makes the calls until `ends` resolves. @returns how long each took, by the call's name. */
async function during(ends: Promise<unknown>, calls: ReadonlyMap<string, Call>): Promise<Map<string, number[]>> {
	let isOver = false;
	const over = ends.finally(() => {
		isOver = true;
	});
	const taken = await Promise.all(
		[...calls].map(async ([name, make]): Promise<[string, number[]]> => {
			const values: number[] = [];
			do {
				const from = performance.now();
				await make();
				const took = performance.now() - from;
				values.push(took);
				await sleep(Math.max(1, CALL_EVERY_MS - took));
			} while (!isOver);
			return [name, values];
		}),
	);
	await over;
	return new Map(taken);
}

const agent = new Agent({ keepAlive: true });

function call(
	{ port }: ServerProcess,
	method: string,
	path: string,
	body?: unknown,
	{ token = TOKEN }: { token?: string } = {},
): Promise<unknown> {
	const { promise, resolve, reject } = Promise.withResolvers<unknown>();
	const text = body === undefined ? "" : JSON.stringify(body);
	const headers = {
		authorization: `Bearer ${token}`,
		...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
	};
	const req = request({ host: "127.0.0.1", port, method, path, headers, agent }, (res) => {
		const chunks: Buffer[] = [];
		res.on("data", (chunk: Buffer) => chunks.push(chunk));
		res.on("error", reject);
		res.on("end", () => {
			const answer = Buffer.concat(chunks).toString();
			if ((res.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path} answered ${res.statusCode}: ${answer}`));
			else resolve(answer === "" ? null : JSON.parse(answer));
		});
	});
	req.on("error", reject);
	req.end(text);
	return promise;
}
