/** Three dashboards on one PostgreSQL behind the balancers whose configurations we ship, from Debian. */
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { Job } from "@tapedeck/contract/job.ts";
import type { SignInAnswer, SyncAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import {
	callsPassedOn,
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { startHaproxy } from "#test/servers/haproxy.ts";
import { type Nginx, startNginxForSeveral } from "#test/servers/nginx.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { until } from "#test/wait.ts";

const METRICS_TOKEN = "metrics_0123456789abcdef";
let dashboards: Awaited<ReturnType<typeof startDashboards>>;
let pieces: Buffer[];

beforeAll(async () => {
	pieces = readPieces(await makeVideo("recorder.mp4"));
	dashboards = await startDashboards(3, await createPostgresDatabase(), {
		TAPEDECK_TRUSTED_PROXIES: "127.0.0.1",
		TAPEDECK_DRAIN_SECONDS: "3",
		TAPEDECK_METRICS_TOKEN: METRICS_TOKEN,
	});
});
afterAll(async () => {
	await removeTestFolder();
	await dashboards?.stop();
});

const TUS = { "tus-resumable": "1.0.0" };

describe.each([
	["nginx", startNginxForSeveral],
	["HAProxy", startHaproxy],
] as const)("behind %s", (name, start) => {
	let balancer: Nginx;
	beforeAll(async () => {
		balancer = await start(dashboards.nodes.map(({ port }) => port));
		const answers = async () => (await open("GET", "/v1/health")).statusCode === 200;
		await until(() => answers().catch(() => false), "a dashboard answers through the balancer");
	});
	afterAll(() => balancer?.stop());

	/** A call on a connection of its own, so that the next one goes to another dashboard. */
	function open(method: string, path: string, options: RequestOptions & { body?: string | Buffer } = {}) {
		return new Promise<IncomingMessage>((resolve, reject) => {
			const headers = { authorization: `Bearer ${DASHBOARDS_API_KEY}`, ...options.headers };
			const target = { host: "localhost", port: balancer.port, ca: balancer.certificate, agent: false as const };
			const call = request({ ...options, ...target, method, path, headers }, resolve);
			call.on("error", reject);
			call.end(options.body);
		});
	}

	async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk as Buffer);
		return Buffer.concat(chunks);
	}

	async function json<T>(method: string, path: string, body: object, token = DASHBOARDS_API_KEY): Promise<T> {
		const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
		const text = (await bodyOf(await open(method, path, { headers, body: JSON.stringify(body) }))).toString();
		return (text === "" ? null : JSON.parse(text)) as T;
	}

	const runner = <T>(path: string, body: object) =>
		json<T>("POST", `/v1/runner/${path}`, body, DASHBOARDS_RUNNER_TOKEN);
	const keys = new Map<number, string>();
	/** Takes the jobs that wait. */
	const poll = async (sessionId: string, waitSeconds = 0) => {
		const { start } = await runner<SyncAnswer>("sync", { sessionId, jobs: [], waitSeconds });
		for (const { id, key } of start) keys.set(id, key);
		return start;
	};

	test("plain HTTP is redirected to TLS", async () => {
		const plain = await fetch(`http://127.0.0.1:${balancer.plainPort}/jobs`, { redirect: "manual" });
		expect([plain.status, plain.headers.get("location")?.slice(0, 8)]).toEqual([301, "https://"]);
	});

	async function signIn(label: string, displays: readonly string[]) {
		const session = await runner<SignInAnswer>("sign-in", {
			...{ name: `${label} ${name}`, version: "test", instanceId: `${label}-${name}` },
			displays: displays.map((id) => ({ id, width: 160, height: 120 })),
		});
		await poll(session.sessionId);
		return session;
	}

	const report = (sessionId: string, jobId: number, fields: { type: string; [name: string]: unknown }, seq: number) => {
		const at = new Date().toISOString();
		const jobs = [{ ...fields, jobId, jobKey: keys.get(jobId), seq, at }];
		return runner("reports", { sessionId, sentAt: at, clockShiftMs: 0, jobs });
	};

	function tus(
		{ sessionId, jobId }: { sessionId: string; jobId: number },
		method: string,
		path: string,
		headers: Record<string, string>,
		body?: Buffer,
	) {
		const job = { "tapedeck-session": sessionId, "tapedeck-job-key": keys.get(jobId) ?? "" };
		const credentials = { ...job, authorization: `Bearer ${DASHBOARDS_RUNNER_TOKEN}` };
		const more = body === undefined ? {} : { body };
		return open(method, path, { headers: { ...TUS, ...credentials, ...headers }, ...more });
	}

	async function createUpload(sessionId: string, jobId: number): Promise<void> {
		await report(sessionId, jobId, { type: "recording", width: 160, height: 120 }, 1);
		const created = await tus({ sessionId, jobId }, "POST", "/v1/uploads", {
			"upload-defer-length": "1",
			"upload-metadata": metadata({ jobId, filetype: "video/mp4" }),
		});
		expect([created.statusCode, created.headers.location]).toEqual([201, `/v1/uploads/job-${jobId}`]);
	}

	async function sendPiece(sessionId: string, jobId: number, piece: Buffer, headers: Record<string, string>) {
		const octets = { "content-type": "application/offset+octet-stream", "content-length": String(piece.length) };
		const sent = await tus({ sessionId, jobId }, "PATCH", `/v1/uploads/job-${jobId}`, { ...octets, ...headers }, piece);
		expect(sent.statusCode).toBe(204);
	}

	test("a job is recorded, followed live and played, whichever dashboards its requests reach", async () => {
		const { sessionId, runnerId } = await signIn("behind", [":99"]);
		const polling = poll(sessionId, 5);
		const { id } = await json<Job>("POST", "/v1/jobs", { runnerId, displayId: ":99", stopCondition: "interrupt" });
		// On a busy machine, the poll may end before there is a job. A runner polls again in this case.
		const started = (await polling)[0] ?? (await poll(sessionId, 5))[0];
		expect(started?.id).toBe(id);
		await createUpload(sessionId, id);
		let offset = 0;
		const send = async (piece: Buffer, more: Record<string, string> = {}) => {
			await sendPiece(sessionId, id, piece, { "upload-offset": String(offset), ...more });
			offset += piece.length;
		};
		const [first, ...rest] = pieces as [Buffer, ...Buffer[]];
		await send(first);
		const { recording } = await until(async () => {
			const job = JSON.parse((await bodyOf(await open("GET", `/v1/jobs/${id}`))).toString()) as Job;
			return job.recording === null ? null : job;
		}, "the recording has begun");
		const live = await open("GET", `/v1/recordings/${recording?.id}/live`);
		expect(live.statusCode).toBe(200);
		const followed = bodyOf(live);
		for (const piece of rest) await send(piece);
		expect((await tus({ sessionId, jobId: id }, "HEAD", `/v1/uploads/job-${id}`, {})).headers["upload-offset"]).toBe(
			String(offset),
		);
		await report(sessionId, id, { type: "stopped", stopReason: "duration_elapsed", verdict: "ok" }, 2);
		await send(Buffer.alloc(0), { "upload-length": String(offset) });
		expect((await followed).length).toBeGreaterThan(1_000);
		for (let round = 0; round < 3; round++) {
			const part = await open("GET", `/v1/recordings/${recording?.id}/video`, { headers: { range: "bytes=0-99" } });
			expect([part.statusCode, (await bodyOf(part)).length]).toEqual([206, 100]);
		}
	});

	test("the calls of a runner's uploads all reach the dashboard that has their files", async () => {
		const displays = Array.from({ length: 9 }, (_, index) => `:${index + 1}`);
		const { sessionId, runnerId } = await signIn("uploads behind", displays);
		const ids: number[] = [];
		for (const displayId of displays) {
			const { id } = await json<Job>("POST", "/v1/jobs", { runnerId, displayId, stopCondition: "interrupt" });
			ids.push(id);
		}
		const started = async () => (await poll(sessionId)).length === ids.length;
		await until(started, "the runner has its jobs");
		const passedOn = () => callsPassedOn(dashboards.nodes, METRICS_TOKEN);
		const before = await passedOn();
		for (const id of ids) {
			await createUpload(sessionId, id);
			await sendPiece(sessionId, id, pieces[0] as Buffer, { "upload-offset": "0" });
		}
		expect(await passedOn()).toBe(before);
	});

	test("no call notices that a dashboard is restarted", async () => {
		const restarted = new AbortController();
		const answers = new Set<string>();
		const callAgain = async () => {
			while (!restarted.signal.aborted) {
				const answer = await open("GET", "/v1/jobs");
				const body = JSON.parse((await bodyOf(answer)).toString()) as { detail?: string };
				answers.add(`${answer.statusCode} ${body.detail ?? ""}`);
			}
		};
		const callers = Array.from({ length: 4 }, callAgain);
		const [node] = dashboards.nodes;
		await node?.stop();
		await node?.start();
		restarted.abort();
		await Promise.all(callers);
		expect([...answers]).toEqual(["200 "]);
	});
});
