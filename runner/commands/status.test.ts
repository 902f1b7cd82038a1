import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { inExplore } from "../../test/in-explore.ts";
import { startCommand, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { FakeDashboard } from "../../test/runners/fake-dashboard.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";
import { parseStat, signalProcess } from "../base/process-id.ts";
import type { ControlStatus } from "../control/messages.ts";
import type { UndeliveredRecording } from "./undelivered.ts";

const scene = runnerScene();
const start = (dataDir = scene.dataDir) => scene.start({ dataDir, display: scene.display.id });

let others: FakeDashboard[] = [];
afterEach(async () => {
	for (const dashboard of others) await dashboard.stop();
	others = [];
});

/** Starts a runner with another dashboard: two with one name would disconnect each other. */
async function startOther(dataDir: string): Promise<void> {
	const dashboard = await FakeDashboard.start();
	others.push(dashboard);
	await scene.start({ url: dashboard.url, dataDir });
}

test("status shows the connection, displays, recordings and pending uploads", async () => {
	const { dataDir } = scene;
	await start();
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 600 } } as const;
	const job = scene.dashboard.order(scene.display.id, rule, "the long one");
	await until(() => job.status === "recording" && job.uploadId !== null, "it records");
	const { status, ...answer } = await tapedeck(["status", "--json"], { TAPEDECK_DATA_DIR: dataDir });
	expect(status).toBe(0);
	const shown = answer.data<ControlStatus & { running: boolean }>();
	expect(shown).toMatchObject({ running: true, name: "a test runner", ending: false, dataDir });
	expect(shown.dashboard).toMatchObject({ url: scene.dashboard.url, connected: true, runnerId: 1, problem: null });
	expect(shown.displays).toContainEqual({
		id: scene.display.id,
		width: 640,
		height: 360,
		xName: `${scene.display.id}.0`,
	});
	expect(shown.recordings).toHaveLength(1);
	const [recording] = shown.recordings;
	expect(recording).toMatchObject({ jobId: job.order.id, status: "recording", durationSeconds: 600, stopReason: null });
	expect(recording?.recordedSeconds).toBeGreaterThan(0);
	expect(recording?.recordedSeconds).toBeLessThan(60);
	expect(recording?.waitingBytes).toBeLessThanOrEqual(recording?.videoBytes ?? 0);
	const text = (await tapedeck(["status"], { TAPEDECK_DATA_DIR: dataDir })).text;
	expect(text).toMatch(
		new RegExp(`Job ${job.order.id} "the long one" on ${scene.display.id} is recording 0:\\d\\d of 10:00`),
	);
	expect(text).toContain(`${scene.dashboard.url}/jobs/${job.order.id}`);
});

inExplore(test)("without a runner, status shows the spool and running ffmpegs, and changes nothing", async () => {
	const { dataDir } = scene;
	await start();
	const job = scene.dashboard.order(
		scene.display.id,
		{ stopCondition: "interrupt", stopConditionConfig: {} },
		"left alone",
	);
	await until(() => job.uploadId !== null, "bytes arrive");
	await scene.kill();
	const answer = await tapedeck(["status", "--data-dir", dataDir, "--json"]);
	expect(answer.status).toBe(3);
	const shown = answer.data<{ running: boolean; recordings: UndeliveredRecording[] }>();
	expect(shown).toMatchObject({ running: false, dataDir });
	const [left] = shown.recordings;
	expect(left).toMatchObject({ jobId: job.order.id, name: "left alone", stopReason: null, videoDelivered: false });
	expect(left?.videoBytes).toBeGreaterThan(0);
	const pidFile = join(dataDir, "jobs", left?.key ?? "", "part-1.pid");
	const ffmpeg = parseStat(await readFile(pidFile, "utf8"));
	expect(left?.ffmpegs).toEqual([ffmpeg?.pid]);
	const words = await tapedeck(["status", "--data-dir", dataDir]);
	expect(words.text).toContain(`No runner is running with the data directory ${dataDir}`);
	expect(words.text).toContain(`Job ${job.order.id} "left alone" on ${scene.display.id}`);
	expect(words.text).toContain(`ffmpeg ${ffmpeg?.pid} is still recording`);

	const again = await start();
	expect((await tapedeck(["stop", "--all", "--wait", "--data-dir", dataDir])).status).toBe(0);
	expect(job.status, again.output()).toBe("completed");
	if (ffmpeg) expect(signalProcess(ffmpeg, "SIGCONT")).toBe(false);
});

test("without a runner or a data directory: one sentence with the remedy, status 3", async () => {
	for (const command of [["status"], ["record", "--display", ":1"], ["stop", "--all"]]) {
		const { status, text } = await tapedeck([...command, "--data-dir", join(scene.folder, "none")]);
		expect(status, text).toBe(3);
		expect(text).toContain("start it with: tapedeck runner");
	}
	await mkdir(join(scene.folder, "empty"));
	const { status, text } = await tapedeck(["status", "--data-dir", join(scene.folder, "empty")]);
	expect(status).toBe(3);
	expect(text).toContain("Its spool is empty.");
});

inExplore(test)(
	"the runner's socket is private to its user, works in a deep folder, and is removed with the runner",
	async () => {
		// The path of a socket may have 107 bytes.
		const dataDir = join(scene.folder, "a-folder-with-a-long-name/".repeat(6), "data");
		await start(dataDir);
		const socket = join(dataDir, "control.sock");
		expect((await stat(socket)).mode & 0o777).toBe(0o600);
		expect((await tapedeck(["status", "--data-dir", dataDir])).status).toBe(0);

		// A killed runner leaves its socket behind; the next one replaces it.
		await scene.kill();
		expect((await tapedeck(["status", "--data-dir", dataDir])).status).toBe(3);
		const next = await start(dataDir);
		expect((await tapedeck(["status", "--data-dir", dataDir])).status).toBe(0);
		await next.stop();
		await expect(stat(socket)).rejects.toThrow("ENOENT");
	},
);

inExplore(test)("a runner is found by its name, and ambiguous runners are listed", async () => {
	const env = { XDG_STATE_HOME: scene.folder };
	const named = join(scene.folder, "tapedeck", "runner-left");
	await start(named);
	await startOther(join(scene.folder, "other"));
	expect((await tapedeck(["status", "--runner", "left"], env)).text).toContain(`data in ${named}.`);
	expect((await tapedeck(["status"], { ...env, TAPEDECK_RUNNER_NAME: "left" })).status).toBe(0);
	const unclear = await tapedeck(["status", "--json"], env);
	expect(unclear.status).toBe(3);
	const { error } = unclear.data<{ error: { code: string; message: string } }>();
	expect(error.code).toBe("several_runners");
	expect(error.message).toContain(`--data-dir ${named}`);
	expect(error.message).toContain(`--data-dir ${join(scene.folder, "other")}`);
});

inExplore(test)("a running runner is found by its name wherever its data directory is", async () => {
	const name = `runner ${process.pid}`;
	const env = { XDG_STATE_HOME: scene.folder };
	await scene.start({ dataDir: join(scene.folder, "its own"), env: { TAPEDECK_RUNNER_NAME: name } });
	await startOther(join(scene.folder, "another"));
	for (const call of [
		tapedeck(["status", "--runner", name], env),
		tapedeck(["status"], { ...env, TAPEDECK_RUNNER_NAME: name }),
		tapedeck(["displays", "--json", "--runner", name], env),
		tapedeck(["stop", "--all", "--runner", name], env),
	]) {
		const { status, text } = await call;
		expect(status, text).toBe(0);
	}
	expect((await tapedeck(["status", "--runner", name], env)).text).toContain(`Runner "${name}"`);
	const nobody = await tapedeck(["status", "--runner", `${name} x`], env);
	expect(nobody.status).toBe(3);
});

test("status --wait returns when the runner is connected and has the display", async () => {
	const { dataDir, display } = scene;
	const waiting = startCommand(["status", "--wait", "--display", display.id, "--data-dir", dataDir]);
	await waiting.says("Waiting for the runner");
	await scene.dashboard.goDown();
	const runner = scene.launch();
	await runner.says("does not respond");
	expect(waiting.process.exitCode).toBeNull();
	await scene.dashboard.listen();
	expect(await waiting.exited).toBe(0);
	expect(waiting.output()).toContain(`Connected to ${scene.dashboard.url}`);
	const missing = await tapedeck(["status", "--display", ":58997", "--data-dir", dataDir]);
	expect(missing.status).toBe(1);
	expect(missing.text).toContain("The runner does not have display :58997.");
});
