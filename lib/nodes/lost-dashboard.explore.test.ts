/** Three dashboards on one PostgreSQL, of which one dies, stands still or is restarted in the middle of a recording. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { DashboardProcess } from "#test/servers/dashboards.ts";
import { type DashboardsScene, STANDSTILL_MS, startDashboardsScene } from "#test/servers/dashboards-scene.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { pause, until } from "#test/wait.ts";

const VIDEO_SECONDS = 16;
/** Chunks of half a second are sent at twice their speed. */
const PIECE_EVERY_MS = 250;

let scene: DashboardsScene;
let pieces: Buffer[];
beforeAll(async () => {
	pieces = readPieces(await makeVideo("recorder.mp4", VIDEO_SECONDS));
	scene = await startDashboardsScene(pieces, PIECE_EVERY_MS);
});
afterAll(async () => {
	await scene?.stop();
	await removeTestFolder();
});

const bytesAt = async (node: DashboardProcess, id: number) => (await scene.fileAt(node, id)).length;

/** The job ends, and its recording is whole and plays at each of these dashboards. */
async function expectWhole(id: number, nodes: DashboardProcess[]): Promise<void> {
	const job = await scene.ended(id, nodes);
	const files = await Promise.all(nodes.map((node) => scene.fileAt(node, id)));
	expect(files.some((file) => file.equals(Buffer.concat(pieces)))).toBe(true);
	expect(job.recording?.durationSeconds).toBeCloseTo(VIDEO_SECONDS, 3);
	for (const node of nodes) await scene.playedAt(node, job);
}

test("a dashboard is killed and stays away: another continues its recording, and the runner sends all of it again", async () => {
	const { id, holder, others } = await scene.record();
	await holder.kill();
	await expectWhole(id, others);
	await holder.start();
	await expectWhole(id, [holder, ...others]);
});

test("a dashboard stands still for longer than its lease: when it goes on, it can no longer change what another continued", async () => {
	const { id, holder, others } = await scene.record();
	onTestFinished(() => holder.resume());
	holder.pause();
	await pause(STANDSTILL_MS);
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
	expect((await scene.fileAt(continued, id)).equals(Buffer.concat(pieces))).toBe(true);
});

test("a dashboard is restarted: it continues its recordings where they were", async () => {
	const { id, holder, others } = await scene.record();
	const before = await bytesAt(holder, id);
	await holder.stop();
	await holder.start();
	await expectWhole(id, [holder, ...others]);
	expect((await bytesAt(holder, id)) > before).toBe(true);
	for (const node of others) expect(await bytesAt(node, id)).toBe(0);
});

test("PostgreSQL is restarted in the middle of a recording: nothing is lost", async () => {
	const { id, others, holder } = await scene.record();
	await scene.postgres.restart();
	await expectWhole(id, [holder, ...others]);
});
