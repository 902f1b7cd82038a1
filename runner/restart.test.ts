import { chmod, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { startFakeGrid } from "../test/grids/fake-grid.ts";
import { inExplore } from "../test/in-explore.ts";
import type { FakeJob } from "../test/runners/fake-job.ts";
import { probe, spooled } from "../test/runners/runner-process.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { startTcpProxy } from "../test/servers/tcp-proxy.ts";
import { pause, until } from "../test/wait.ts";

const scene = runnerScene();
const { start, kill, interrupt, duration, status, reasonOf, ffmpegs, spoolEmpty } = scene;

/** Start-up time of the last runner, in seconds. */
let startSeconds = 0;
beforeEach(async () => {
	const startedAt = performance.now();
	await start();
	startSeconds = (performance.now() - startedAt) / 1_000;
});

const notesOf = (job: FakeJob) => job.reports.flatMap((report) => (report.type === "note" ? [report] : []));
/** Length of a job's video in seconds; it must decode without errors. */
async function secondsOf(job: FakeJob): Promise<number> {
	const { faults, durationSeconds } = await probe(await scene.dashboard.video(job));
	expect(faults).toBe("");
	return durationSeconds;
}

test("after a kill, a duration job that is still recording ends at the right frame", async () => {
	// Long enough that a busy machine has started the next runner before its end.
	const seconds = Math.ceil(5 + 4 * startSeconds);
	const job = duration(seconds);
	await status(job, "recording");
	await pause(1_000);
	await kill();
	expect(await ffmpegs()).toHaveLength(1);
	await pause(800);
	await start();
	await scene.runner.says("resuming the recording");
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({
		durationSeconds: expect.closeTo(seconds, 3),
		faults: "",
	});
	await spoolEmpty();
});

/** Kills the runner, and starts it again after ffmpeg has ended by itself. The video must be two seconds long and decode. */
async function endsWithoutRunner(job: FakeJob): Promise<void> {
	await status(job, "recording");
	await kill();
	await until(async () => (await ffmpegs()).length === 0, "ffmpeg has ended by itself");
	await start();
	await status(job, "completed");
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({
		durationSeconds: expect.closeTo(2, 3),
		faults: "",
	});
}

inExplore(test)("after a kill, a duration job that ended in the meantime is delivered completely", async () => {
	const job = duration(2);
	await endsWithoutRunner(job);
	expect(reasonOf(job)).toBe("duration_elapsed");
});

test("after a kill, a recording with a cap ends at its cap although no runner is running, and is delivered completely", async () => {
	const rule = { stopCondition: "interrupt", stopConditionConfig: {}, maxDurationSeconds: 2 } as const;
	const job = scene.dashboard.order(scene.display.id, rule);
	await endsWithoutRunner(job);
	expect(reasonOf(job)).toBe("duration_cap");
});

inExplore(test)("after a kill, the restarted runner carries out a cancel requested in the meantime", async () => {
	const job = interrupt();
	await status(job, "recording");
	const recordingSince = performance.now();
	await kill();
	await pause(1_000);
	const cancelledAt = performance.now();
	scene.dashboard.cancel(job);
	await start();
	await status(job, "completed");
	expect(reasonOf(job)).toBe("cancelled");
	// ffmpeg kept recording while no runner was running.
	expect(await secondsOf(job)).toBeGreaterThan((cancelledAt - recordingSince) / 1_000 - 0.1);
	const seqs = job.reports.map(({ seq }) => seq);
	expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
});

test("when runner and ffmpeg are killed, the captured video arrives and plays, and the job reports the interruption", async () => {
	const job = interrupt();
	await status(job, "recording");
	await pause(2_000);
	await kill();
	const killedAt = Date.now();
	for (const pid of await ffmpegs()) process.kill(pid, "SIGKILL");
	await start();
	await until(
		() => reasonOf(job) === "ffmpeg_failed",
		() => scene.runner.output(),
	);
	await until(
		() => job.uploadComplete,
		() => scene.runner.output(),
	);
	const first = Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "");
	const lost = (killedAt - first) / 1_000 - (await secondsOf(job));
	expect(lost).toBeLessThan(2);
	// Nothing is captured after the kill, except until the signal reaches ffmpeg.
	expect(lost).toBeGreaterThan(-0.5);
	await spoolEmpty();
});

inExplore(test)(
	"a job cancelled after runner and ffmpeg were killed is reported as interrupted, not as cancelled",
	async () => {
		const job = interrupt();
		await status(job, "recording");
		await pause(1_000);
		await kill();
		for (const pid of await ffmpegs()) process.kill(pid, "SIGKILL");
		scene.dashboard.cancel(job);
		await start();
		await until(
			() => reasonOf(job) !== undefined,
			() => scene.runner.output(),
		);
		expect(reasonOf(job)).toBe("ffmpeg_failed");
		await spoolEmpty();
		expect(await secondsOf(job)).toBeGreaterThan(0.5);
	},
);

describe("when runner and ffmpeg are killed before the first frame is on the disk", () => {
	async function expectFails(job: FakeJob): Promise<void> {
		const [folder = ""] = await spooled(scene.dataDir);
		await truncate(join(scene.dataDir, "jobs", folder, "part-1.mp4"));
		await start();
		await status(job, "failed");
		expect(job.reports.find(({ type }) => type === "cancelled")).toBeUndefined();
		expect(job.reports.find(({ type }) => type === "failed")).toMatchObject({
			code: "ffmpeg_failed",
			message: expect.stringMatching(/^The recording was interrupted: .*Nothing was captured/),
		});
		await spoolEmpty();
	}

	test.each(["fails", "also fails if it is cancelled afterwards"])("a job that is recording %s", async (how) => {
		const job = interrupt();
		await status(job, "recording");
		await kill();
		for (const pid of await ffmpegs()) process.kill(pid, "SIGKILL");
		if (how.includes("cancelled")) scene.dashboard.cancel(job);
		await expectFails(job);
	});

	test("a job that the runner was stopping, after a cancel, fails", async () => {
		const job = interrupt();
		await status(job, "recording");
		const pids = await ffmpegs();
		for (const pid of pids) process.kill(pid, "SIGSTOP");
		scene.dashboard.cancel(job);
		const [folder = ""] = await spooled(scene.dataDir);
		const manifest = join(scene.dataDir, "jobs", folder, "manifest.json");
		await until(
			async () => JSON.parse(await readFile(manifest, "utf8")).stop?.reason === "cancelled",
			"it is stopping",
		);
		await kill();
		for (const pid of pids) process.kill(pid, "SIGKILL");
		await expectFails(job);
	});
});

inExplore(test)(
	"a selenium_idle job continues after a restart, with the password requested again and never on disk",
	async () => {
		const grid = await startFakeGrid();
		grid.credentials = { username: "me", password: "the secret of the grid" };
		grid.respondWith({ kind: "sessions", count: 1 });
		try {
			const stopConditionConfig = { gridUrl: grid.url, gridUsername: "me", gridPassword: "the secret of the grid" };
			const job = scene.dashboard.order(scene.display.id, { stopCondition: "selenium_idle", stopConditionConfig });
			await status(job, "recording");
			await until(() => grid.requests.length > 1, "polls");
			await kill();
			const folder = (await spooled(scene.dataDir))[0];
			expect(await readFile(`${scene.dataDir}/jobs/${folder}/manifest.json`, "utf8")).not.toContain("the secret");
			scene.dashboard.sendsPasswords = false;
			grid.requests.length = 0;
			await start();
			await pause(1_500);
			expect(grid.requests.filter(({ authorization }) => authorization === undefined)).toEqual([]);
			scene.dashboard.sendsPasswords = true;
			await until(
				() => grid.requests.length > 1,
				() => `polls again:\n${scene.runner.output()}`,
			);
			grid.respondWith({ kind: "sessions", count: 0 });
			await status(job, "completed");
			expect(reasonOf(job)).toBe("selenium_idle");
			// The recording ends after 5 s without a session.
			expect(await secondsOf(job)).toBeGreaterThan(5);
		} finally {
			await grid.stop();
		}
	},
);

inExplore(test)(
	"a job with an unreadable manifest: its ffmpeg ends, and the log names where the video is kept",
	async () => {
		const job = interrupt();
		await status(job, "recording");
		await pause(1_200);
		await kill();
		const [folder] = await spooled(scene.dataDir);
		await writeFile(join(scene.dataDir, "jobs", folder ?? "", "manifest.json"), "{");
		await start();
		await scene.runner.says("cannot be read");
		expect(await ffmpegs()).toEqual([]);
		const kept = /kept in (\S+)\.$/m.exec(scene.runner.output())?.[1] ?? "";
		const video = await probe(await readFile(join(kept, "part-1.mp4")));
		expect(video.faults).toBe("");
		expect(video.durationSeconds).toBeGreaterThan(0.9);
		await spoolEmpty();
	},
);

inExplore(test)("a stalled network is detected, and everything catches up afterwards", async () => {
	const proxy = await startTcpProxy(scene.dashboard.url);
	await scene.runner.stop();
	const behind = scene.launch({ url: proxy.url });
	try {
		await behind.says("Connected to");
		const job = interrupt();
		await status(job, "recording");
		await pause(500);
		const stalledAt = performance.now();
		proxy.stall();
		// It is a runner that notices: the connections stay open, and no packet says anything.
		await behind.says("does not respond");
		scene.dashboard.cancel(job);
		await pause(1_000);
		expect(job.status).toBe("recording");
		const stalledSeconds = (performance.now() - stalledAt) / 1_000;
		proxy.resume();
		await status(job, "completed");
		expect(reasonOf(job)).toBe("cancelled");
		const video = await probe(await scene.dashboard.video(job));
		expect(video.faults).toBe("");
		// The runner could not know of the cancel before.
		expect(video.durationSeconds).toBeGreaterThan(stalledSeconds);
	} finally {
		await behind.stop();
		await proxy.stop();
	}
});

test("on SIGTERM, the runner ends and delivers recordings and exits 0 within 8 s", async () => {
	const jobs = [interrupt(), interrupt()];
	for (const job of jobs) await status(job, "recording");
	const recordingSince = performance.now();
	await pause(700);
	const askedAt = performance.now();
	// A package manager and a terminal both forward the signal: it counts once.
	scene.runner.process.kill("SIGTERM");
	scene.runner.process.kill("SIGTERM");
	expect(await scene.runner.exited).toBe(0);
	expect(performance.now() - askedAt).toBeLessThan(8_000);
	for (const job of jobs) {
		expect(job.status).toBe("completed");
		expect(reasonOf(job)).toBe("runner_shutdown");
		expect(await secondsOf(job)).toBeGreaterThan((askedAt - recordingSince) / 1_000 - 0.1);
	}
	expect(await spooled(scene.dataDir)).toEqual([]);
});

inExplore(test)(
	"on SIGTERM without a dashboard, the runner exits 0 within 8 s, and the next start delivers",
	async () => {
		const job = interrupt();
		await status(job, "recording");
		const recordingSince = performance.now();
		await scene.dashboard.goDown();
		await pause(700);
		const askedAt = performance.now();
		scene.runner.process.kill("SIGTERM");
		expect(await scene.runner.exited).toBe(0);
		expect(performance.now() - askedAt).toBeLessThan(8_000);
		expect(await ffmpegs()).toEqual([]);
		await scene.dashboard.listen();
		await start();
		await status(job, "completed");
		expect(reasonOf(job)).toBe("runner_shutdown");
		expect(await secondsOf(job)).toBeGreaterThan((askedAt - recordingSince) / 1_000 - 0.1);
	},
);

inExplore(test)("a second SIGTERM after a second exits at once", async () => {
	await status(interrupt(), "recording");
	await scene.dashboard.goDown();
	scene.runner.process.kill("SIGTERM");
	// A busy runner gets it late.
	await scene.runner.says("send it again to exit at once");
	await pause(1_100);
	scene.runner.process.kill("SIGTERM");
	expect(await scene.runner.exited).toBe(1);
	expect(scene.runner.output()).toContain("SIGTERM again: exiting at once.");
	// The next runner finds what this one left, and also ends its watchdog.
	await scene.dashboard.listen();
	await start();
});

inExplore(test)(
	"when the runner is killed while ffmpeg waits for a first frame, the restarted runner fails the job in time",
	async () => {
		await scene.runner.stop();
		const program = `${scene.folder}/silent-ffmpeg`;
		await writeFile(program, '#!/bin/sh\ncase "$*" in *x11grab*) exec sleep 600;; esac\nexec ffmpeg "$@"\n');
		await chmod(program, 0o755);
		const silent = () => start({ env: { TAPEDECK_FFMPEG: program } });
		await silent();
		const job = interrupt();
		await until(async () => (await spooled(scene.dataDir)).length === 1, "the job's folder");
		await until(
			async () =>
				(await readFile(`${scene.dataDir}/jobs/${(await spooled(scene.dataDir))[0]}/part-1.pid`, "utf8").catch(
					() => "",
				)) !== "",
			"its ffmpeg",
		);
		await kill();
		await silent();
		scene.dashboard.cancel(job);
		await status(job, "cancelled");
		await spoolEmpty();
	},
);

inExplore(test)("when ffmpeg and then the runner are killed, the restarted runner reports the gap", async () => {
	const job = interrupt();
	await status(job, "recording");
	await pause(800);
	const [first] = await ffmpegs();
	process.kill(first as number, "SIGKILL");
	await until(async () => (await ffmpegs()).some((pid) => pid !== first), "the next ffmpeg");
	await kill();
	await start();
	await scene.runner.says("resuming the recording");
	const resumed = () => notesOf(job).filter(({ event }) => event === "capture_resumed");
	await until(
		() => resumed().length === 1,
		() => scene.runner.output(),
	);
	const { data } = resumed()[0] ?? {};
	expect(data).toMatchObject({ part: 2 });
	expect(data?.atSeconds).toBeGreaterThan(0.3);
	expect(data?.gapSeconds).toBeGreaterThan(0.05);
	scene.dashboard.cancel(job);
	await status(job, "completed");
	expect(resumed()).toHaveLength(1);
});
