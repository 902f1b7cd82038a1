/** Two dashboard processes on one PostgreSQL, each with its own disk, behind a balancer that knows nothing of them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { SignInAnswer, SyncAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import {
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	type DashboardProcess,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { startRoundRobin } from "#test/servers/round-robin.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { pause, until } from "#test/wait.ts";

let [a, b] = [] as unknown as [DashboardProcess, DashboardProcess];
let balancer: Awaited<ReturnType<typeof startRoundRobin>>;
let stop: () => Promise<void>;
let pieces: Buffer[];
let names = 0;

beforeAll(async () => {
	const dashboards = await startDashboards(2, await createPostgresDatabase());
	[a, b] = dashboards.nodes as [DashboardProcess, DashboardProcess];
	balancer = await startRoundRobin([a.port, b.port]);
	stop = dashboards.stop;
	pieces = readPieces(await makeVideo("recorder.mp4"));
});
afterAll(async () => {
	await balancer?.stop();
	await stop?.();
	await removeTestFolder();
});

/** A simulated runner that reaches the dashboards through this port. */
async function startRunner(port: number): Promise<SimulatedRecorder> {
	const dashboard = { url: `http://127.0.0.1:${port}`, runnerToken: DASHBOARDS_RUNNER_TOKEN };
	const runner = new SimulatedRecorder(dashboard, `runner ${++names}`, pieces);
	await runner.start();
	onTestFinished(() => runner.stop());
	return runner;
}

const createAt = (node: DashboardProcess, { runnerId }: { runnerId: number }) =>
	node.api.createJob({ runnerId, displayId: ":99", stopCondition: "interrupt" });

const get = (node: DashboardProcess, path: string, headers: Record<string, string> = {}) =>
	fetch(node.url + path, { headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}`, ...headers } });

async function post<T>(node: DashboardProcess, path: string, body: object): Promise<{ status: number; body: T }> {
	const headers = { authorization: `Bearer ${DASHBOARDS_RUNNER_TOKEN}`, "content-type": "application/json" };
	const answer = await fetch(`${node.url}/v1/runner/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	const text = await answer.text();
	return { status: answer.status, body: (text === "" ? null : JSON.parse(text)) as T };
}

const DISPLAYS = [{ id: ":99", width: 640, height: 360 }];
const signIn = (node: DashboardProcess, name: string, instanceId: string) =>
	post<SignInAnswer>(node, "sign-in", {
		name,
		version: "test",
		instanceId: `instance-${instanceId}`,
		displays: DISPLAYS,
	});
const sync = (node: DashboardProcess, sessionId: string, waitSeconds = 0) =>
	post<SyncAnswer>(node, "sync", { sessionId, waitSeconds, jobs: [] });

test("a recording whose every request goes to another dashboard than the one before is complete, and plays at both", async () => {
	const runner = await startRunner(balancer.port);
	const { id } = await createAt(a, runner);
	const { recording } = await b.api.waitFor(id, "playable");
	expect(await a.api.readJob(id)).toMatchObject({ status: "completed", recording: { state: "ready" } });
	const videos = await Promise.all(
		[a, b].map(async (node) => {
			const answer = await get(node, `/v1/recordings/${recording?.id}/video`);
			expect(answer.status).toBe(200);
			return Buffer.from(await answer.arrayBuffer());
		}),
	);
	expect(videos[0]?.equals(videos[1] as Buffer)).toBe(true);
	const range = await get(a, `/v1/recordings/${recording?.id}/video`, { range: "bytes=100-199" });
	expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 100]);
	const files = await Promise.all([a, b].map((node) => storedAt(node, id)));
	expect(files.filter((file) => file?.equals(Buffer.concat(pieces)))).toHaveLength(1);
	for (const node of [a, b]) {
		expect((await get(node, `/v1/recordings/${recording?.id}/poster`)).status).toBe(200);
		expect((await get(node, `/v1/recordings/${recording?.id}/storyboard`)).status).toBe(200);
	}
});

const storedAt = (node: DashboardProcess, jobId: number) =>
	readFile(join(node.dataDir, "videos", `job-${jobId}`)).catch(() => null);

test("a recording is followed live at a dashboard that does not have it", async () => {
	const runner = await startRunner(a.port);
	const { id } = await createAt(a, runner);
	const job = await until(async () => {
		const job = await b.api.readJob(id);
		return job.recording === null ? null : job;
	}, "the recording has begun");
	const live = await get(b, `/v1/recordings/${job.recording?.id}/live`);
	expect(live.status).toBe(200);
	const bytes = Buffer.from(await live.arrayBuffer());
	expect(bytes.length).toBeGreaterThan(1_000);
	expect((await b.api.waitFor(id, "playable")).status).toBe("completed");
});

test("a recording that is deleted at one dashboard vanishes from the disk of the other", async () => {
	const runner = await startRunner(a.port);
	const { id } = await createAt(b, runner);
	const { recording } = await b.api.waitFor(id, "playable");
	for (const path of ["recordings", "deleted-recordings"]) await b.api.call("DELETE", `/v1/${path}/${recording?.id}`);
	await until(async () => (await storedAt(a, id)) === null, "the file is gone");
	expect((await get(a, `/v1/recordings/${recording?.id}`)).status).toBe(404);
});

test("a video that is uploaded in one call plays at the other dashboard", async () => {
	const answer = await fetch(`${a.url}/v1/recordings?name=whole`, {
		method: "POST",
		headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}`, "content-type": "video/mp4" },
		body: new Uint8Array(Buffer.concat(pieces)),
	});
	const { id } = (await answer.json()) as Recording;
	const played = await get(b, `/v1/recordings/${id}/video`);
	expect([played.status, (await played.arrayBuffer()).byteLength > 1_000]).toEqual([200, true]);
});

test("a zip names the videos of a dashboard that stands still, and has the others", async () => {
	const upload = async (node: DashboardProcess) => {
		const answer = await fetch(`${node.url}/v1/recordings?name=zipped`, {
			method: "POST",
			headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}`, "content-type": "video/mp4" },
			body: new Uint8Array(Buffer.concat(pieces)),
		});
		return ((await answer.json()) as Recording).id;
	};
	const [here, there] = [await upload(a), await upload(b)];
	onTestFinished(() => b.resume());
	b.pause();
	const zip = await get(a, `/v1/recordings/download?id=${there}&id=${here}`);
	expect(zip.status).toBe(200);
	expect(Buffer.from(await zip.arrayBuffer()).toString("latin1")).toContain(
		`The dashboard that has recording ${there} (zipped) cannot be reached. Try again when it runs.`,
	);
});

test("while a runner polls one dashboard, another process cannot sign in under its name at the other", async () => {
	const name = `guarded ${++names}`;
	const { sessionId } = (await signIn(a, name, "first")).body;
	expect((await signIn(b, name, "second")).status).toBe(409);
	await sync(a, sessionId);
	const polling = sync(a, sessionId, 4);
	await pause(1_500);
	expect((await signIn(b, name, "second")).status).toBe(409);
	await polling;
	await post(a, "sign-out", { sessionId });
	expect((await signIn(b, name, "second")).status).toBe(200);
});

test("a runner that died in a poll is replaced at once by its successor at the other dashboard", async () => {
	const name = `died ${++names}`;
	const { sessionId } = (await signIn(a, name, "first")).body;
	await sync(a, sessionId);
	const died = new AbortController();
	const poll = fetch(`${a.url}/v1/runner/sync`, {
		method: "POST",
		signal: died.signal,
		headers: { authorization: `Bearer ${DASHBOARDS_RUNNER_TOKEN}`, "content-type": "application/json" },
		body: JSON.stringify({ sessionId, jobs: [], waitSeconds: 5 }),
	}).catch(() => null);
	await pause(1_500);
	expect((await signIn(b, name, "second")).status).toBe(409);
	died.abort();
	await poll;
	await until(async () => (await signIn(b, name, "second")).status === 200, "the successor signs in");
});

test("a poll that reaches another dashboard late, without the jobs started meanwhile, loses none of them", async () => {
	const session = (await signIn(a, `delayed ${++names}`, "only")).body;
	await sync(a, session.sessionId);
	const { id } = await createAt(a, session);
	const { start } = (await sync(a, session.sessionId)).body;
	expect(start).toMatchObject([{ id }]);
	const at = new Date().toISOString();
	await post(a, "reports", {
		...{ sessionId: session.sessionId, sentAt: at, clockShiftMs: 0 },
		jobs: [{ type: "recording", width: 640, height: 360, jobId: id, jobKey: start[0]?.key, seq: 1, at }],
	});
	const late = await sync(b, session.sessionId);
	expect(late.body).not.toHaveProperty("resendReports");
	expect((await b.api.readJob(id)).status).toBe("recording");
});

test("a display is watched at one dashboard while its runner polls and answers at others", async () => {
	const { sessionId, runnerId } = (await signIn(b, `pictured ${++names}`, "only")).body;
	await sync(b, sessionId);
	const polling = sync(b, sessionId, 5);
	const watching = get(a, `/v1/runners/${runnerId}/displays/99/picture`);
	expect((await polling).body.pictures).toEqual([":99"]);
	const jpeg = Buffer.from([0xff, 0xd8, 0xff, 1, 0xff, 0xd9]);
	await fetch(`${b.url}/v1/runner/displays/99/picture?ageMs=0`, {
		method: "PUT",
		headers: {
			...{ authorization: `Bearer ${DASHBOARDS_RUNNER_TOKEN}`, "content-type": "image/jpeg" },
			"tapedeck-session": sessionId,
		},
		body: new Uint8Array(jpeg),
	});
	const picture = await watching;
	expect(picture.status).toBe(200);
	expect(Buffer.from(await picture.arrayBuffer()).equals(jpeg)).toBe(true);
});
