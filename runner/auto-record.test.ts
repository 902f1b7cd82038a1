import type { JobStatus } from "@tapedeck/contract/job-status.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reservedNumber, startXvfb } from "../test/displays/xvfb.ts";
import { type FakeGrid, startFakeGrid } from "../test/grids/fake-grid.ts";
import { inExplore } from "../test/in-explore.ts";
import type { FakeJob } from "../test/runners/fake-job.ts";
import { probe } from "../test/runners/runner-process.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { pause, until } from "../test/wait.ts";

let grid: FakeGrid;
beforeEach(async () => {
	grid = await startFakeGrid();
});
// Registered before the scene's hooks, so that the scene stops its runners first.
afterEach(() => grid.stop());
const scene = runnerScene({ moves: false });
const { reasonOf } = scene;

const start = (env: Record<string, string>, display = scene.display.id) => scene.launch({ display, env });
const jobNumber = (number: number): Promise<FakeJob> =>
	until(
		() => [...scene.dashboard.jobs.values()][number - 1],
		() => `job ${number}:\n${scene.runner.output()}`,
	);
const status = (job: FakeJob, wanted: JobStatus) => scene.status(job, wanted);

test("without a grid, auto-record starts at once and stays stopped after a cancel", async () => {
	start({ SERVICE_AUTO_RECORD: "true", SERVICE_JOB_NAME: "literal names work" });
	const job = await jobNumber(1);
	await status(job, "recording");
	expect(job.order).toMatchObject({
		name: "literal names work",
		displayId: scene.display.id,
		stopCondition: "interrupt",
	});
	scene.dashboard.cancel(job);
	await status(job, "completed");
	expect(reasonOf(job)).toBe("cancelled");
	await pause(1_500);
	expect(scene.dashboard.jobs.size).toBe(1);
});

inExplore(test)(
	"auto-record records while the dashboard is unreachable, and the job appears once it is reachable",
	async () => {
		await scene.dashboard.goDown();
		start({ TAPEDECK_AUTO_RECORD: "true" }, `${scene.display.id}.0`);
		await scene.runner.says("is recording");
		await scene.runner.says("does not respond");
		await pause(1_500);
		await scene.dashboard.listen();
		const job = await jobNumber(1);
		await status(job, "recording");
		scene.dashboard.cancel(job);
		await status(job, "completed");
		const video = await probe(await scene.dashboard.video(job));
		expect(video.faults).toBe("");
		expect(video.durationSeconds).toBeGreaterThan(1.5);
		expect(scene.dashboard.autoJobs).toHaveLength(1);
		const first = job.reports.find((report) => report.type === "recording");
		expect(Date.parse(first?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(scene.dashboard.autoJobs[0]?.at ?? ""));
	},
);

inExplore(test)(
	"after a crash, auto-record goes on although the dashboard is unreachable, and both recordings arrive later",
	async () => {
		const settings = { TAPEDECK_AUTO_RECORD: "true" };
		start(settings);
		await status(await jobNumber(1), "recording");
		await scene.dashboard.goDown();
		await scene.kill();
		for (const pid of await scene.ffmpegs()) process.kill(pid, "SIGKILL");
		start(settings);
		await scene.runner.says("finishing what it recorded");
		await scene.runner.says("is recording");
		await scene.dashboard.listen();
		const again = await jobNumber(2);
		await status(again, "recording");
		await status(await jobNumber(1), "failed");
		scene.dashboard.cancel(again);
		await status(again, "completed");
	},
);

test("with a grid, auto-record stops when idle, and the next session starts the next job", async () => {
	grid.credentials = { username: "me", password: "the secret of the grid" };
	grid.respondWith({ kind: "sessions", count: 0 });
	start({
		TAPEDECK_AUTO_RECORD: "true",
		SE_GRID_URL: grid.url,
		SE_GRID_USERNAME: "me",
		SE_GRID_PASSWORD: "the secret of the grid",
	});
	const first = await jobNumber(1);
	await status(first, "recording");
	// No session yet: until the first-session timeout, idleness does not count.
	await pause(6_500);
	expect(first.status).toBe("recording");
	grid.respondWith({ kind: "sessions", count: 1 });
	// Seen by the recording's own polls: those for the coverage go to the same grid.
	await scene.runner.says("Session session-0 began");
	grid.respondWith({ kind: "sessions", count: 0 });
	await status(first, "completed");
	expect(reasonOf(first)).toBe("selenium_idle");
	await pause(1_200);
	expect(scene.dashboard.jobs.size).toBe(1);

	grid.respondWith({ kind: "sessions", count: 1 });
	const second = await jobNumber(2);
	await status(second, "recording");
	grid.respondWith({ kind: "sessions", count: 0 });
	// A session triggered the recording, so the end of the session ends it.
	await status(second, "completed");
	expect(reasonOf(second)).toBe("selenium_idle");
	expect(JSON.stringify([...scene.dashboard.jobs.values()].map(({ reports }) => reports))).not.toContain("the secret");
	expect(scene.runner.output()).not.toContain("the secret");
});

inExplore(test)("a DISPLAY of <host>:<number> is recorded through that host and offered as :<number>", async () => {
	const remote = await startXvfb({ tcp: true });
	try {
		start({ TAPEDECK_AUTO_RECORD: "true" }, `127.0.0.1:${remote.number}`);
		const job = await jobNumber(1);
		await status(job, "recording");
		expect(job.order.displayId).toBe(remote.id);
		expect(scene.runner.output()).toContain(`is recording 127.0.0.1:${remote.number}.0`);
		scene.dashboard.cancel(job);
		await status(job, "completed");
		expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
	} finally {
		await scene.runner.stop();
		await remote.stop();
	}
});

inExplore(test)("auto-record waits for a display that doesn't exist yet", async () => {
	// Not a low number, which another server could take in the meantime.
	const gone = await startXvfb({ number: reservedNumber() });
	await gone.stop();
	start({ TAPEDECK_AUTO_RECORD: "true" }, gone.id);
	await scene.runner.says("Auto-record is waiting for display");
	const back = await startXvfb({ number: gone.number });
	try {
		await status(await jobNumber(1), "recording");
		await scene.runner.stop();
		expect(reasonOf(await jobNumber(1))).toBe("runner_shutdown");
	} finally {
		await back.stop();
	}
});
