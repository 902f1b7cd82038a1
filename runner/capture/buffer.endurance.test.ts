/**
 * Buffers: a recording that begins in the past shows what the display showed then. The display counts milliseconds, so that
 * every frame shows when it was captured.
 */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CounterDisplay, startCounterDisplay } from "../../test/counter/counter-display.ts";
import { readVideo } from "../../test/counter/read-video.ts";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { probe, processesWith } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
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

const buffered = (seconds: number) => ({ env: { TAPEDECK_BUFFER: `${seconds}s` } });
const bufferFolder = () => join(scene.dataDir, "buffer");
const encoders = () => processesWith(bufferFolder());

/** Waits until a buffer records, and then for so many seconds. */
async function fill(seconds: number): Promise<void> {
	await until(async () => (await encoders()).length > 0, "a buffer records", 20_000);
	await pause(seconds * 1_000 + 1_500);
}

/** Asks for a recording that begins `preSeconds` ago and ends so many seconds after this call. */
function order(preSeconds: number, durationSeconds = 2, displayId = display.id): { job: FakeJob; calledAt: number } {
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds } } as const;
	return { job: scene.dashboard.order(displayId, { ...rule, preSeconds }), calledAt: now() };
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

/** Expects that each frame shows its moment, but for those that a busy machine captured late. */
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
	const { job, calledAt } = order(20, 3);
	await scene.status(job, "completed", 60_000);
	const { frames, seconds, start } = await expectMoments(job);
	const before = (calledAt - start) / 1_000;
	expect(before).toBeGreaterThan(20 - 0.2);
	// A key frame comes every two seconds.
	expect(before).toBeLessThan(20 + 2 + 0.5);
	expect(seconds - before).toBeCloseTo(3, 0);
	const at20 = frames.findLast(({ at, counter }) => counter !== null && at <= before - 20 + FRAME_SECONDS);
	expect(Math.abs((at20?.counter ?? 0) - (calledAt - 20_000))).toBeLessThan(2 * FRAME_SECONDS * 1_000 + 40);
	const gaps = frames.slice(1).map(({ at }, index) => at - (frames[index]?.at ?? 0));
	expect(Math.max(...gaps)).toBeLessThan(1);
	expect(notesOf(job, "buffer_short")).toEqual([]);
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
});

test("a buffer is bounded on the disk, and a recording that asks for more begins where the buffer does, which its history says", {
	timeout: 120_000,
}, async () => {
	await scene.start(buffered(10));
	await fill(24);
	const [folder = ""] = await readdir(bufferFolder());
	const parts = (await readdir(join(bufferFolder(), folder))).filter((name) => name.endsWith(".mp4"));
	// Parts of 5 s: the last 10 s are in 3 of them, beside the one that begins.
	expect(parts.length).toBeLessThanOrEqual(4);
	expect(parts).not.toContain("part-1.mp4");
	const { job, calledAt } = order(60);
	await scene.status(job, "completed", 60_000);
	const { start } = await expectMoments(job);
	const before = (calledAt - start) / 1_000;
	expect(before).toBeGreaterThan(10 - 0.5);
	const [note, ...others] = notesOf(job, "buffer_short");
	expect(others).toEqual([]);
	expect(note?.data).toEqual({ preSeconds: 60, seconds: expect.closeTo(before, 0) });
	expect(note?.message).toMatch(/^The recording begins [\d.]+ s ago, not 60 s ago: the buffer begins then\.$/);
});

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
	expect((calledAt - start) / 1_000).toBeGreaterThan(5);
	expect(seconds).toBeGreaterThan(6.5);
	expect(scene.reasonOf(job)).toBe("duration_elapsed");
});

test("a job that asks for the past of a runner without a buffer is recorded from the call on, which its history says", async () => {
	await scene.start();
	const { job } = order(30, 1);
	await scene.status(job, "completed");
	expect(notesOf(job, "buffer_short")).toMatchObject([
		{ message: "The recording begins now, not 30 s ago: this runner keeps no buffer, see TAPEDECK_BUFFER." },
	]);
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({ durationSeconds: expect.closeTo(1, 3) });
});

test("kill -9 of the runner leaves nothing of its buffer, and a recording that began in the past goes on with its frames at their times", {
	timeout: 120_000,
}, async () => {
	await scene.start(buffered(20));
	await fill(6);
	const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const [job, calledAt] = [scene.dashboard.order(display.id, { ...rule, preSeconds: 5 }), now()];
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
	expect((calledAt - start) / 1_000).toBeGreaterThan(5 - 0.2);
	await scene.runner.stop();
	expect(await readdir(bufferFolder()).catch(() => [])).toEqual([]);
});

test("nothing that a display showed while a recording of it was private is in its buffer: that stretch is black, and reported", {
	timeout: 120_000,
}, async () => {
	await scene.start(buffered(30));
	await fill(2);
	const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const first = scene.dashboard.order(display.id, rule);
	await scene.status(first, "recording");
	const confirmed = async (version: number) => {
		const has = () => first.reports.some((report) => report.type === "privacy" && report.version === version);
		await until(has, () => `change ${version} is confirmed:\n${scene.runner.output()}`);
		return now();
	};
	const from = await confirmed(scene.dashboard.setPrivacy(first, true));
	await pause(2_500);
	const to = now();
	await confirmed(scene.dashboard.setPrivacy(first, false));
	await pause(1_500);
	scene.dashboard.cancel(first);
	await scene.status(first, "completed");
	const { job } = order(20);
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
	expect(start + (stretch?.from ?? 0) * 1_000).toBeLessThan(from + 1_500);
	expect(start + (stretch?.to ?? 0) * 1_000).toBeGreaterThan(to);
});

test("the buffer of a display that changes its size begins anew, and a recording from it has the new size from its first frame", {
	timeout: 120_000,
}, async () => {
	const other = await startXvfb({ width: 640, height: 480 });
	try {
		await scene.start(buffered(20));
		await fill(3);
		await other.resize(320, 240);
		await fill(5);
		const { job } = order(15, 1, other.id);
		await scene.status(job, "completed", 60_000);
		const { width, height, durationSeconds, faults } = await probe(await scene.dashboard.video(job));
		expect({ width, height, faults }).toEqual({ width: 320, height: 240, faults: "" });
		const [note] = notesOf(job, "buffer_short");
		expect(note?.data?.preSeconds).toBe(15);
		expect(durationSeconds).toBeCloseTo(Number(note?.data?.seconds) + 1, 0);
	} finally {
		await other.stop();
	}
});
