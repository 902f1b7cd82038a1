/** Three dashboards on one PostgreSQL, of which one dies, stands still or is restarted in the middle of a recording. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type OwnPostgres, startOwnPostgres } from "#test/databases/own-postgres.ts";
import { SimulatedRunner } from "#test/runners/simulated-runner.ts";
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

const VIDEO_SECONDS = 24;
/** Longer than a lease, which others may take after 10 s. */
const PAUSE_MS = 14_000;

let postgres: OwnPostgres;
let dashboards: Awaited<ReturnType<typeof startDashboards>>;
let balancer: Awaited<ReturnType<typeof startRoundRobin>>;
let pieces: Buffer[];
let names = 0;

beforeAll(async () => {
	pieces = readPieces(await makeVideo("recorder.mp4", VIDEO_SECONDS));
	postgres = await startOwnPostgres();
	dashboards = await startDashboards(3, postgres.url);
	// Polls last 5 s. Of three requests in a row, one would wait for the dashboard that stands still.
	const options = { readSeconds: 7, outSeconds: 10 };
	balancer = await startRoundRobin(
		dashboards.nodes.map(({ port }) => port),
		options,
	);
});
afterAll(async () => {
	await balancer?.stop();
	await dashboards?.stop();
	await postgres?.stop();
	await removeTestFolder();
});

interface Running {
	id: number;
	/** The dashboard that has the recording. */
	holder: DashboardProcess;
	others: DashboardProcess[];
}

/** A recording in progress, whose runner reaches all dashboards in turn. */
async function record(): Promise<Running> {
	const runner = new SimulatedRunner(
		{ port: balancer.port, runnerToken: DASHBOARDS_RUNNER_TOKEN },
		`runner ${++names}`,
		pieces,
	);
	await runner.start();
	onTestFinished(() => runner.kill());
	const [first] = dashboards.nodes as [DashboardProcess];
	const body = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt" } as const;
	const { id } = await first.api.createJob(body);
	await until(async () => ((await first.api.readJob(id)).recording?.durationSeconds ?? 0) > 3, "it records");
	const holders = await Promise.all(
		dashboards.nodes.map(async (node) => ((await bytesAt(node, id)) > 0 ? node : null)),
	);
	const holder = holders.find((node) => node !== null) as DashboardProcess;
	expect(holders.filter((node) => node !== null)).toEqual([holder]);
	return { id, holder, others: dashboards.nodes.filter((node) => node !== holder) };
}

const fileAt = (node: DashboardProcess, id: number) =>
	readFile(join(node.dataDir, "videos", `job-${id}`)).catch(() => Buffer.alloc(0));
const bytesAt = async (node: DashboardProcess, id: number) => (await fileAt(node, id)).length;

/** The job ends, and its recording is whole and plays at each of these dashboards. */
async function expectWhole(id: number, nodes: DashboardProcess[]): Promise<void> {
	const [first] = nodes as [DashboardProcess];
	const job = await until(
		async () => {
			const job = await first.api.readJob(id).catch(() => null);
			return job?.endedAt == null ? null : job;
		},
		"the job has ended",
		120_000,
	);
	expect(job).toMatchObject({ status: "completed", recording: { state: "ready" } });
	const files = await Promise.all(nodes.map((node) => fileAt(node, id)));
	expect(files.some((file) => file.equals(Buffer.concat(pieces)))).toBe(true);
	expect(job.recording?.durationSeconds).toBeCloseTo(VIDEO_SECONDS, 0);
	for (const node of nodes) {
		const answer = await fetch(`${node.url}/v1/recordings/${job.recording?.id}/video`, {
			headers: { authorization: `Bearer ${DASHBOARDS_API_KEY}` },
		});
		expect(answer.status, `played at ${node.url}`).toBe(200);
		await answer.arrayBuffer();
	}
}

test("a dashboard is killed and stays away: another continues its recording, and the runner sends all of it again", async () => {
	const { id, holder, others } = await record();
	await holder.kill();
	await expectWhole(id, others);
	await holder.start();
	await expectWhole(id, [holder, ...others]);
});

test("a dashboard stands still for longer than its lease: when it goes on, it can no longer change what another continued", async () => {
	const { id, holder, others } = await record();
	onTestFinished(() => holder.resume());
	holder.pause();
	await pause(PAUSE_MS);
	const continued = await until(
		async () => {
			const sizes = await Promise.all(others.map((node) => bytesAt(node, id)));
			return others[sizes.findIndex((bytes) => bytes > 0)];
		},
		"another dashboard continues the recording",
		100_000,
	);
	holder.resume();
	await expectWhole(id, [holder, ...others]);
	expect((await fileAt(continued, id)).equals(Buffer.concat(pieces))).toBe(true);
});

test("a dashboard is restarted: it continues its recordings where they were", async () => {
	const { id, holder, others } = await record();
	const before = await bytesAt(holder, id);
	await holder.stop();
	await holder.start();
	await expectWhole(id, [holder, ...others]);
	expect((await bytesAt(holder, id)) > before).toBe(true);
	for (const node of others) expect(await bytesAt(node, id)).toBe(0);
});

test("PostgreSQL is restarted in the middle of a recording: nothing is lost", async () => {
	const { id, others, holder } = await record();
	await postgres.restart();
	await expectWhole(id, [holder, ...others]);
});
