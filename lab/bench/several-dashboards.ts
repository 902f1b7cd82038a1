/**
 * Two dashboards on one PostgreSQL, each a process: measures the time until a change at one reaches a runner, a page or
 * a script at the other.
 */
import { Agent, request } from "node:http";
import type { Job } from "@tapedeck/contract/job.ts";
import type { SignInAnswer, SyncAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/databases/own-postgres.ts";
import {
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	type DashboardProcess,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { type Figure, p99Under, type Results } from "./figures.ts";
import { samples } from "./samples.ts";

const JOBS = samples(300);
const PROMISED = { start: 300, cancel: 250, page: 1_000, waitFor: 1_000 };
const POLL_SECONDS = 5;

export const figures = {
	start: {
		what: "two dashboards: `POST /v1/jobs` at one to the job in a runner's poll at the other",
		promise: `p99 < ${PROMISED.start} ms`,
	},
	cancel: {
		what: "the same: `POST …/cancel` at one to the cancel in the poll at the other",
		promise: `p99 < ${PROMISED.cancel} ms`,
	},
	page: {
		what: "the same: `POST /v1/jobs` at one to the event on a page at the other",
		promise: `p99 < ${PROMISED.page} ms`,
	},
	waitFor: {
		what: "the same: a job's end at one to the answer of `waitFor=ended` at the other",
		promise: `p99 < ${PROMISED.waitFor} ms`,
	},
} satisfies Record<string, Figure>;

export async function run(): Promise<Results<typeof figures>> {
	const postgres: OwnPostgres = await startOwnPostgres();
	const dashboards = await startDashboards(2, postgres.url, { TAPEDECK_LIMIT_QUEUED_JOBS: "0" }).catch(
		async (error: unknown) => {
			await postgres.stop();
			throw error;
		},
	);
	try {
		const [here, there] = dashboards.nodes as [DashboardProcess, DashboardProcess];
		const { start, cancel } = await measureRunner(here, there);
		return {
			start: p99Under(PROMISED.start, start),
			cancel: p99Under(PROMISED.cancel, cancel),
			page: p99Under(PROMISED.page, await measurePage(here, there)),
			waitFor: p99Under(PROMISED.waitFor, await measureWaitFor(here, there)),
		};
	} finally {
		await dashboards.stop();
		await postgres.stop();
	}
}

const JOB = { displayId: ":99", stopCondition: "interrupt" } as const;

async function measureRunner(here: DashboardProcess, there: DashboardProcess) {
	const { sessionId, runnerId } = await signIn(there, "polls");
	const sync = (jobs: SyncBodyJob[]) =>
		callRunner<SyncAnswer>(there, "sync", { sessionId, jobs, waitSeconds: POLL_SECONDS });
	await callRunner(there, "sync", { sessionId, jobs: [], waitSeconds: 0 });
	const start: number[] = [];
	const cancel: number[] = [];
	for (let index = 0; index < JOBS; index += 1) {
		const polling = sync([]);
		// The poll waits by the time of the call, as it nearly always does.
		await opened(polling);
		const createdAt = performance.now();
		const { id } = await here.api.createJob({ ...JOB, runnerId });
		const [started] = (await polling).start;
		if (started?.id !== id) throw new Error("the poll brought another job");
		const { key } = started;
		start.push(performance.now() - createdAt);
		const at = new Date().toISOString();
		const report = (fields: object, seq: number) => ({ ...fields, jobId: id, jobKey: key, seq, at });
		const reports = (jobs: object[]) => callRunner(there, "reports", { sessionId, sentAt: at, clockShiftMs: 0, jobs });
		await reports([report({ type: "recording", width: 640, height: 360 }, 1)]);
		const listening = sync([{ id, key, cancelSeen: false }]);
		await opened(listening);
		const cancelledAt = performance.now();
		await here.api.cancelJob(id);
		if ((await listening).cancel[0] !== id) throw new Error("the poll brought no cancel");
		cancel.push(performance.now() - cancelledAt);
		await reports([report({ type: "failed", code: "ffmpeg_failed", message: "The bench ends it." }, 2)]);
	}
	return { start, cancel };
}

type SyncBodyJob = { id: number; key: string; cancelSeen: boolean };

/** A moment in which the poll reaches the dashboard and finds nothing. */
const opened = async (polling: Promise<SyncAnswer>): Promise<void> => {
	await Promise.race([polling, new Promise((resolve) => setTimeout(resolve, 20))]);
};

async function measurePage(here: DashboardProcess, there: DashboardProcess): Promise<number[]> {
	const { runnerId } = await signIn(here, "watched");
	const ended = new AbortController();
	const stream = await fetch(`${there.url}/v1/events`, {
		headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}` },
		signal: ended.signal,
	});
	const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
	const decoder = new TextDecoder();
	let text = "";
	const values: number[] = [];
	for (let index = 0; index < JOBS; index += 1) {
		const createdAt = performance.now();
		const { id } = await here.api.createJob({ ...JOB, runnerId });
		while (!text.includes(`"id":${id},`)) {
			const { value, done } = await reader.read();
			if (done) throw new Error("the event stream ended");
			text = text.slice(-20_000) + decoder.decode(value, { stream: true });
		}
		values.push(performance.now() - createdAt);
	}
	ended.abort();
	return values;
}

async function measureWaitFor(here: DashboardProcess, there: DashboardProcess): Promise<number[]> {
	const { runnerId } = await signIn(here, "waited for");
	const values: number[] = [];
	for (let index = 0; index < JOBS; index += 1) {
		const { id } = await here.api.createJob({ ...JOB, runnerId });
		const waiting = there.api.call<Job>("GET", `/v1/jobs/${id}?waitFor=ended&timeoutSeconds=30`);
		await new Promise((resolve) => setTimeout(resolve, 20));
		const cancelledAt = performance.now();
		await here.api.cancelJob(id);
		if ((await waiting).status !== "cancelled") throw new Error("the job did not end");
		values.push(performance.now() - cancelledAt);
	}
	return values;
}

const signIn = (node: DashboardProcess, name: string): Promise<SignInAnswer> =>
	callRunner(node, "sign-in", {
		...{ name, version: "bench", instanceId: `instance-of-${name.replaceAll(" ", "-")}` },
		displays: [{ id: ":99", width: 640, height: 360 }],
	});

const agent = new Agent({ keepAlive: true });

function callRunner<T>(node: DashboardProcess, path: string, body: object): Promise<T> {
	return new Promise((resolve, reject) => {
		const call = request(`${node.url}/v1/runner/${path}`, {
			agent,
			method: "POST",
			headers: { authorization: `Bearer ${DASHBOARDS_RUNNER_TOKEN}`, "content-type": "application/json" },
		});
		call.on("error", reject);
		call.on("response", async (answer) => {
			const text = (await answer.setEncoding("utf8").toArray()).join("");
			if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${path}: ${answer.statusCode} ${text}`));
			else resolve((text === "" ? null : JSON.parse(text)) as T);
		});
		call.end(JSON.stringify(body));
	});
}
