/** A recording continues in the same video when ffmpeg dies or hangs, or when the display is resized. */

import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ffmpegStart } from "../../test/displays/ffmpeg-start.ts";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { type FakeJob, notesOf } from "../../test/runners/fake-job.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { frameSizesOf } from "../../test/videos/frame-sizes.ts";
import { pause, until } from "../../test/wait.ts";

const scene = runnerScene();
const { start, interrupt, duration, status, reasonOf, ffmpegs } = scene;

const signalFfmpegs = async (signal: NodeJS.Signals) => {
	for (const pid of await ffmpegs()) process.kill(pid, signal);
};
const goneOn = (job: FakeJob, times = 1, event = "capture_resumed") =>
	until(
		() => notesOf(job, event).length === times,
		() => `${event} ${times} times:\n${scene.runner.output()}`,
	);

/** Times of all frames on the timeline, in seconds. */
async function frameTimes(video: Buffer): Promise<number[]> {
	const file = join(scene.folder, "timeline.mp4");
	await writeFile(file, video);
	const asked = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", file];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), asked);
	return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number.parseFloat(line)]));
}

interface Gap {
	atSeconds: number;
	gapSeconds: number;
}

/** Expects that the video has each gap where its note reports it. @returns the gaps. */
async function reportedGaps(job: FakeJob, video: Buffer, event = "capture_resumed"): Promise<Gap[]> {
	const gaps = notesOf(job, event).map(({ data }) => data as unknown as Gap);
	const times = await frameTimes(video);
	for (const { atSeconds, gapSeconds } of gaps) {
		// 0 where the next ffmpeg had its first frame before the next one was due.
		expect(gapSeconds).toBeGreaterThanOrEqual(0);
		expect(times.find((at) => at > atSeconds - 0.01)).toBeCloseTo(atSeconds + gapSeconds, 2);
	}
	return gaps;
}

test("after ffmpeg is killed, the recording continues as soon as another one can start, loses at most 0.5 s before the kill, and reports the gap", async () => {
	await start();
	const job = interrupt();
	await status(job, "recording");
	const kills: { at: number; startSeconds: number }[] = [];
	for (const times of [1, 2]) {
		await pause(1_700);
		const at = Date.now();
		await signalFfmpegs("SIGKILL");
		const [startSeconds] = await Promise.all([ffmpegStart(scene.display.id), goneOn(job, times)]);
		kills.push({ at, startSeconds });
	}
	await pause(1_000);
	scene.dashboard.cancel(job);
	await status(job, "completed");
	expect(reasonOf(job)).toBe("cancelled");
	const video = await scene.dashboard.video(job);
	expect((await probe(video)).faults).toBe("");
	const startedAt = Date.parse(job.reports.find(({ type }) => type === "recording")?.at ?? "");
	const gaps = await reportedGaps(job, video);
	expect(gaps).toHaveLength(2);
	for (const [index, { atSeconds, gapSeconds }] of gaps.entries()) {
		const { at = 0, startSeconds = 0 } = kills[index] ?? {};
		const killedAt = (at - startedAt) / 1_000;
		expect(killedAt - atSeconds).toBeLessThan(0.5);
		expect(atSeconds + gapSeconds - killedAt).toBeLessThan(2 * startSeconds + 0.5);
		expect(gaps[index]).toMatchObject({ part: index + 2 });
	}
});

test("after ffmpeg is killed, a duration job still ends at its last frame on the timeline", async () => {
	await start();
	const job = duration(4);
	await status(job, "recording");
	await pause(1_200);
	await signalFfmpegs("SIGKILL");
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	const video = await scene.dashboard.video(job);
	expect(await probe(video)).toMatchObject({ durationSeconds: expect.closeTo(4, 3), faults: "" });
	expect(await reportedGaps(job, video)).toHaveLength(1);
});

// Long enough for a busy machine to have killed and started both before the end.
inExplore(test).each([
	[1, 9],
	[60, 8],
])(
	"at %i frames a second, a duration is exact although ffmpeg was killed and the runner restarted with other settings",
	async (framesPerSecond, seconds) => {
		await start({ env: { TAPEDECK_VIDEO_MAX_WIDTH: "320" } });
		const job = duration(seconds, scene.display.id, { framesPerSecond });
		await status(job, "recording");
		await pause(2_200);
		await signalFfmpegs("SIGKILL");
		await goneOn(job);
		await scene.kill();
		await start({ env: { TAPEDECK_VIDEO_FPS: "5", TAPEDECK_VIDEO_PRESET: "small" } });
		await status(job, "completed");
		expect(reasonOf(job)).toBe("duration_elapsed");
		expect(job.reports.find(({ type }) => type === "recording")).toMatchObject({
			video: { framesPerSecond, maxWidth: 320, preset: "balanced", crf: 28, cursor: true },
			...{ width: 320, height: 180 },
		});
		const video = await scene.dashboard.video(job);
		expect(await probe(video)).toMatchObject({ durationSeconds: expect.closeTo(seconds, 3), width: 320, faults: "" });
		await reportedGaps(job, video);
	},
);

inExplore(test)(
	"after ffmpeg and then the runner are killed, the restarted runner adopts the second part, and every byte fits",
	async () => {
		await start();
		const job = interrupt();
		await status(job, "recording");
		await pause(800);
		await signalFfmpegs("SIGKILL");
		await goneOn(job);
		await pause(700);
		await scene.kill();
		await pause(500);
		await start();
		await scene.runner.says("resuming the recording");
		await pause(500);
		await signalFfmpegs("SIGKILL");
		await goneOn(job, 2);
		await pause(700);
		scene.dashboard.cancel(job);
		await status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect((await probe(video)).faults).toBe("");
		expect(await reportedGaps(job, video)).toHaveLength(2);
	},
);

/** Kills an ffmpeg that records, and itself, as soon as there is something of its part. */
const MORTAL_FFMPEG = `#!/bin/sh
case "$*" in *x11grab*) ;; *) exec ffmpeg "$@" ;; esac
ffmpeg "$@" &
for part; do case "$part" in */part-*.mp4) break ;; esac; done
while kill -0 $! && [ "$(stat -c %s "$part" || echo 0)" -le 4096 ]; do sleep 0.1; done 2>/dev/null
kill -KILL $! $$
`;

test("an ffmpeg that dies repeatedly ends the job as ffmpeg_failed and keeps what was captured", async () => {
	const program = join(scene.folder, "mortal-ffmpeg");
	await writeFile(program, MORTAL_FFMPEG);
	await chmod(program, 0o755);
	await start({ env: { TAPEDECK_FFMPEG: program } });
	const job = interrupt();
	await until(
		() => job.uploadComplete && reasonOf(job) !== undefined,
		() => scene.runner.output(),
	);
	expect(reasonOf(job)).toBe("ffmpeg_failed");
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
	expect(await ffmpegs()).toEqual([]);
});

const SIZES = [
	[640, 480],
	[800, 600],
] as const;

test("when the display is resized, the recording continues in its new size", async () => {
	const resizable = await startXvfb({ width: 800, height: 600 });
	try {
		await start();
		const job = interrupt(resizable.id);
		await status(job, "recording");
		const starts: number[] = [];
		for (const [index, [width, height]] of SIZES.entries()) {
			await pause(800);
			await resizable.resize(width, height);
			const [startSeconds] = await Promise.all([
				ffmpegStart(scene.display.id),
				goneOn(job, index + 1, "display_resized"),
			]);
			starts.push(startSeconds);
		}
		await pause(800);
		scene.dashboard.cancel(job);
		await status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect((await probe(video)).faults).toBe("");
		expect(await frameSizesOf(video)).toEqual(["800x600", "640x480", "800x600"]);
		const resized = await reportedGaps(job, video, "display_resized");
		expect(resized).toMatchObject(SIZES.map(([width, height]) => ({ width, height })));
		for (const [index, { gapSeconds }] of resized.entries()) {
			expect(gapSeconds).toBeLessThan(2 * (starts[index] ?? 0) + 0.5);
		}
	} finally {
		await resizable.stop();
	}
});

inExplore(test)("a recording that is scaled down stays within its limits when the display is resized", async () => {
	const resizable = await startXvfb({ width: 800, height: 600 });
	try {
		await start();
		const job = interrupt(resizable.id, { maxWidth: 400, framesPerSecond: 10 });
		await status(job, "recording");
		for (const [index, [width, height]] of SIZES.entries()) {
			await pause(800);
			await resizable.resize(width, height);
			await goneOn(job, index + 1, "display_resized");
		}
		await pause(800);
		scene.dashboard.cancel(job);
		await status(job, "completed");
		const video = await scene.dashboard.video(job);
		expect(await probe(video)).toMatchObject({ width: 400, height: 300, faults: "" });
		expect(await frameSizesOf(video)).toEqual(["400x300"]);
		await reportedGaps(job, video, "display_resized");
	} finally {
		await resizable.stop();
	}
});

/** The real ffmpeg, but each start first runs a line of shell, in which `$n` is the number of the start. */
async function actingFfmpeg(line: string): Promise<string> {
	const program = join(scene.folder, "acting-ffmpeg");
	await writeFile(
		program,
		`#!/bin/sh
case "$*" in *x11grab*)
	n=$(($(cat "${scene.folder}/starts" 2>/dev/null || echo 0) + 1))
	echo "$n" >"${scene.folder}/starts"
	${line};;
esac
exec ffmpeg "$@"
`,
	);
	await chmod(program, 0o755);
	return program;
}

/** The first start completes its first fragment only after two seconds. */
const LATE_FRAGMENT = `[ "$n" = 1 ] && for word; do
		shift
		[ "$word" = 333333 ] && word=9000000
		set -- "$@" "$word"
	done`;

inExplore(test)(
	"when ffmpeg is killed before its first complete fragment, and the next one before its first frame, the third becomes the first part",
	async () => {
		await start({ env: { TAPEDECK_FFMPEG: await actingFfmpeg(`${LATE_FRAGMENT}; [ "$n" = 2 ] && kill -9 $$`) } });
		const job = interrupt();
		await status(job, "recording");
		await signalFfmpegs("SIGKILL");
		await goneOn(job);
		await pause(1_500);
		await signalFfmpegs("SIGKILL");
		await goneOn(job, 2);
		// Time counts from the first frame of any attempt.
		expect(notesOf(job, "capture_resumed")[1]?.data?.gapSeconds).toBeGreaterThan(0.05);
		await pause(800);
		scene.dashboard.cancel(job);
		await status(job, "completed");
		const video = await probe(await scene.dashboard.video(job));
		expect(video.faults).toBe("");
		expect(video.durationSeconds).toBeGreaterThan(0.6);
	},
);

inExplore(test)(
	"a duration job whose first ffmpeg hung before its first complete fragment still has the requested length",
	async () => {
		await start({ env: { TAPEDECK_FFMPEG: await actingFfmpeg(LATE_FRAGMENT) } });
		const job = duration(8);
		await status(job, "recording");
		await signalFfmpegs("SIGSTOP");
		await goneOn(job);
		expect(notesOf(job, "capture_resumed")[0]?.message).toContain("hung");
		await status(job, "completed");
		expect(await probe(await scene.dashboard.video(job))).toMatchObject({
			durationSeconds: expect.closeTo(8, 3),
			faults: "",
		});
	},
);
