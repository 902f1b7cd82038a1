import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { writeXauthority } from "../test/displays/xauthority.ts";
import { reservedNumber, startXvfb } from "../test/displays/xvfb.ts";
import { inExplore } from "../test/in-explore.ts";
import { requireProgram } from "../test/processes/programs.ts";
import { type FakeJob, movesOf } from "../test/runners/fake-job.ts";
import { nothingLeft, type Probe, probe } from "../test/runners/runner-process.ts";
import { runnerScene } from "../test/runners/runner-scene.ts";
import { pause, until } from "../test/wait.ts";

const scene = runnerScene({ display: { width: 641, height: 361 } });
const { interrupt, duration, reasonOf, spoolEmpty } = scene;

beforeEach(async () => {
	await scene.start();
});

const ended = (job: FakeJob, timeoutMs = 40_000) =>
	until(
		() => ["completed", "failed", "cancelled"].includes(job.status),
		() => `job ended, but it is ${job.status}:\n${scene.runner.output()}`,
		timeoutMs,
	);
const recording = (job: FakeJob) => scene.status(job, "recording");

/** Probes the video of an ended job: it must decode without errors and be as long as the reports say. */
async function videoOf(job: FakeJob): Promise<Probe> {
	const video = await probe(await scene.dashboard.video(job));
	const [from, to] = ["recording", "stopped"].map((type) => job.reports.find((report) => report.type === type)?.at);
	expect(video.faults).toBe("");
	const reportedSeconds = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1_000;
	// A video can end up to a frame ahead of the clock, but its end is never reported early.
	expect(Math.abs(video.durationSeconds - reportedSeconds)).toBeLessThan(0.15);
	return video;
}

/** The times of a video's frames, in seconds. */
async function frameTimes(video: Buffer): Promise<number[]> {
	const file = join(scene.folder, "times.mp4");
	await writeFile(file, video);
	const asked = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", file];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), asked);
	return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number.parseFloat(line)]));
}

test("a cap of 2 s ends a job without a duration of its own at 2 s, to the frame, and the video is complete", async () => {
	const { display, dashboard } = scene;
	const rule = { stopCondition: "interrupt", stopConditionConfig: {}, maxDurationSeconds: 2 } as const;
	const job = dashboard.order(display.id, rule);
	await ended(job);
	expect([job.status, reasonOf(job)]).toEqual(["completed", "duration_cap"]);
	await videoOf(job);
	const times = await frameTimes(await dashboard.video(job));
	// One frame. Where a busy machine was late, the frames' own times say by how much.
	const longest = Math.max(1 / 15, ...times.slice(1).map((at, index) => at - (times[index] as number)));
	expect(Math.abs((times.at(-1) as number) - 2), `frames at ${times.join(", ")}`).toBeLessThan(longest + 0.001);
	await spoolEmpty();
});

test("the runner says how much video the dashboard does not have yet, to the byte, and when it has all", async () => {
	const { dashboard } = scene;
	dashboard.isFull = true;
	const job = duration(2);
	await until(() => reasonOf(job) === "duration_elapsed", "the recording ended");
	const { waitingBytes } = dashboard;
	const said = waitingBytes.length;
	await until(() => waitingBytes.length >= said + 2 && waitingBytes.at(-1) === waitingBytes.at(-2), "it said so twice");
	const [size] = waitingBytes.slice(-1);
	dashboard.isFull = false;
	await ended(job);
	expect((await dashboard.video(job)).length).toBe(size);
	await until(() => waitingBytes.at(-1) === 0, "it said that nothing is left");
	await spoolEmpty();
});

test("a duration job is exact to the frame, cropped to even sizes, and leaves the spool empty", async () => {
	const job = duration(3);
	await ended(job);
	expect(job.status).toBe("completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	const video = await probe(await scene.dashboard.video(job));
	expect(video).toMatchObject({ durationSeconds: expect.closeTo(3, 3), width: 640, height: 360, faults: "" });
	expect(job.reports.map(({ seq }) => seq)).toEqual(job.reports.map((_, index) => index + 1));
	const [first, last, ...others] = movesOf(job);
	expect(others).toEqual([]);
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThan(2_850);
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeLessThanOrEqual(3_000);
	await spoolEmpty();
	// The last stills are sent after the video.
	expect(job.posters.length).toBeGreaterThan(0);
});

test("an interrupt job records until it is cancelled, and most of its video has arrived by then", async () => {
	const job = interrupt();
	await recording(job);
	const recordingSince = performance.now();
	// Several fragments, of half a second each.
	const sizes = new Set<number>();
	const arriving = async () => (await scene.dashboard.video(job).catch(() => Buffer.alloc(0))).length;
	await until(async () => sizes.add(await arriving()).size > 6, "bytes arrive while it records");
	expect([job.status, job.uploadComplete]).toEqual(["recording", false]);
	const arrived = await arriving();
	const cancelledAt = performance.now();
	scene.dashboard.cancel(job);
	await ended(job);
	expect(reasonOf(job)).toBe("cancelled");
	expect((await scene.dashboard.video(job)).length).toBeGreaterThan(arrived);
	expect((await videoOf(job)).durationSeconds).toBeGreaterThan((cancelledAt - recordingSince) / 1_000 - 0.1);
});

test("several jobs record one display at the same time and end independently", async () => {
	const open = interrupt();
	await recording(open);
	const jobs = [1, 2].map((durationSeconds) => duration(durationSeconds));
	await Promise.all(jobs.map((job) => ended(job)));
	expect(open.status).toBe("recording");
	scene.dashboard.cancel(open);
	await ended(open);
	expect((await videoOf(open)).durationSeconds).toBeGreaterThan(1);
	const lengths = await Promise.all(
		jobs.map(async (job) => (await probe(await scene.dashboard.video(job))).durationSeconds),
	);
	expect(lengths).toEqual([expect.closeTo(1, 3), expect.closeTo(2, 3)]);
});

test("a job whose display dies ends as display_lost and keeps what was captured", async () => {
	const doomed = await startXvfb({ number: reservedNumber() });
	const job = interrupt(doomed.id);
	await recording(job);
	await until(() => job.uploadId !== null, "bytes arrive");
	const recordingSince = performance.now();
	await pause(1_000);
	const killedAt = performance.now();
	await doomed.kill();
	await until(
		// The upload and the report arrive in either order.
		() => job.uploadComplete && reasonOf(job) !== undefined,
		() => scene.runner.output(),
	);
	expect(reasonOf(job)).toBe("display_lost");
	// A crash costs at most half a second of video.
	expect((await videoOf(job)).durationSeconds).toBeGreaterThan((killedAt - recordingSince) / 1_000 - 0.5);
	await spoolEmpty();
	await doomed.stop();
});

inExplore(test)(
	"a job fails when its display does not appear within 10 s; cancelled while waiting, it leaves no video",
	async () => {
		const [waiting, cancelled] = [interrupt(":54321"), interrupt(":54322")];
		await until(() => cancelled.status === "starting", "it starts");
		scene.dashboard.cancel(cancelled);
		await ended(cancelled);
		expect(cancelled.status).toBe("cancelled");
		expect(waiting.status).toBe("starting");
		await ended(waiting);
		expect(waiting.reports).toMatchObject([{ type: "failed", code: "display_unavailable" }]);
		expect([waiting.uploadId, cancelled.uploadId]).toEqual([null, null]);
	},
);

inExplore(test)("a display that appears while its job waits is recorded", async () => {
	// Not a low number, which another server could take in the meantime.
	const gone = await startXvfb({ number: reservedNumber() });
	await gone.stop();
	const job = duration(1, gone.id);
	await until(() => job.status === "starting", "it starts");
	const back = await startXvfb({ number: gone.number });
	await ended(job);
	expect(job.status).toBe("completed");
	expect(await videoOf(job)).toMatchObject({ durationSeconds: expect.closeTo(1, 3) });
	await back.stop();
});

test("a job whose recording is deleted in the dashboard ends and leaves nothing behind", async () => {
	const job = interrupt();
	await recording(job);
	scene.dashboard.deleteRecording(job);
	await spoolEmpty();
	await nothingLeft(`${scene.dataDir}/jobs`);
});

inExplore(test)(
	"a display that refuses the runner fails the job with the remedy, and is recorded by a runner that has its cookie",
	async () => {
		const auth = join(scene.folder, "authority");
		await writeXauthority(auth, randomBytes(16));
		const guarded = await startXvfb({ auth });
		try {
			const refused = duration(1, guarded.id);
			await ended(refused);
			const report = refused.reports.find(({ type }) => type === "failed");
			expect(report).toMatchObject({ code: "display_unavailable", message: expect.stringContaining("XAUTHORITY") });
			await scene.runner.stop();
			scene.launch({ env: { XAUTHORITY: auth } });
			const allowed = duration(1, guarded.id);
			await ended(allowed);
			expect(reasonOf(allowed)).toBe("duration_elapsed");
			expect(await probe(await scene.dashboard.video(allowed))).toMatchObject({
				durationSeconds: expect.closeTo(1, 3),
				faults: "",
			});
		} finally {
			await guarded.stop();
		}
	},
);
