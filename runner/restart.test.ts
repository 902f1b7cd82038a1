import { chmod, readFile, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Child } from "#e2e/fixtures/child.ts";
import { FakeDashboard, type FakeJob } from "#e2e/fixtures/fake-dashboard.ts";
import { startFakeGrid } from "#e2e/fixtures/fake-grid.ts";
import {
	nothingLeft,
	probe,
	processesWith,
	removeFolder,
	spooled,
	startRunner,
	temporaryFolder,
	until,
} from "#e2e/fixtures/runner-process.ts";
import { startTcpProxy } from "#e2e/fixtures/tcp-proxy.ts";
import { startXvfb, type VirtualDisplay } from "#e2e/fixtures/xvfb.ts";

let display: VirtualDisplay;
let dashboard: FakeDashboard;
let dataDir: string;
let runner: Child;

beforeAll(async () => {
	display = await startXvfb();
	await display.move();
});
afterAll(() => display.stop());
beforeEach(async () => {
	dashboard = await FakeDashboard.start();
	dataDir = await temporaryFolder();
	await start();
});
afterEach(async () => {
	await runner.stop();
	await nothingLeft(dataDir);
	await dashboard.stop();
	await removeFolder(dataDir);
});

async function start(): Promise<void> {
	runner = startRunner({ url: dashboard.url, dataDir });
	await runner.says("Connected to");
}
async function killRunner(): Promise<void> {
	runner.process.kill("SIGKILL");
	await runner.exited;
}
const ffmpegs = async (): Promise<number[]> => processesWith(`${dataDir}/jobs`);
const interrupt = () => dashboard.order(display.id, { stopCondition: "interrupt", stopConditionConfig: {} });
const status = (job: FakeJob, wanted: string, timeoutMs = 20_000) =>
	until(
		() => job.status === wanted,
		() => `${wanted}, is ${job.status}:\n${runner.output()}`,
		timeoutMs,
	);
const reasonOf = (job: FakeJob) => job.reports.find((report) => report.type === "stopped")?.stopReason;
const notesOf = (job: FakeJob) => job.reports.flatMap((report) => (report.type === "note" ? [report] : []));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("the runner killed: a duration that ran on meanwhile ends at the right frame", async () => {
	const job = dashboard.order(display.id, { stopCondition: "duration", stopConditionConfig: { durationSeconds: 5 } });
	await status(job, "recording");
	await pause(1_000);
	await killRunner();
	expect(await ffmpegs()).toHaveLength(1);
	await pause(800);
	await start();
	await runner.says("taken up again");
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	expect(await probe(await dashboard.video(job))).toMatchObject({ frames: 75, faults: "" });
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
});

test("the runner killed: a duration that ran out meanwhile is delivered whole", async () => {
	const job = dashboard.order(display.id, { stopCondition: "duration", stopConditionConfig: { durationSeconds: 2 } });
	await status(job, "recording");
	await killRunner();
	await until(async () => (await ffmpegs()).length === 0, "ffmpeg has ended by itself");
	await start();
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	expect(await probe(await dashboard.video(job))).toMatchObject({ frames: 30, faults: "" });
});

test("the runner killed: a cancel that was asked meanwhile is obeyed by its successor", async () => {
	const job = interrupt();
	await status(job, "recording");
	await killRunner();
	dashboard.cancel(job);
	await start();
	await status(job, "completed");
	expect(reasonOf(job)).toBe("cancelled");
	const seqs = job.reports.map(({ seq }) => seq);
	expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
});

test("runner and ffmpeg killed: what was captured arrives and plays, and the job tells the truth", async () => {
	const job = interrupt();
	await status(job, "recording");
	await pause(2_000);
	await killRunner();
	const killedAt = Date.now();
	for (const pid of await ffmpegs()) process.kill(pid, "SIGKILL");
	await start();
	await until(
		() => reasonOf(job) === "ffmpeg_failed",
		() => runner.output(),
	);
	await until(
		() => job.uploadComplete,
		() => runner.output(),
	);
	const video = await probe(await dashboard.video(job));
	expect(video.faults).toBe("");
	const first = Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "");
	expect((killedAt - first) / 1_000 - video.durationSeconds).toBeLessThan(2);
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
});

test("a selenium_idle job goes on under the next runner, with the password asked for again and never on disk", async () => {
	const grid = await startFakeGrid();
	grid.credentials = { username: "me", password: "the secret of the grid" };
	grid.say({ kind: "sessions", count: 1 });
	try {
		const stopConditionConfig = { gridUrl: grid.url, gridUsername: "me", gridPassword: "the secret of the grid" };
		const job = dashboard.order(display.id, { stopCondition: "selenium_idle", stopConditionConfig });
		await status(job, "recording");
		await until(() => grid.requests.length > 1, "polls");
		await killRunner();
		const folder = (await spooled(dataDir))[0];
		expect(await readFile(`${dataDir}/jobs/${folder}/manifest.json`, "utf8")).not.toContain("the secret");
		dashboard.tellsPasswords = false;
		grid.requests.length = 0;
		await start();
		await pause(1_500);
		expect(grid.requests.filter(({ authorization }) => authorization === undefined)).toEqual([]);
		dashboard.tellsPasswords = true;
		await until(
			() => grid.requests.length > 1,
			() => `polls again:\n${runner.output()}`,
		);
		grid.say({ kind: "sessions", count: 0 });
		await status(job, "completed");
		expect(reasonOf(job)).toBe("selenium_idle");
	} finally {
		await grid.stop();
	}
});

test("the dashboard gone for a while: recording goes on and every byte arrives", async () => {
	const job = interrupt();
	await status(job, "recording");
	await pause(800);
	await dashboard.goDown();
	await pause(2_500);
	await dashboard.listen();
	dashboard.cancel(job);
	await status(job, "completed");
	const video = await probe(await dashboard.video(job));
	expect(video.faults).toBe("");
	expect(video.durationSeconds).toBeGreaterThan(3);
});

test("a stalled network is noticed within 10 s; afterwards everything catches up", { timeout: 60_000 }, async () => {
	const proxy = await startTcpProxy(dashboard.url);
	const folder = await temporaryFolder();
	const behind = startRunner({ url: proxy.url, dataDir: folder });
	try {
		await runner.stop();
		await behind.says("Connected to");
		const job = interrupt();
		await status(job, "recording");
		await pause(500);
		const stalledAt = performance.now();
		proxy.stall();
		await behind.says("does not answer");
		expect(performance.now() - stalledAt).toBeLessThan(10_500);
		dashboard.cancel(job);
		await pause(1_000);
		expect(job.status).toBe("recording");
		proxy.resume();
		await status(job, "completed");
		expect(reasonOf(job)).toBe("cancelled");
		const video = await probe(await dashboard.video(job));
		expect(video.faults).toBe("");
		expect(video.durationSeconds).toBeGreaterThan((performance.now() - stalledAt) / 1_000 - 6);
	} finally {
		await behind.stop();
		await proxy.stop();
		await nothingLeft(folder);
		await removeFolder(folder);
	}
});

test("SIGTERM: recordings end, are delivered, and it exits 0 within 8 s", async () => {
	const jobs = [interrupt(), interrupt()];
	for (const job of jobs) await status(job, "recording");
	const askedAt = performance.now();
	// A package manager and a terminal pass the same signal on: it counts once.
	runner.process.kill("SIGTERM");
	runner.process.kill("SIGTERM");
	expect(await runner.exited).toBe(0);
	expect(performance.now() - askedAt).toBeLessThan(8_000);
	for (const job of jobs) {
		expect(job.status).toBe("completed");
		expect(reasonOf(job)).toBe("runner_shutdown");
	}
	expect(await spooled(dataDir)).toEqual([]);
});

test("SIGTERM without a dashboard: it exits 0 within 8 s, and the next start delivers", {
	timeout: 40_000,
}, async () => {
	const job = interrupt();
	await status(job, "recording");
	await dashboard.goDown();
	const askedAt = performance.now();
	runner.process.kill("SIGTERM");
	expect(await runner.exited).toBe(0);
	expect(performance.now() - askedAt).toBeLessThan(8_000);
	expect(await ffmpegs()).toEqual([]);
	await dashboard.listen();
	await start();
	await status(job, "completed");
	expect(reasonOf(job)).toBe("runner_shutdown");
});

test("a second SIGTERM after a second leaves at once", async () => {
	await status(interrupt(), "recording");
	await dashboard.goDown();
	runner.process.kill("SIGTERM");
	await pause(1_100);
	const againAt = performance.now();
	runner.process.kill("SIGTERM");
	await runner.exited;
	expect(performance.now() - againAt).toBeLessThan(1_000);
	// What it left is found by the next one, which also ends the watchdog that was left in charge.
	await dashboard.listen();
	await start();
});

test("the runner killed while ffmpeg waits for a first frame that never comes: its successor gives the job up in time", async () => {
	await runner.stop();
	const program = `${dataDir}/silent-ffmpeg`;
	await writeFile(program, '#!/bin/sh\ncase "$*" in *x11grab*) exec sleep 600;; esac\nexec ffmpeg "$@"\n');
	await chmod(program, 0o755);
	const silent = async () => {
		runner = startRunner({ url: dashboard.url, dataDir, env: { TAPEDECK_FFMPEG: program } });
		await runner.says("Connected to");
	};
	await silent();
	const job = interrupt();
	await until(async () => (await spooled(dataDir)).length === 1, "the job's folder");
	await until(
		async () =>
			(await readFile(`${dataDir}/jobs/${(await spooled(dataDir))[0]}/part-1.pid`, "utf8").catch(() => "")) !== "",
		"its ffmpeg",
	);
	await killRunner();
	await silent();
	dashboard.cancel(job);
	await status(job, "cancelled");
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
});

test("ffmpeg and then the runner killed: the successor tells the gap that its predecessor had no time to tell", async () => {
	const job = interrupt();
	await status(job, "recording");
	await pause(800);
	const [first] = await ffmpegs();
	process.kill(first as number, "SIGKILL");
	await until(async () => (await ffmpegs()).some((pid) => pid !== first), "the next ffmpeg");
	await killRunner();
	await start();
	await runner.says("taken up again");
	await until(
		() => notesOf(job).length === 1,
		() => runner.output(),
	);
	const { event, data } = notesOf(job)[0] ?? {};
	expect(event).toBe("capture_resumed");
	expect(data).toMatchObject({ part: 2 });
	expect(data?.atSeconds).toBeGreaterThan(0.3);
	expect(data?.gapSeconds).toBeGreaterThan(0.05);
	dashboard.cancel(job);
	await status(job, "completed");
	expect(notesOf(job)).toHaveLength(1);
});
