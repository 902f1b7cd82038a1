/**
 * Buffers: a recording that begins in the past has the frames of that time. The display counts milliseconds, so that
 * every frame shows its capture time.
 */

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN } from "../../test/api-server.ts";
import { type CounterDisplay, startCounterDisplay } from "../../test/counter/counter-display.ts";
import { readVideo } from "../../test/counter/read-video.ts";
import { ffmpegStart } from "../../test/displays/ffmpeg-start.ts";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { probe, processesWith } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { frameSizesOf } from "../../test/videos/frame-sizes.ts";
import { pause, until } from "../../test/wait.ts";

const began = performance.now();
const now = () => performance.now() - began;
let display: CounterDisplay;
beforeAll(async () => {
	display = await startCounterDisplay(now);
});
afterAll(() => display.stop());

const scene = runnerScene({ display: null });

const FRAME_SECONDS = 1 / 15;

/** A buffer of one display only, because other tests use other displays of this machine. */
const buffered = (seconds: number, displayId = display.id) => ({
	env: { TAPEDECK_BUFFER: `${seconds}s`, TAPEDECK_DISPLAY_ALLOW: displayId },
});
const bufferFolder = () => join(scene.dataDir, "buffer");
const encoders = () => processesWith(bufferFolder());

/** The video files of all buffers. */
async function parts(): Promise<string[]> {
	const folders = await readdir(bufferFolder()).catch(() => []);
	const names = await Promise.all(folders.map((name) => readdir(join(bufferFolder(), name)).catch(() => [])));
	const files = names.flatMap((each, index) => each.map((name) => join(bufferFolder(), folders[index] ?? "", name)));
	return files.filter((file) => file.endsWith(".mp4"));
}

/** More than a file has before its first fragment. */
const WITH_FRAMES_BYTES = 1_500;

/** The number of parts that have frames. */
async function partsWithFrames(): Promise<number> {
	const sizeOf = (file: string) =>
		stat(file).then(
			({ size }) => size,
			() => 0,
		);
	const sizes = await Promise.all((await parts()).map(sizeOf));
	return sizes.filter((size) => size > WITH_FRAMES_BYTES).length;
}

/** Waits until a buffer has frames in this number of parts, and then for this number of seconds. */
async function fill(seconds: number, inParts = 1): Promise<void> {
	const isThere = async () => (await partsWithFrames()) >= inParts;
	await until(isThere, () => `a buffer records:\n${scene.runner.output()}`);
	await pause(seconds * 1_000);
}

/** A job, and between which moments its runner has taken it: how long that takes is up to the machine. */
interface Ordered {
	job: FakeJob;
	calledAt: number;
	takenBy: number;
}

/** Asks for a recording that begins `preSeconds` ago. @param durationSeconds null: until it is cancelled. */
async function order(preSeconds: number, durationSeconds: number | null, displayId = display.id): Promise<Ordered> {
	const calledAt = now();
	const job =
		durationSeconds === null
			? scene.dashboard.order(displayId, { stopCondition: "interrupt", stopConditionConfig: {}, preSeconds })
			: scene.dashboard.order(displayId, {
					...{ stopCondition: "duration", stopConditionConfig: { durationSeconds } },
					preSeconds,
				});
	await until(() => job.status !== "queued", "the job is taken");
	await until(
		() => job.reports.length > 0,
		() => `the first report:\n${scene.runner.output()}`,
	);
	return { job, calledAt, takenBy: now() };
}

async function framesOf(job: FakeJob) {
	const file = join(scene.folder, `job-${job.order.id}.mp4`);
	await writeFile(file, await scene.dashboard.video(job));
	const { frames, complaints, lengthMs } = await readVideo(file);
	expect(complaints).toBe("");
	return { seconds: lengthMs / 1_000, frames: frames.map(({ at, counter }) => ({ at: at / 1_000, counter })) };
}

/** When its first frame was captured, as the display counts. */
const startOf = (job: FakeJob): number =>
	Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "") - Date.now() + now();

/** Expects each frame to show its moment, except those that a busy machine captured late. */
async function expectMoments(job: FakeJob) {
	const video = await framesOf(job);
	const start = startOf(job);
	const read = video.frames.flatMap(({ at, counter }) =>
		counter === null ? [] : [{ at, shown: (counter - start) / 1_000 }],
	);
	expect(read.filter(({ at, shown }) => Math.abs(at - shown) > 0.5)).toEqual([]);
	const late = read.map(({ at, shown }) => Math.abs(at - shown)).sort((a, b) => a - b);
	// The display paints every 40 ms.
	expect(late[Math.floor(late.length / 2)]).toBeLessThan(FRAME_SECONDS + 0.04);
	return { ...video, start };
}

test("preSeconds: 20 shows what the display showed 20 s before the call, goes on without a hole, and its duration counts from the call", {
	timeout: 120_000,
}, async () => {
	await scene.start(buffered(24));
	await fill(24);
	const [{ job, calledAt, takenBy }, startSeconds] = await Promise.all([order(20, 3), ffmpegStart(display.id)]);
	await scene.status(job, "completed", 60_000);
	const { frames, seconds, start } = await expectMoments(job);
	expect(takenBy - start).toBeGreaterThan(20_000);
	// A key frame comes every two seconds.
	expect(calledAt - start).toBeLessThan(20_000 + 2_000 + 500);
	expect(seconds).toBeGreaterThan((calledAt - start) / 1_000 + 3 - 0.2);
	expect(seconds).toBeLessThan((takenBy - start) / 1_000 + 3 + 0.2);
	const ago = takenBy - 20_000;
	const shown = frames.findLast(
		({ at, counter }) => counter !== null && at * 1_000 <= ago - start + 1_000 * FRAME_SECONDS,
	);
	expect(Math.abs((shown?.counter ?? 0) - ago)).toBeLessThan(2 * FRAME_SECONDS * 1_000 + 40);
	const isBefore = ({ at }: { at: number }) => at < (calledAt - start) / 1_000;
	const gaps = frames.slice(1).map(({ at }, index) => ({ at, gap: at - (frames[index]?.at ?? 0) }));
	const [before, after] = [gaps.filter(isBefore), gaps.filter((each) => !isBefore(each))];
	const longest = (some: typeof gaps) => Math.max(...some.map(({ gap }) => gap));
	// A hole would last until the recording's own ffmpeg has its first frame.
	expect(longest(after)).toBeLessThan(Math.max(0.5, 2 * longest(before), startSeconds));
	expect(notesOf(job, "buffer_short")).toEqual([]);
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
});

inExplore(test)(
	"a buffer is bounded on the disk, and a recording that asks for more begins where the buffer does, which its history says",
	{
		timeout: 120_000,
	},
	async () => {
		await scene.start(buffered(10));
		await fill(24);
		// Parts last 5 s: the last 10 s are in 3 of them, in addition to the one that begins.
		const kept = await parts();
		expect(kept.length).toBeLessThanOrEqual(4);
		expect(kept.filter((file) => file.endsWith("/part-1.mp4"))).toEqual([]);
		const { job, calledAt, takenBy } = await order(60, 2);
		await scene.status(job, "completed", 60_000);
		const { start } = await expectMoments(job);
		expect(takenBy - start).toBeGreaterThan(10_000);
		const [note, ...others] = notesOf(job, "buffer_short");
		expect(others).toEqual([]);
		expect(note?.data?.preSeconds).toBe(60);
		expect(note?.data?.seconds).toBeGreaterThan((calledAt - start) / 1_000 - 0.2);
		expect(note?.data?.seconds).toBeLessThan((takenBy - start) / 1_000 + 0.2);
		expect(note?.message).toMatch(/^The recording begins [\d.]+ s ago, not 60 s ago: the buffer begins then\.$/);
	},
);

test("tapedeck save makes a recording of what the display has shown, and refuses on a runner without a buffer", {
	timeout: 120_000,
}, async () => {
	const env = { TAPEDECK_DATA_DIR: scene.dataDir };
	const save = ["save", "--last", "6s", "--display", display.id, "--name", "what happened", "--wait", "--json"];
	await scene.start();
	const refused = await tapedeck(save, env);
	expect(refused.status).toBe(1);
	expect(JSON.parse(refused.text).error).toMatchObject({
		code: "no_buffer",
		message: expect.stringContaining("TAPEDECK_BUFFER"),
	});
	await scene.runner.stop();
	await scene.start(buffered(20));
	await fill(7);
	const calledAt = now();
	const saved = await tapedeck(save, env);
	expect(saved.status, saved.text).toBe(0);
	expect(JSON.parse(saved.text)).toMatchObject({ status: "completed", name: "what happened", verdict: "ok" });
	const [job] = [...scene.dashboard.jobs.values()];
	if (job === undefined) throw new Error("There is no job.");
	const { start, seconds } = await expectMoments(job);
	expect(calledAt - start).toBeLessThan(6_000 + 2_000 + 500);
	expect(seconds).toBeGreaterThan(6 + 1 - 0.2);
	expect(scene.reasonOf(job)).toBe("duration_elapsed");
	const short = await tapedeck(["save", "--last", "5m", "--display", display.id], env);
	expect(short.text).toMatch(
		/Of the past it has 0:\d\d of 5:00: the runner's buffer had no more \(TAPEDECK_BUFFER\)\./,
	);
});

test("a job that asks for the past of a runner without a buffer is recorded from the call on, which its history says", async () => {
	await scene.start();
	const { job } = await order(30, 1);
	await scene.status(job, "completed");
	expect(notesOf(job, "buffer_short")).toMatchObject([
		{ message: "The recording begins now, not 30 s ago: this runner keeps no buffer, see TAPEDECK_BUFFER." },
	]);
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({ durationSeconds: expect.closeTo(1, 3) });
});

inExplore(test)(
	"kill -9 of the runner leaves nothing of its buffer, and a recording that began in the past goes on with its frames at their times",
	{
		timeout: 120_000,
	},
	async () => {
		await scene.start(buffered(20));
		await fill(6);
		const { job, takenBy } = await order(5, null);
		await scene.status(job, "recording");
		await pause(1_000);
		const [former] = await readdir(bufferFolder());
		const killed = await encoders();
		await scene.kill();
		await pause(500);
		await scene.start(buffered(20));
		await fill(1);
		expect(await readdir(bufferFolder())).not.toContain(former);
		expect((await encoders()).filter((pid) => killed.includes(pid))).toEqual([]);
		scene.dashboard.cancel(job);
		await scene.status(job, "completed", 60_000);
		const { start } = await expectMoments(job);
		expect(takenBy - start).toBeGreaterThan(5_000);
		await scene.runner.stop();
		expect(await readdir(bufferFolder()).catch(() => [])).toEqual([]);
	},
);

test("nothing that a display showed while a recording of it was private is in its buffer: that stretch is black, and reported", {
	timeout: 120_000,
}, async () => {
	await scene.start(buffered(30));
	await fill(2);
	const { job: first } = await order(0, null);
	await scene.status(first, "recording");
	const confirmed = async (version: number) => {
		const has = () => first.reports.some((report) => report.type === "privacy" && report.version === version);
		await until(has, () => `change ${version} is confirmed:\n${scene.runner.output()}`);
		return now();
	};
	const from = await confirmed(scene.dashboard.setPrivacy(first, true));
	const isBlack = async (pid: number) =>
		(await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")).includes("color=c=black");
	const areBlack = async () => (await Promise.all((await encoders()).map(isBlack))).every(Boolean);
	await until(async () => (await encoders()).length > 0 && (await areBlack()), "the buffer is black");
	await pause(2_500);
	const to = now();
	await confirmed(scene.dashboard.setPrivacy(first, false));
	await pause(1_500);
	scene.dashboard.cancel(first);
	await scene.status(first, "completed");
	const { job } = await order(20, 2);
	await scene.status(job, "completed", 60_000);
	const { frames, start } = await expectMoments(job);
	expect(frames.filter(({ counter }) => counter !== null && counter > from && counter < to)).toEqual([]);
	const shown = frames.flatMap(({ counter }) => counter ?? []);
	expect(shown.some((counter) => counter < from)).toBe(true);
	expect(shown.some((counter) => counter > to)).toBe(true);
	const report = job.reports.findLast(({ type }) => type === "privacy");
	if (report?.type !== "privacy") throw new Error("Nothing was reported.");
	const [stretch, ...others] = report.stretches;
	expect(others).toEqual([]);
	expect(start + (stretch?.from ?? 0) * 1_000).toBeLessThan(to);
	expect(start + (stretch?.to ?? 0) * 1_000).toBeGreaterThan(to);
});

inExplore(test)(
	"frames from before a resize are kept: a recording from the buffer has each size where it was",
	{
		timeout: 120_000,
	},
	async () => {
		const other = await startXvfb({ width: 640, height: 480 });
		try {
			await scene.start(buffered(60, other.id));
			await fill(4);
			await other.resize(320, 240);
			await fill(4, 2);
			const { job } = await order(60, 1, other.id);
			await scene.status(job, "completed", 60_000);
			const video = await scene.dashboard.video(job);
			expect(await frameSizesOf(video)).toEqual(["640x480", "320x240"]);
			const { width, height, durationSeconds, faults } = await probe(video);
			expect({ width, height, faults }).toEqual({ width: 640, height: 480, faults: "" });
			expect(job.reports.find(({ type }) => type === "recording")).toMatchObject({ width: 640, height: 480 });
			const [note] = notesOf(job, "buffer_short");
			expect(note?.data?.seconds).toBeGreaterThan(4 + 4);
			expect(durationSeconds).toBeCloseTo(Number(note?.data?.seconds) + 1, 0);
		} finally {
			await other.stop();
		}
	},
);

test("a dashboard has a recording that begins before its job, with the times of its frames", {
	timeout: 120_000,
}, async () => {
	const api = await startTestApi();
	try {
		const env = { ...buffered(20).env, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN };
		await scene.start({ url: api.url, env });
		await fill(6);
		const [runner] = (await api.call("GET", "/v1/runners")).body.data;
		expect(runner.bufferSeconds).toBe(20);
		const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 2 } };
		const body = { runnerId: runner.id, displayId: display.id, preSeconds: 5, ...rule };
		const created = await api.call("POST", "/v1/jobs", { body });
		expect(created.status).toBe(201);
		const path = `/v1/jobs/${created.body.id}`;
		const { body: job } = await api.call("GET", `${path}?waitFor=playable&timeoutSeconds=60`);
		expect(job).toMatchObject({ status: "completed", stopReason: "duration_elapsed", preSeconds: 5 });
		const before = (Date.parse(job.createdAt) - Date.parse(job.startedAt)) / 1_000;
		expect(before).toBeLessThan(5 + 2 + 1);
		expect(job.recording.durationSeconds).toBeGreaterThan(5 + 2 - 0.2);
		const seconds = (Date.parse(job.stoppedAt) - Date.parse(job.startedAt)) / 1_000;
		expect(job.recording.durationSeconds).toBeCloseTo(seconds, 0);
		const events: { type: string }[] = (await api.call("GET", `${path}/events`)).body.data;
		expect(events.filter(({ type }) => type === "buffer_short")).toEqual([]);
	} finally {
		await scene.runner.stop();
		await api.stop();
	}
});
