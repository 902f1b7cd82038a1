/** Three dashboards on one PostgreSQL behind the balancers whose configurations we ship, from Debian. */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { SimulatedRunner, succeeded } from "#test/runners/simulated-runner.ts";
import {
	callsPassedOn,
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { startHaproxy } from "#test/servers/haproxy.ts";
import { type Nginx, startNginxForSeveral } from "#test/servers/nginx.ts";
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

/** A runner whose every call has a connection of its own, so that the next one goes to another dashboard. */
class BalancedRunner extends SimulatedRunner {
	protected override readonly agent: Agent;

	constructor(balancer: Nginx, name: string, displays: readonly string[]) {
		const url = `https://localhost:${balancer.port}`;
		const sized = displays.map((id) => ({ id, width: 160, height: 120 }));
		super({ url, runnerToken: DASHBOARDS_RUNNER_TOKEN }, name, sized);
		this.agent = new Agent({ ca: balancer.certificate });
	}

	async startUpload(id: number): Promise<void> {
		await this.report(id, { type: "recording", width: 160, height: 120 });
		const created = succeeded("The upload's creation", await this.upload("POST", { id }));
		expect([created.status, created.headers.location]).toEqual([201, `/v1/uploads/job-${id}`]);
	}

	async send(id: number, offset: number, piece: Buffer, headers: Record<string, string> = {}): Promise<void> {
		const sent = await this.upload("PATCH", { id }, { "upload-offset": String(offset), ...headers }, piece);
		expect(sent.status).toBe(204);
	}
}

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

	async function createJob(runnerId: number, displayId: string): Promise<Job> {
		const body = JSON.stringify({ runnerId, displayId, stopCondition: "interrupt" });
		const created = await open("POST", "/v1/jobs", { headers: { "content-type": "application/json" }, body });
		return JSON.parse((await bodyOf(created)).toString()) as Job;
	}

	test("plain HTTP is redirected to TLS", async () => {
		const plain = await fetch(`http://127.0.0.1:${balancer.plainPort}/jobs`, { redirect: "manual" });
		expect([plain.status, plain.headers.get("location")?.slice(0, 8)]).toEqual([301, "https://"]);
	});

	async function signIn(label: string, displays: readonly string[]): Promise<BalancedRunner> {
		const runner = new BalancedRunner(balancer, `${label} ${name}`, displays);
		await runner.signIn();
		await runner.sync();
		return runner;
	}

	test("a job is recorded, followed live and played, whichever dashboards its requests reach", async () => {
		const runner = await signIn("behind", [":99"]);
		const polling = runner.sync([], 5);
		const { id } = await createJob(runner.runnerId, ":99");
		// On a busy machine, the poll may end before there is a job. A runner polls again in this case.
		const started = (await polling).start[0] ?? (await runner.sync([], 5)).start[0];
		expect(started?.id).toBe(id);
		await runner.startUpload(id);
		let offset = 0;
		const send = async (piece: Buffer, more: Record<string, string> = {}) => {
			await runner.send(id, offset, piece, more);
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
		expect((await runner.upload("HEAD", { id })).headers["upload-offset"]).toBe(String(offset));
		await runner.report(id, { type: "stopped", stopReason: "duration_elapsed", verdict: "ok" });
		await send(Buffer.alloc(0), { "upload-length": String(offset) });
		expect((await followed).length).toBeGreaterThan(1_000);
		for (let round = 0; round < 3; round++) {
			const part = await open("GET", `/v1/recordings/${recording?.id}/video`, { headers: { range: "bytes=0-99" } });
			expect([part.statusCode, (await bodyOf(part)).length]).toEqual([206, 100]);
		}
	});

	test("the calls of a runner's uploads all reach the dashboard that has their files", async () => {
		const displays = Array.from({ length: 9 }, (_, index) => `:${index + 1}`);
		const runner = await signIn("uploads behind", displays);
		const ids: number[] = [];
		for (const displayId of displays) ids.push((await createJob(runner.runnerId, displayId)).id);
		const started = async () => (await runner.sync()).start.length === ids.length;
		await until(started, "the runner has its jobs");
		const passedOn = () => callsPassedOn(dashboards.nodes, METRICS_TOKEN);
		const before = await passedOn();
		for (const id of ids) {
			await runner.startUpload(id);
			await runner.send(id, 0, pieces[0] as Buffer);
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
