/** Three dashboards on one PostgreSQL and one bucket, of which one dies or stands still in the middle of a recording. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { SEGMENT_BYTES } from "#lib/recordings/store/video-store.ts";
import type { DashboardProcess } from "#test/servers/dashboards.ts";
import { type DashboardsScene, STANDSTILL_MS, startDashboardsScene } from "#test/servers/dashboards-scene.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { framesOf, RECORDER, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { pause, until } from "#test/wait.ts";

const VIDEO_SECONDS = 18;
/** Chunks of a fifth of a second are sent at twice their speed. */
const PIECE_EVERY_MS = 100;

let s3: FakeS3;
let scene: DashboardsScene;
let recorded: string;
beforeAll(async () => {
	recorded = join(await testFolder(), "large.mp4");
	// Noise, so that the first segments are full long before the end.
	const noise = `testsrc2=size=640x360:rate=15,noise=alls=90:allf=t`;
	const input = ["-f", "lavfi", "-i", noise, "-t", String(VIDEO_SECONDS)];
	await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...input, ...RECORDER, "-crf", "18", recorded]);
	expect((await readFile(recorded)).length).toBeGreaterThan(2 * SEGMENT_BYTES);
	setFakeCredentials();
	s3 = await startFakeS3();
	scene = await startDashboardsScene(readPieces(recorded), PIECE_EVERY_MS, { TAPEDECK_STORAGE_URL: s3.url });
});
beforeEach(() => {
	s3.calls = [];
});
afterAll(async () => {
	await scene?.stop();
	await s3?.stop();
	await removeTestFolder();
});

const callsOf = (kind: string) => s3.calls.filter((call) => call.kind === kind);

/** Whether a dashboard's lease is valid, by PostgreSQL's clock. */
async function hasLease({ url }: DashboardProcess): Promise<boolean[]> {
	const client = new pg.Client({ connectionString: scene.postgres.url });
	await client.connect();
	const now = "extract(epoch from clock_timestamp()) * 1000";
	const query = `select until > ${now} as "hasLease" from "dashboardNode" where "internalUrl" = $1`;
	const { rows } = await client.query<{ hasLease: boolean }>(query, [url]);
	await client.end();
	return rows.map((row) => row.hasLease);
}

/** The job ends, and each of these dashboards serves every frame of its recording from the bucket. */
async function expectWhole(id: number, nodes: DashboardProcess[]): Promise<void> {
	const job = await scene.ended(id, nodes);
	const played = await Promise.all(nodes.map((node) => scene.playedAt(node, job)));
	for (const video of played) expect(video.equals(played[0] as Buffer)).toBe(true);
	const file = join(await testFolder(), `played-${id}.mp4`);
	await writeFile(file, played[0] as Buffer);
	expect(await framesOf(file)).toEqual(await framesOf(recorded));
}

test("a dashboard is killed and stays away: another continues its recording from what is in the bucket", async () => {
	const { id, holder, others } = await scene.record();
	await until(() => callsOf("put").length >= 1, "a segment is in the bucket", 60_000);
	await holder.kill();
	await expectWhole(id, others);
	expect(callsOf("get").length).toBeGreaterThan(0);
	await holder.start();
	await expectWhole(id, [holder, ...others]);
});

test("a dashboard with a bucket stops cleanly and stays away: another continues its recording at once", async () => {
	const { id, holder, others } = await scene.record();
	await until(() => callsOf("put").length >= 1, "a segment is in the bucket", 60_000);
	await holder.stop();
	// Unlike after a crash, other dashboards wait neither for its lease to end nor for its return.
	expect(await hasLease(holder)).toEqual([false]);
	const continued = async () =>
		(await Promise.all(others.map((node) => scene.fileAt(node, id)))).some(({ length }) => length > SEGMENT_BYTES);
	await until(continued, "another dashboard continues the recording", 100_000);
	await expectWhole(id, others);
	await holder.start();
	await expectWhole(id, [holder, ...others]);
});

test("a dashboard stands still for longer than its lease: what it writes afterwards changes nothing", async () => {
	const { id, holder, others } = await scene.record();
	onTestFinished(() => holder.resume());
	await until(() => callsOf("put").length >= 1, "a segment is in the bucket", 60_000);
	holder.pause();
	await pause(STANDSTILL_MS);
	await until(
		async () => (await Promise.all(others.map((node) => scene.fileAt(node, id)))).some(({ length }) => length > 0),
		"another dashboard continues the recording",
		100_000,
	);
	holder.resume();
	await expectWhole(id, [holder, ...others]);
});

test("the bucket answers 503 in the middle of a recording: the job ends when it answers again, and nothing is lost", async () => {
	const { id, holder, others } = await scene.record();
	s3.fault = () => ({ status: 503, code: "SlowDown" });
	onTestFinished(() => {
		s3.fault = () => undefined;
	});
	// All of it is recorded in half of that time.
	await pause((VIDEO_SECONDS * 1_000 * 2) / 3);
	expect((await holder.api.readJob(id)).endedAt).toBeNull();
	s3.fault = () => undefined;
	await expectWhole(id, [holder, ...others]);
});
