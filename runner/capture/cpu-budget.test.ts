/** A budget of processor time: with processes that take it, and with the recordings of a runner. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startChild } from "../../test/processes/child.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { pause, until } from "../../test/wait.ts";
import { silentLog } from "../base/log.ts";
import { parseStat } from "../base/process-id.ts";
import { CpuBudget } from "./cpu-budget.ts";

const scene = runnerScene();

const noted = (job: FakeJob, event: string, times = 1) =>
	until(
		() => notesOf(job, event).length >= times,
		() => `${event} ${times} times:\n${scene.runner.output()}`,
		90_000,
	);

/** Every recording takes more. */
const LITTLE = { TAPEDECK_CPU_BUDGET: "0.01%" };

async function frameTimes(video: Buffer): Promise<number[]> {
	const file = join(scene.folder, "budget.mp4");
	await writeFile(file, video);
	const asked = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", file];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), asked);
	return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number.parseFloat(line)]));
}

test("a process that takes a processor lowers the rate, and one that is stopped lets it rise", {
	timeout: 120_000,
}, async () => {
	const busy = startChild("/bin/sh", ["-c", "while :; do :; done"]);
	const { pid = 0 } = busy.process;
	const id = parseStat(await readFile(`/proc/${pid}/stat`, "utf8"));
	const [budget, closed] = [new CpuBudget(0.001, silentLog), new AbortController()];
	const running = budget.run(closed.signal);
	try {
		const said: string[] = [];
		budget.add({ framesPerSecond: 15, process: () => id, exceeded: (message) => void said.push(message) });
		expect(budget.rateOf(15)).toBe(15);
		await until(() => budget.rateOf(15) === 8, "the rate is lowered", 60_000);
		expect(budget.reason).toMatch(/^the recordings took [\d.]+ % of the processors, the budget is 0\.1 %$/);
		expect([budget.rateOf(60), budget.rateOf(5)]).toEqual([8, 5]);
		process.kill(pid, "SIGSTOP");
		await until(() => budget.rateOf(15) === 15, "the rate is raised", 90_000);
	} finally {
		closed.abort();
		await running;
		process.kill(pid, "SIGKILL");
		await busy.exited;
	}
});

test("above the budget, a recording falls to the lowest rate in one video, of its exact length, and says why", {
	timeout: 180_000,
}, async () => {
	await scene.start({ env: LITTLE });
	const job = scene.duration(45);
	await noted(job, "budget_exceeded");
	await scene.status(job, "completed", 120_000);
	const lowered = notesOf(job, "frame_rate_lowered");
	expect(lowered.map(({ data }) => data?.framesPerSecond)).toEqual([8, 4, 2]);
	for (const { message } of lowered) {
		expect(message).toMatch(
			/^The rate was lowered to \d frames\/s: the recordings took [\d.]+ % of the processors, the budget is 0\.01 %; recording continued after a gap of \d+\.\d s\.$/,
		);
	}
	expect(notesOf(job, "budget_exceeded")).toMatchObject([
		{ message: expect.stringMatching(/^The frame rate is as low as it gets/) },
	]);
	const video = await scene.dashboard.video(job);
	expect(await probe(video)).toMatchObject({ durationSeconds: expect.closeTo(45, 3), faults: "" });
	const last = lowered.at(-1)?.data as { atSeconds: number; gapSeconds: number };
	const slow = (await frameTimes(video)).filter((at) => at >= last.atSeconds + last.gapSeconds);
	expect(slow.length).toBeGreaterThan(0);
	// And the one that ends the video.
	expect(slow.length).toBeLessThanOrEqual(2 * (45 - last.atSeconds - last.gapSeconds) + 2);
});

test("a recording whose runner has a budget lets other programs go first", async () => {
	await scene.start({ env: LITTLE });
	const job = scene.interrupt();
	await scene.status(job, "recording");
	const niceness = getPriority(scene.runner.process.pid ?? 0);
	for (const pid of await scene.ffmpegs()) expect(getPriority(pid)).toBe(Math.min(19, niceness + 5));
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
});

test("once there is room, the rate rises in the same video, also of a recording of a runner before", {
	timeout: 180_000,
}, async () => {
	await scene.start({ env: LITTLE });
	const job = scene.interrupt();
	await noted(job, "frame_rate_lowered");
	await scene.kill();
	await scene.start();
	await noted(job, "frame_rate_raised");
	expect(notesOf(job, "frame_rate_raised")[0]).toMatchObject({
		...{ data: { framesPerSecond: 15 }, message: expect.stringMatching(/^The rate was raised to 15 frames\/s: /) },
	});
	await pause(700);
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
});
