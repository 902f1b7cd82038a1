/** A runner with undelivered recordings meets another dashboard, or its own one restored from a backup. */
import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import type { JobStatus } from "@tapedeck/contract/job-status.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import {
	encodedFrames,
	interrupt,
	openScene,
	type Scene,
	type SceneRunner,
	storedVideos,
} from "#test/runners/fault-scene.ts";
import { newFolder, removeFolder, spooled } from "#test/runners/runner-process.ts";
import { type Dashboard, root, startTestDashboard } from "#test/stack.ts";
import { pause, until } from "#test/wait.ts";

let scene: Scene;
let runner: SceneRunner;
let folder: string;

beforeEach(async () => {
	folder = await newFolder();
	scene = await openScene();
	runner = await scene.addRunner("moving");
});
afterEach(async () => {
	await scene?.stop();
	await removeFolder(folder);
});

const jobs = async (at: Dashboard) => (await at.api.call<{ data: Job[] }>("GET", "/v1/jobs")).data;
const untilIs = (at: Dashboard, id: number, wanted: JobStatus) =>
	until(
		async () => (await at.api.readJob(id)).status === wanted,
		() => `job ${id} is ${wanted}:\n${runner.child().output()}`,
		30_000,
	);
const order = (at: Dashboard, runnerId: number, name: string, durationSeconds?: number) =>
	at.api.createJob({
		runnerId,
		name,
		displayId: scene.display.id,
		...(durationSeconds === undefined
			? interrupt
			: { stopCondition: "duration", stopConditionConfig: { durationSeconds } }),
	});

/** Records until bytes have arrived, kills the dashboard, and keeps recording. */
async function recordBeyond(at: Dashboard, name: string): Promise<{ job: Job; kept: string }> {
	const { id } = await order(at, runner.id, name);
	await untilIs(at, id, "recording");
	await until(async () => ((await at.api.readJob(id)).recording?.bytes ?? 0) > 0, "bytes arrive");
	const job = await at.api.readJob(id);
	const kept = await runner.keepSpooled(id);
	await at.kill();
	await pause(2_000);
	return { job, kept };
}

/** Backs up the dashboard while it runs. @returns where. */
async function takeBackup(): Promise<string> {
	const backup = join(folder, "backup");
	await operate(scene.dashboard.dataDir, "backup", backup);
	return backup;
}

/** Replaces the data of the stopped dashboard by a backup. */
async function restore(backup: string): Promise<void> {
	const { dataDir } = scene.dashboard;
	for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
	await operate(dataDir, "restore", backup);
}

async function operate(dataDir: string, ...args: string[]): Promise<void> {
	const env = { PATH: process.env.PATH, TAPEDECK_DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv;
	await promisify(execFile)(process.execPath, ["server.ts", ...args], { cwd: root, env });
}

test("a runner that served another dashboard meanwhile delivers what it had recorded for the first one", async () => {
	const { dashboard } = scene;
	const other = await startTestDashboard();
	try {
		const { job, kept } = await recordBeyond(dashboard, "for the first one");
		expect(await runner.child().stop(10_000)).toBe(0);

		await runner.startAgain(other.url);
		await runner.child().says("tapedeck spool");
		// It has the same number as the first dashboard's.
		const elsewhere = await order(other, (await other.api.runners())[0]?.id ?? 0, "for the other one", 2);
		expect(elsewhere.id).toBe(job.id);
		await untilIs(other, elsewhere.id, "completed");
		expect((await other.api.readJob(elsewhere.id)).recording?.durationSeconds).toBe(2);
		expect(await storedVideos(other)).not.toContain(await encodedFrames(kept));
		await until(async () => (await spooled(runner.dataDir)).length === 1, "only the first one's recording is left");
		const { data } = await tapedeck(["spool", "list", "--json"], { TAPEDECK_DATA_DIR: runner.dataDir });
		expect(data()).toMatchObject({
			entries: [{ name: "for the first one", belongs: false, dashboard: { url: dashboard.url } }],
		});
		expect(await runner.child().stop(10_000)).toBe(0);

		await dashboard.startAgain();
		await runner.startAgain();
		const delivered = await scene.status(job.id, "completed");
		expect(delivered).toMatchObject({ stopReason: "runner_shutdown", startedAt: job.startedAt });
		expect((await scene.video(delivered)).faults).toBe("");
		expect(await storedVideos(dashboard)).toEqual([await encodedFrames(kept)]);
		await until(async () => (await spooled(runner.dataDir)).length === 0, "the spool is empty");
	} finally {
		await runner.child().stop(10_000);
		await other.stop();
	}
});

test("a recording that survived its runner ends when the runner joins another dashboard, and is kept for its own", async () => {
	const { dashboard } = scene;
	const other = await startTestDashboard();
	try {
		const { job, kept } = await recordBeyond(dashboard, "cut off");
		await runner.kill();
		expect(await runner.encoders()).toHaveLength(1);
		await runner.startAgain(other.url);
		await until(async () => (await runner.encoders()).length === 0, "the recording has ended");
		await runner.child().says("tapedeck spool");
		expect(await jobs(other)).toEqual([]);
		await runner.child().stop(10_000);
		await dashboard.startAgain();
		await runner.startAgain();
		expect(await scene.status(job.id, "completed")).toMatchObject({ stopReason: "runner_shutdown" });
		expect(await storedVideos(dashboard)).toEqual([await encodedFrames(kept)]);
	} finally {
		await runner.child().stop(10_000);
		await other.stop();
	}
});

test("a dashboard restored from a backup gets the job of a recording that is still running", async () => {
	const { dashboard } = scene;
	const backup = await takeBackup();
	const { job, kept } = await recordBeyond(dashboard, "newer than the backup");
	await restore(backup);
	await dashboard.startAgain();
	const [back] = await until(async () => {
		const found = await jobs(dashboard);
		return found[0]?.status === "recording" ? found : null;
	}, "the job is back");
	expect(back).toMatchObject({ name: "newer than the backup", startedAt: job.startedAt, stopReason: null });
	await dashboard.api.cancelJob(back?.id ?? 0);
	const ended = await scene.status(back?.id ?? 0, "completed");
	expect(ended.stopReason).toBe("cancelled");
	expect((await scene.video(ended)).faults).toBe("");
	expect(await storedVideos(dashboard)).toEqual([await encodedFrames(kept)]);
	expect(await jobs(dashboard)).toHaveLength(1);
});

test("a dashboard killed and restored from a backup that was made during recordings has all of their videos", async () => {
	const { dashboard } = scene;
	const { id: ended } = await order(dashboard, runner.id, "ended before the backup", 2);
	const before = await scene.status(ended, "completed");
	const { id } = await order(dashboard, runner.id, "live during the backup");
	await untilIs(dashboard, id, "recording");
	await until(async () => ((await dashboard.api.readJob(id)).recording?.bytes ?? 0) > 0, "bytes arrive");
	const kept = await runner.keepSpooled(id);
	const backup = await takeBackup();
	await pause(2_000);
	await dashboard.kill();
	await restore(backup);
	await dashboard.startAgain();
	await until(async () => (await dashboard.api.runners())[0]?.state === "online", "the runner is back");
	await dashboard.api.cancelJob(id);
	const after = await scene.status(id, "completed");
	expect((await scene.video(after)).faults).toBe("");
	expect(await scene.video(before)).toMatchObject({ durationSeconds: expect.closeTo(2, 3), faults: "" });
	expect(await storedVideos(dashboard)).toContain(await encodedFrames(kept));
	expect(await jobs(dashboard)).toHaveLength(2);
});

test("a lost job does not meet the next one after a restore, which has another number", async () => {
	const { dashboard } = scene;
	const backup = await takeBackup();
	const { job, kept } = await recordBeyond(dashboard, "lost by the restore");
	await runner.child().stop(10_000);
	await restore(backup);
	await dashboard.startAgain();
	const fresh = await order(dashboard, runner.id, "new after the restore", 2);
	expect(fresh.id).toBeGreaterThan(job.id);
	await runner.startAgain();
	const all = await until(
		async () => {
			const found = await jobs(dashboard);
			return found.length === 2 && found.every(({ status }) => status === "completed") ? found : null;
		},
		() => `both are completed:\n${runner.child().output()}`,
	);
	const back = all.find(({ id }) => id !== fresh.id);
	expect(back).toMatchObject({
		name: "lost by the restore",
		startedAt: job.startedAt,
		stopReason: "runner_shutdown",
		createdBy: { kind: "runner" },
	});
	// It was created here after it had been recorded.
	const created = (await dashboard.api.events(back?.id ?? 0)).find(({ type }) => type === "created");
	expect(created?.message).toContain(`it was job ${job.id}`);
	const replaced = all.find(({ id }) => id === fresh.id);
	expect(replaced).toMatchObject({ name: "new after the restore", stopReason: "duration_elapsed" });
	expect(replaced?.recording?.durationSeconds).toBe(2);
	if (back === undefined || replaced === undefined) return;
	expect((await scene.video(back)).faults).toBe("");
	expect(await scene.video(replaced)).toMatchObject({ durationSeconds: expect.closeTo(2, 3), faults: "" });
	expect(await storedVideos(dashboard)).toContain(await encodedFrames(kept));
	await until(async () => (await spooled(runner.dataDir)).length === 0, "the spool is empty");
});
