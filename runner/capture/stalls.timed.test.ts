/**
 * Video time is elapsed time, even when processes are paused or the clock is set. The display counts milliseconds, so
 * that every frame shows when it was captured.
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CounterDisplay, startCounterDisplay } from "../../test/counter/counter-display.ts";
import { readVideo } from "../../test/counter/read-video.ts";
import { settableClock } from "../../test/displays/clock.ts";
import { inExplore, variants } from "../../test/in-explore.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
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
const STALL = { timeout: 90_000 };

interface Shown {
	/** Position of each frame in the video, and the moment that it shows, in seconds since the first frame. */
	at: number;
	shows: number;
	/** When the display showed the next moment: late while this process is short of CPU time. */
	until: number;
}

interface Watched {
	frames: Shown[];
	/** Length of the video, from its headers. */
	seconds: number;
	/** Position of a moment in the video. @param moment from `now`. */
	placeOf(moment: number): number;
}

async function watch(job: FakeJob): Promise<Watched> {
	const file = join(scene.folder, "watched.mp4");
	await writeFile(file, await scene.dashboard.video(job));
	const { frames, lengthMs, complaints } = await readVideo(file);
	expect(complaints).toBe("");
	const first = frames[0]?.counter ?? Number.NaN;
	const placeOf = (moment: number) => (moment - first) / 1_000;
	const shown = frames.flatMap(({ at, counter }) => {
		if (counter === null) return [];
		const next = display.painted.find((moment) => moment > counter) ?? Number.POSITIVE_INFINITY;
		return [{ at: at / 1_000, shows: placeOf(counter), until: placeOf(next) }];
	});
	expect(shown.length).toBeGreaterThan(frames.length * 0.95);
	return { frames: shown, seconds: lengthMs / 1_000, placeOf };
}

/**
 * Expects every frame to have the display's content at its position. The first one after a pause may have earlier
 * content, because it may have been captured just before the pause and stamped just after it. No frame has later
 * content.
 */
function expectTrue({ frames }: Watched): void {
	const wrong = frames.filter(({ at, shows, until }, index) => {
		const before = frames[index - 1];
		const isHeld = before !== undefined && at - before.at > 0.5 && shows - before.shows < 0.2;
		return (shows - at > 0.5 || at - until > 0.5) && !isHeld;
	});
	expect(wrong.slice(0, 3)).toEqual([]);
}

/** The content that a player shows at a moment of the video. */
const shownAt = ({ frames }: Watched, seconds: number): number =>
	frames.findLast(({ at }) => at <= seconds)?.shows ?? Number.NaN;

const stallsOf = (job: FakeJob) => job.reports.filter((report) => report.type === "capture_stalled");

async function recordedJob(job = scene.interrupt(display.id)): Promise<FakeJob> {
	await scene.status(job, "recording");
	await pause(2_500);
	return job;
}

async function finished(job: FakeJob): Promise<Watched> {
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	return watch(job);
}

async function stopped(pids: readonly number[], ms: number): Promise<{ from: number; to: number }> {
	const from = now();
	for (const pid of pids) process.kill(pid, "SIGSTOP");
	await pause(ms);
	for (const pid of pids) process.kill(pid, "SIGCONT");
	return { from, to: now() };
}

test(
	"runner and ffmpeg paused for 14 s: the previous frame is held, all others keep their time, and the stall is reported",
	STALL,
	async () => {
		await scene.start();
		const job = await recordedJob();
		const span = await stopped([...(await scene.ffmpegs()), scene.runner.process.pid as number], 14_000);
		await pause(2_500);
		const video = await finished(job);
		expectTrue(video);
		const [from, to] = [video.placeOf(span.from), video.placeOf(span.to)];
		expect(shownAt(video, to - 0.2)).toBeLessThan(from + 0.1);
		const [stall, ...more] = stallsOf(job);
		expect(more).toEqual([]);
		expect(Math.abs((stall?.from as number) - from)).toBeLessThan(0.5);
		expect(Math.abs((stall?.to as number) - to)).toBeLessThan(0.5);
		expect(stall?.seconds).toBeCloseTo((stall?.to as number) - (stall?.from as number), 2);
		const end = job.reports.find(({ type }) => type === "stopped");
		expect(end).toMatchObject({ data: { stalls: 1, stalledSeconds: stall?.seconds } });
	},
);

test.each(variants([3_000, 14_000], (ms) => ms === 3_000))(
	"only ffmpeg paused for %d ms: the previous frame is held, and the stall is reported",
	STALL,
	async (ms) => {
		await scene.start();
		const job = await recordedJob();
		const span = await stopped(await scene.ffmpegs(), ms).catch(() => ({ from: 0, to: 0 }));
		await pause(2_500);
		const video = await finished(job);
		expectTrue(video);
		const [stall, ...more] = stallsOf(job);
		expect(more).toEqual([]);
		expect(stall?.seconds).toBeGreaterThan(2.5);
		if (span.to > 0) expect(Math.abs((stall?.seconds as number) - (span.to - span.from) / 1_000)).toBeLessThan(0.5);
		expect(shownAt(video, (stall?.to as number) - 0.1)).toBeLessThan((stall?.from as number) + 0.2);
	},
);

inExplore(test)(
	"frames of an ffmpeg that is paused and then starved of CPU keep their time, up to the end",
	STALL,
	async () => {
		await scene.start();
		const job = await recordedJob();
		const pids = [...(await scene.ffmpegs()), scene.runner.process.pid as number];
		await stopped(pids, 11_000);
		for (const until = now() + 5_000; now() < until; ) {
			await stopped(await scene.ffmpegs(), 250);
			await pause(20);
		}
		await pause(2_000);
		const end = now();
		const video = await finished(job);
		expectTrue(video);
		expect(video.frames.at(-1)?.shows).toBeGreaterThan(video.placeOf(end) - 0.5);
	},
);

test("a duration job paused beyond its end has the requested length and holds the last frame", STALL, async () => {
	await scene.start();
	const job = await recordedJob(scene.duration(6, display.id));
	const span = await stopped([...(await scene.ffmpegs()), scene.runner.process.pid as number], 7_000);
	await scene.status(job, "completed");
	expect(scene.reasonOf(job)).toBe("duration_elapsed");
	const video = await watch(job);
	expectTrue(video);
	expect(video.seconds).toBeCloseTo(6, 3);
	expect(video.frames.at(-1)?.shows).toBeLessThan(video.placeOf(span.from) + 0.1);
	expect(stallsOf(job)).toEqual([expect.objectContaining({ to: 6 })]);
});

const CLOCK_CHANGES = [
	["forward by an hour", 3_600],
	["back by an hour", -3_600],
	["forward by two seconds", 2],
	["back by two seconds", -2],
] as const;
test.each(variants(CLOCK_CHANGES, ([, seconds]) => seconds === 3_600 || seconds === -2))(
	"setting the clock %s moves no frame",
	STALL,
	async (_way, seconds) => {
		const clock = await settableClock(scene.folder);
		await scene.start({ env: { ...clock.env, TAPEDECK_FFMPEG: await clock.wrap("ffmpeg") } });
		const job = await recordedJob();
		await clock.set(seconds);
		await pause(4_000);
		const end = now();
		const video = await finished(job);
		expectTrue(video);
		expect(video.frames.at(-1)?.shows).toBeGreaterThan(video.placeOf(end) - 0.5);
		// Frames lost by the change.
		const gaps = video.frames.map(({ at }, index) => (video.frames[index + 1]?.at ?? at) - at);
		expect(Math.max(...gaps)).toBeLessThan(1.5);
	},
);

test("a runner restarted after its clock was set continues at the right time", STALL, async () => {
	const clock = await settableClock(scene.folder);
	const settings = { env: { ...clock.env, TAPEDECK_FFMPEG: await clock.wrap("ffmpeg") } };
	await scene.start(settings);
	const job = await recordedJob();
	await scene.kill();
	await clock.set(3_600);
	await pause(1_000);
	await scene.start(settings);
	await scene.runner.says("resuming the recording");
	await until(
		() => job.reports.some((report) => report.type === "note" && report.event === "capture_resumed"),
		() => scene.runner.output(),
	);
	await pause(2_000);
	expectTrue(await finished(job));
});
