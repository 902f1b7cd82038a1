/** Recordings in several parts: the fragments' times jump where one encoder died and another took over. */
import { execFile } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { fragmentsOf, initOf, joinVideos, movedFragments } from "../test/videos/join-videos.ts";
import { framesOf, makeVideo, probedSeconds, removeTestFolder, testFolder } from "../test/videos/make-video.ts";
import { Mp4Index } from "./mp4-index.ts";

afterAll(removeTestFolder);

const FIRST_SECONDS = 4;
const SECOND_SECONDS = 3;
const parts = async () => [
	await readFile(await makeVideo("recorder.mp4", FIRST_SECONDS)),
	await readFile(await makeVideo("recorder.mp4", SECOND_SECONDS)),
];

async function written(name: string, bytes: Buffer): Promise<string> {
	const path = join(await testFolder(), name);
	await writeFile(path, bytes);
	return path;
}

async function indexOf(bytes: Buffer): Promise<{ index: Mp4Index; path: string }> {
	const path = await written(`sewn-${bytes.length}-${bytes.at(-1)}.mp4`, bytes);
	const index = new Mp4Index();
	const handle = await open(path, "r");
	await index.update(handle, bytes.length);
	await handle.close();
	return { index, path };
}

/** Time in seconds and pixel hash of every frame, as decoded from the unchanged file. */
async function timesOf(path: string): Promise<number[]> {
	const args = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path];
	const { stdout } = await promisify(execFile)("ffprobe", args);
	return stdout.split("\n").flatMap((line) => (line === "" ? [] : [Number.parseFloat(line)]));
}
const pixels = (frames: string[]): string[] => frames.map((line) => line.split(",").at(-1)?.trim() ?? "");

test.each([
	0.02, 0.8, 7.5, 900,
])("a gap of %d s stays on the timeline, and both parts keep every frame", async (gap) => {
	const [first, second] = await parts();
	if (first === undefined || second === undefined) throw new Error("no parts");
	const at = FIRST_SECONDS + gap;
	const sewn = joinVideos(first, second, at);
	const { index } = await indexOf(sewn);
	expect(index.fault).toBeNull();
	expect(index.completeBytes).toBe(sewn.length);
	expect(index.samples).toBe(15 * (FIRST_SECONDS + SECOND_SECONDS));
	expect(index.durationSeconds).toBeCloseTo(at + SECOND_SECONDS, 2);
	const keyframes = Array.from({ length: index.keyframeSeconds.length }, (_, place) => index.keyframeSeconds.at(place));
	expect(keyframes.some((seconds) => Math.abs((seconds ?? 0) - at) < 0.002)).toBe(true);

	const progressive = await written(`progressive-${gap}.mp4`, Buffer.concat([index.header(), sewn]));
	expect(await probedSeconds(progressive)).toBeCloseTo(at + SECOND_SECONDS, 2);
	const times = await timesOf(progressive);
	expect(times[15 * FIRST_SECONDS - 1]).toBeCloseTo(FIRST_SECONDS - 1 / 15, 2);
	expect(times[15 * FIRST_SECONDS]).toBeCloseTo(at, 2);
	const decoded = pixels(await framesOf(progressive));
	const alone = await Promise.all(
		[FIRST_SECONDS, SECOND_SECONDS].map(async (s) => framesOf(await makeVideo("recorder.mp4", s))),
	);
	expect(decoded).toEqual(pixels(alone.flat()));
});

test("the duration and the latest frame are correct at every stage of growth, including the gap", async () => {
	const [first, second] = await parts();
	if (first === undefined || second === undefined) throw new Error("no parts");
	const at = FIRST_SECONDS + 2;
	const pieces = [initOf(first), ...fragmentsOf(first), ...movedFragments(second, at, fragmentsOf(first).length + 1)];
	const path = await written("growing.mp4", Buffer.concat(pieces));
	const handle = await open(path, "r");
	const index = new Mp4Index();
	let size = 0;
	let before = 0;
	for (const [count, piece] of pieces.entries()) {
		size += piece.length;
		await index.update(handle, size);
		expect([index.fault, index.completeBytes, index.fragments]).toEqual([null, size, count]);
		expect(index.durationSeconds).toBeGreaterThanOrEqual(before);
		before = index.durationSeconds;
	}
	await handle.close();
	expect(before).toBeCloseTo(at + SECOND_SECONDS, 2);
});

test("three parts separated by gaps play as one video", async () => {
	const [first, second] = await parts();
	if (first === undefined || second === undefined) throw new Error("no parts");
	const sewn = joinVideos(joinVideos(first, second, 5), second, 9.25);
	const { index } = await indexOf(sewn);
	expect(index.fault).toBeNull();
	expect(index.durationSeconds).toBeCloseTo(9.25 + SECOND_SECONDS, 2);
	const progressive = await written("three.mp4", Buffer.concat([index.header(), sewn]));
	expect((await framesOf(progressive)).length).toBe(15 * (FIRST_SECONDS + 2 * SECOND_SECONDS));
});
