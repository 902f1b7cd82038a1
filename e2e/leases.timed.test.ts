/** Runners that fall silent, come back, or share a name: each job ends in the state that is true. */
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settableClock } from "#test/displays/clock.ts";
import { interrupt, openScene, type Scene, type SceneRunner } from "#test/runners/fault-scene.ts";
import { newFolder, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { startTcpProxy, type TcpProxy } from "#test/servers/tcp-proxy.ts";
import { pause, until } from "#test/wait.ts";

/** Delays of a busy machine; a wrong clock that was believed would be off by half an hour. */
const CLOCK_TOLERANCE_MS = 3_000;

let scene: Scene;
const folders: string[] = [];
const networks: TcpProxy[] = [];

beforeAll(async () => {
	scene = await openScene();
});
afterAll(async () => {
	await scene?.stop();
	for (const network of networks) await network.stop();
	for (const folder of folders) await removeFolder(folder);
});

/** Waits until a job is declared lost, not sooner than the lease allows. The uploaded part must be playable. */
async function expectLost(id: number, silentSince: number): Promise<void> {
	const lost = await scene.status(id, "failed", 45_000);
	// The last call before the silence was a poll of up to 5 s.
	expect(performance.now() - silentSince).toBeGreaterThan(24_000);
	expect(lost).toMatchObject({ stopReason: "runner_lost", error: { code: "runner_lost" } });
	expect(lost.recording?.state).toBe("partial");
	const video = await scene.video(lost);
	expect(video.faults).toBe("");
	expect(video.durationSeconds).toBeGreaterThan(1);
}

const recordedFor = async (id: number, ms: number) => {
	await scene.status(id, "recording");
	await until(
		async () => ((await scene.dashboard.api.readJob(id)).recording?.bytes ?? 0) > 0,
		`bytes of job ${id} arrive`,
	);
	await pause(ms);
};

test.concurrent("a silent runner loses its job provisionally, and returns it with everything that it recorded meanwhile", async () => {
	const runner = await scene.addRunner("silent");
	const id = await runner.order(interrupt);
	await recordedFor(id, 2_000);
	runner.child().process.kill("SIGSTOP");
	const silentSince = performance.now();
	try {
		await expectLost(id, silentSince);
		expect((await scene.dashboard.api.cancelJob(id)).status).toBe("failed");
	} finally {
		runner.child().process.kill("SIGCONT");
	}
	const job = await scene.status(id, "completed");
	expect(job).toMatchObject({ stopReason: "cancelled", error: null, recording: { state: "ready" } });
	expect(await scene.history(id)).toEqual(expect.arrayContaining(["runner_lost", "runner_returned", "completed"]));
	const video = await scene.video(job);
	expect(video.faults).toBe("");
	expect(video.durationSeconds).toBeGreaterThan(27);
});

test.concurrent("a runner that returns after its job was declared lost continues with the encoder that survived", async () => {
	const runner = await scene.addRunner("restarted");
	const id = await runner.order(interrupt);
	await recordedFor(id, 2_000);
	const silentSince = performance.now();
	await runner.kill();
	await expectLost(id, silentSince);
	await runner.startAgain();
	await scene.status(id, "recording");
	await scene.dashboard.api.cancelJob(id);
	const job = await scene.status(id, "completed");
	expect(job).toMatchObject({ stopReason: "cancelled", error: null, recording: { state: "ready" } });
	const video = await scene.video(job);
	expect(video.faults).toBe("");
	expect(video.durationSeconds).toBeGreaterThan(27);
});

test.concurrent("a runner that returns without its encoder replaces the provisional outcome with the real one", async () => {
	const runner = await scene.addRunner("without encoder");
	const id = await runner.order(interrupt);
	await recordedFor(id, 2_000);
	const silentSince = performance.now();
	await runner.kill();
	for (const pid of await runner.encoders()) process.kill(pid, "SIGKILL");
	await expectLost(id, silentSince);
	await runner.startAgain();
	const isReal = async () => (await scene.dashboard.api.readJob(id)).stopReason === "ffmpeg_failed";
	await until(isReal, "the reason is ffmpeg_failed");
	const job = await scene.status(id, "failed");
	expect(job).toMatchObject({ error: { code: "ffmpeg_failed" }, recording: { state: "ready" } });
	expect((await scene.video(job)).faults).toBe("");
});

test.concurrent("a second process with a runner's name is refused with a message, and the first keeps recording", async () => {
	const runner = await scene.addRunner("twin");
	const id = await runner.order(interrupt);
	await recordedFor(id, 0);
	const second = startRunner({
		url: scene.dashboard.url,
		dataDir: join(runner.dataDir, "..", "second"),
		env: { TAPEDECK_TOKEN: scene.dashboard.runnerToken, TAPEDECK_RUNNER_NAME: "twin" },
	});
	expect(await second.exited).toBe(1);
	expect(second.output()).toContain('Another runner is connected under the name "twin"');
	await scene.dashboard.api.cancelJob(id);
	expect((await scene.status(id, "completed")).stopReason).toBe("cancelled");
	expect(await scene.history(id)).not.toContain("runner_lost");
});

test.concurrent("a process that takes a silent runner's name: the job is lost, and the first runner is refused when it resumes", async () => {
	const runner = await scene.addRunner("replaced");
	const id = await runner.order(interrupt);
	await recordedFor(id, 1_500);
	runner.child().process.kill("SIGSTOP");
	const second = startRunner({
		url: scene.dashboard.url,
		dataDir: join(runner.dataDir, "..", "second"),
		env: { TAPEDECK_TOKEN: scene.dashboard.runnerToken, TAPEDECK_RUNNER_NAME: "replaced" },
	});
	try {
		await second.says("Connected to");
		// The second process does not list the recording, so it is lost at once.
		const lost = await scene.status(id, "failed");
		expect(lost).toMatchObject({ stopReason: "runner_lost", recording: { state: "partial" } });
		expect((await scene.video(lost)).faults).toBe("");
	} finally {
		runner.child().process.kill("SIGCONT");
	}
	expect(await runner.child().exited).toBe(1);
	expect(runner.child().output()).toContain('Another runner is connected under the name "replaced"');
	expect((await scene.dashboard.api.readJob(id)).stopReason).toBe("runner_lost");
	await until(async () => (await runner.encoders()).length === 0, "its encoder ends with it", 30_000);
	const other = await scene.dashboard.api.createJob({
		...{ runnerId: runner.id, displayId: scene.display.id, stopCondition: "duration" },
		stopConditionConfig: { durationSeconds: 1 },
	});
	expect((await scene.status(other.id, "completed")).stopReason).toBe("duration_elapsed");
	await second.stop();
});

/** A runner whose clock, and whose encoders' clock, can be set. */
async function runnerWithClock(name: string, url?: string) {
	const folder = await newFolder();
	folders.push(folder);
	const clock = await settableClock(folder);
	const env = { ...clock.env, TAPEDECK_FFMPEG: await clock.wrap("ffmpeg") };
	return { clock, runner: await scene.addRunner(name, { url, env }) };
}

/** The difference by which a runner's clock is ahead, in seconds, by its last log line. */
const aheadBy = ({ child }: SceneRunner): number => {
	const last = child().output().trim().split("\n").at(-1) ?? "";
	return (Date.parse(last.slice(0, last.indexOf(" "))) - Date.now()) / 1_000;
};

const instantsOf = (job: Job) => ({
	startedAt: Date.parse(job.startedAt ?? ""),
	stoppedAt: Date.parse(job.stoppedAt ?? ""),
});

test.concurrent.each([
	["ahead", 3_600],
	["behind", -3_600],
])("a runner whose clock jumps an hour %s keeps its jobs, and every instant is reported in the dashboard's time", async (way, jump) => {
	const { clock, runner } = await runnerWithClock(`clock ${way}`);
	const from = Date.now();
	const id = await runner.order(interrupt);
	const fixed = await runner.order({ stopCondition: "duration", stopConditionConfig: { durationSeconds: 12 } });
	await recordedFor(id, 3_000);
	await clock.set(jump);
	await pause(5_000);
	// And part of the way back.
	await clock.set(jump / 2);
	await pause(3_000);
	await scene.dashboard.api.cancelJob(id);
	const job = await scene.status(id, "completed");
	expect(Math.abs(aheadBy(runner) - jump / 2)).toBeLessThan(60);
	const { startedAt, stoppedAt } = instantsOf(job);
	expect(job).toMatchObject({ stopReason: "cancelled", error: null });
	expect(startedAt).toBeGreaterThanOrEqual(from - CLOCK_TOLERANCE_MS);
	expect(stoppedAt).toBeLessThanOrEqual(Date.now() + CLOCK_TOLERANCE_MS);
	const video = await scene.video(job);
	expect(video.faults).toBe("");
	expect(Math.abs(video.durationSeconds * 1_000 - (stoppedAt - startedAt))).toBeLessThan(CLOCK_TOLERANCE_MS);
	expect(await scene.history(id)).not.toContain("runner_lost");
	const whole = await scene.status(fixed, "completed");
	expect(whole).toMatchObject({ stopReason: "duration_elapsed", recording: { durationSeconds: 12 } });
	expect(Math.abs(instantsOf(whole).stoppedAt - instantsOf(whole).startedAt - 12_000)).toBeLessThan(CLOCK_TOLERANCE_MS);
});

test.concurrent("setting the clock when the network returns does not move what happened meanwhile", async () => {
	const network = await startTcpProxy(scene.dashboard.url);
	networks.push(network);
	const { clock, runner } = await runnerWithClock("clock set late", network.url);
	const id = await runner.order({ stopCondition: "duration", stopConditionConfig: { durationSeconds: 4 } });
	await scene.status(id, "recording");
	network.drop();
	await runner.child().says("ended after 4.0 s");
	const endedAt = Date.now();
	await clock.set(3_600);
	await pause(2_000);
	network.resume();
	const { stoppedAt } = instantsOf(await scene.status(id, "completed"));
	expect(Math.abs(stoppedAt - endedAt)).toBeLessThan(CLOCK_TOLERANCE_MS);
});
