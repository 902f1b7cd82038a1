/** The dashboard is killed while recordings are uploaded and jobs are created. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	encodedFrames,
	interrupt,
	openScene,
	type Scene,
	type SceneRunner,
	storedVideos,
} from "#test/runners/fault-scene.ts";
import { pause, until } from "#test/wait.ts";

const RECORDINGS = 10;
const AWAY_MS = 30_000;

let scene: Scene;
let runner: SceneRunner;

beforeAll(async () => {
	scene = await openScene();
	runner = await scene.addRunner("recording");
});
afterAll(() => scene?.stop());

/** Creates jobs for an offline runner until the returned function is called, which resolves with the ids that got a 201. */
function createJobsContinuously(runnerId: number): () => Promise<number[]> {
	const created: number[] = [];
	let over = false;
	const creating = Array.from({ length: 4 }, async () => {
		while (!over) {
			const body = { runnerId, displayId: ":1", stopCondition: "interrupt" } as const;
			const job = await scene.dashboard.api.createJob(body).catch(() => null);
			if (job !== null) created.push(job.id);
		}
	});
	return async () => {
		over = true;
		await Promise.all(creating);
		return created;
	};
}

test("killed while ten recordings upload and back 30 s later: all continue, and nothing that was acknowledged is missing", async () => {
	const absent = await scene.addRunner("absent");
	await absent.child().stop();
	const jobs = await Promise.all(Array.from({ length: RECORDINGS }, () => runner.order(interrupt)));
	for (const id of jobs) await scene.status(id, "recording");
	const hasBytes = async (id: number) => ((await scene.dashboard.api.readJob(id)).recording?.bytes ?? 0) > 0;
	for (const id of jobs) await until(() => hasBytes(id), `bytes of job ${id} arrive`);
	const kept = await Promise.all(jobs.map((id) => runner.keepSpooled(id)));

	const stopCreating = createJobsContinuously(absent.id);
	await pause(500);
	const late = await runner.order({ stopCondition: "duration", stopConditionConfig: { durationSeconds: 2 } });
	await scene.dashboard.kill();
	const killedAt = performance.now();
	const created = await stopCreating();
	expect(created.length).toBeGreaterThan(10);
	await pause(AWAY_MS);
	expect(await runner.encoders()).toHaveLength(RECORDINGS);
	await scene.dashboard.startAgain();

	for (const id of created) expect((await scene.dashboard.api.readJob(id)).status).toBe("queued");
	expect((await scene.status(late, "completed")).recording?.durationSeconds).toBe(2);
	// The sweep of the leases runs within the first seconds.
	await pause(5_000);
	for (const id of jobs) expect((await scene.dashboard.api.readJob(id)).status).toBe("recording");
	const cancelledAt = performance.now();
	await Promise.all(jobs.map((id) => scene.dashboard.api.cancelJob(id)));
	for (const id of jobs) {
		const job = await scene.status(id, "completed");
		expect(job.stopReason).toBe("cancelled");
		expect(await scene.history(id)).not.toContain("runner_lost");
		expect(job.recording?.durationSeconds).toBeGreaterThan((cancelledAt - killedAt) / 1_000);
	}
	const stored = await storedVideos(scene.dashboard);
	for (const path of kept) expect(stored).toContain(await encodedFrames(path));
	expect(stored).toHaveLength(RECORDINGS + 1);
	const first = await scene.dashboard.api.readJob(jobs[0] ?? 0);
	expect((await scene.video(first)).faults).toBe("");
	await until(async () => (await readdir(join(runner.dataDir, "jobs"))).length === 0, "the spool is empty");
});
