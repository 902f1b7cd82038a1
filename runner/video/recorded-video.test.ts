import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireProgram } from "../../test/processes/programs.ts";
import { newFolder, probe, removeFolder } from "../../test/runners/runner-process.ts";
import { frameSizesOf } from "../../test/videos/frame-sizes.ts";
import { RecordedVideo } from "./recorded-video.ts";

const run = promisify(execFile);
let folder: string;
const part = (number: number) => join(folder, `part-${number}.mp4`);

/** The size of the frame that is decoded first after a seek. */
async function sizeAt(bytes: Buffer, seconds: number): Promise<string> {
	const file = join(folder, "whole.mp4");
	await writeFile(file, bytes);
	const frame = ["-frames:v", "1", "-f", "image2", "-c:v", "png", "-update", "1", `${file}.png`];
	await run(requireProgram("ffmpeg"), ["-v", "error", "-y", "-ss", String(seconds), "-i", file, ...frame]);
	const [size = ""] = await frameSizesOf(await readFile(`${file}.png`));
	return size;
}

/** Encoded like the runner's ffmpeg. */
async function encode(
	number: number,
	frames: number,
	size = "160x120",
	{ rate = 15, timescale = 15_360 } = {},
): Promise<void> {
	const source = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}`, "-frames:v", String(frames)];
	const codec = ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "30"];
	const described = ["-bsf:v", "dump_extra", "-video_track_timescale", String(timescale)];
	const flags = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"];
	await run(requireProgram("ffmpeg"), ["-v", "error", "-y", ...source, ...codec, ...described, ...flags, part(number)]);
}

beforeAll(async () => {
	folder = await newFolder();
	await encode(1, 45);
	await encode(2, 40);
	await encode(3, 33);
});
afterAll(() => removeFolder(folder));

/** Three parts: 0–3 s, from 3.4 s on, and from 7 s on, which is cut off at the end of the recording. */
async function sewn(): Promise<RecordedVideo> {
	const video = new RecordedVideo(part(1));
	await video.sealPart();
	video.appendPart(part(2), { startSeconds: 3.4, limitSeconds: 100 });
	await video.sealPart();
	video.appendPart(part(3), { startSeconds: 7, limitSeconds: 1.2 });
	await video.seal();
	return video;
}

async function readAll(video: RecordedVideo, chunkBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for (let at = 0; at < video.available; ) {
		const chunk = Buffer.alloc(chunkBytes);
		const bytes = await video.read(at, chunk);
		expect(bytes).toBeGreaterThan(0);
		chunks.push(chunk.subarray(0, bytes));
		at += bytes;
	}
	return Buffer.concat(chunks);
}

/** Times of the frames, in seconds. */
async function frameTimes(bytes: Buffer): Promise<number[]> {
	const file = join(folder, "whole.mp4");
	await writeFile(file, bytes);
	const asked = ["-v", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", file];
	const { stdout } = await run(requireProgram("ffprobe"), asked);
	return stdout.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Number.parseFloat(line)]));
}

test("a single part is exactly the file that ffmpeg wrote", async () => {
	const video = new RecordedVideo(part(1));
	await video.seal();
	expect(await readAll(video, 10_000)).toEqual(await readFile(part(1)));
	expect(video.durationSeconds).toBeCloseTo(3, 6);
	await video.close();
});

test("several parts play as one video, with every frame at its position, and end at the exact frame", async () => {
	const video = await sewn();
	const bytes = await readAll(video, 1 << 20);
	expect((await probe(bytes)).faults).toBe("");
	const times = await frameTimes(bytes);
	const expected = [
		...Array.from({ length: 45 }, (_, index) => index / 15),
		...Array.from({ length: 40 }, (_, index) => 3.4 + index / 15),
		...Array.from({ length: 18 }, (_, index) => 7 + index / 15),
	];
	expect(times).toHaveLength(expected.length);
	for (const [index, at] of expected.entries()) expect(times[index]).toBeCloseTo(at, 3);
	expect(video.durationSeconds).toBeCloseTo(8.2, 6);
	await video.close();
});

test("the bytes are the same however they are read, also after a restart", async () => {
	const video = await sewn();
	const whole = await readAll(video, 1 << 20);
	for (const chunkBytes of [37, 100, 1_023]) expect((await readAll(video, chunkBytes)).equals(whole)).toBe(true);
	await video.close();
	const again = await sewn();
	expect((await readAll(again, 333)).equals(whole)).toBe(true);
	await again.close();
});

test("a fragment truncated by a kill is dropped, and the next part begins after the last complete one", async () => {
	const bytes = await readFile(part(1));
	const cut = part(4);
	await writeFile(cut, bytes.subarray(0, bytes.length - 10));
	const video = new RecordedVideo(cut);
	await video.sealPart();
	expect(video.durationSeconds).toBeCloseTo(40 / 15, 6);
	expect(video.available).toBeLessThan(bytes.length - 100);
	video.appendPart(part(2), { startSeconds: 3, limitSeconds: null });
	await video.seal();
	const all = await readAll(video, 5_000);
	expect((await probe(all)).faults).toBe("");
	expect(await frameTimes(all)).toHaveLength(80);
	await video.close();
	await rm(cut);
});

test("parts of other sizes play in theirs, with every frame, also from wherever a player begins", async () => {
	await encode(5, 15, "320x240");
	const video = new RecordedVideo(part(1));
	await video.sealPart();
	video.appendPart(part(5), { startSeconds: 4, limitSeconds: null });
	await video.sealPart();
	video.appendPart(part(2), { startSeconds: 6, limitSeconds: null });
	await video.seal();
	const bytes = await readAll(video, 1 << 20);
	expect(await probe(bytes)).toMatchObject({ frames: 45 + 15 + 40, faults: "" });
	expect(await frameSizesOf(bytes)).toEqual(["160x120", "320x240", "160x120"]);
	for (const [at, size] of [
		[1, "160x120"],
		[4.5, "320x240"],
		[7, "160x120"],
	] as const) {
		expect(await sizeAt(bytes, at)).toBe(size);
	}
	await video.close();
});

describe("a file whose unit of time is a frame", () => {
	beforeAll(async () => {
		await encode(8, 45, "160x120", { timescale: 15 });
		// Each frame lasts two units, and none has a duration of its own.
		await encode(9, 20, "160x120", { rate: 7.5, timescale: 15 });
	});

	test("has the same times and bytes however it is read", async () => {
		const video = new RecordedVideo(part(8));
		await video.seal();
		const bytes = await readAll(video, 1 << 20);
		expect(await readAll(video, 101)).toEqual(bytes);
		await video.close();
		expect(bytes).toHaveLength((await readFile(part(8))).length);
		expect(await probe(bytes)).toMatchObject({ frames: 45, durationSeconds: expect.closeTo(3, 3), faults: "" });
		expect(await frameTimes(bytes)).toEqual(Array.from({ length: 45 }, (_, index) => expect.closeTo(index / 15, 3)));
	});

	test("ends exactly where it is cut off, also within a frame", async () => {
		for (const units of [14, 15, 16, 17]) {
			const video = new RecordedVideo(part(9), { limitSeconds: units / 15 });
			await video.seal();
			expect(video.durationSeconds).toBeCloseTo(units / 15, 6);
			const { durationSeconds, frames } = await probe(await readAll(video, 1 << 20));
			expect(durationSeconds).toBeCloseTo(units / 15, 3);
			expect(frames).toBe(Math.ceil(units / 2));
			await video.close();
		}
	});

	test.each([
		["before", 8, 2],
		["after", 1, 8],
	])("keeps its times %s a part of an earlier version, whose unit is shorter", async (_, first, second) => {
		const video = new RecordedVideo(part(first));
		await video.sealPart();
		video.appendPart(part(second), { startSeconds: 4, limitSeconds: 1 });
		await video.seal();
		const bytes = await readAll(video, 10_000);
		await video.close();
		expect(await probe(bytes)).toMatchObject({ durationSeconds: expect.closeTo(5, 3), faults: "" });
		const expected = [0, 4].flatMap((from) => Array.from({ length: from === 0 ? 45 : 15 }, (_, at) => from + at / 15));
		expect(await frameTimes(bytes)).toEqual(expected.map((at) => expect.closeTo(at, 3)));
	});
});

test("a later part with only its first box adds nothing", async () => {
	const begun = part(6);
	await writeFile(begun, (await readFile(part(2))).subarray(0, 40));
	const video = new RecordedVideo(part(1));
	await video.sealPart();
	const before = video.available;
	video.appendPart(begun, { startSeconds: 4, limitSeconds: null });
	await video.refresh();
	expect(video.available).toBe(before);
	await writeFile(begun, await readFile(part(2)));
	await video.seal();
	expect((await probe(await readAll(video, 1 << 20))).faults).toBe("");
	await video.close();
});

test("a part can be dropped while it is being read", async () => {
	const video = new RecordedVideo(part(1));
	await video.sealPart();
	for (let turns = 0; turns < 20; turns++) {
		video.appendPart(part(2), { startSeconds: 4, limitSeconds: null });
		const looking = video.refresh();
		for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
		await video.dropPart();
		await looking;
	}
	await video.seal();
	expect(video.durationSeconds).toBeCloseTo(3, 6);
	await video.close();
});

test("finished parts keep no file open", async () => {
	const open = () => readdirSync("/proc/self/fd").length;
	const video = new RecordedVideo(part(1));
	const before = open();
	for (let times = 0; times < 20; times++) {
		await video.sealPart();
		video.appendPart(part(2), { startSeconds: 4 * (times + 1), limitSeconds: null });
		await video.refresh();
		expect(await video.read(video.available - 10, Buffer.alloc(100))).toBe(10);
	}
	expect(open() - before).toBeLessThan(3);
	await video.seal();
	await video.close();
	expect(open()).toBe(before);
});

test("at a frame a second, one that is missing was only late; two are a stall", async () => {
	const gaps = join(folder, "gaps.mp4");
	const source = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=1", "-vf", "select='not(eq(n,2)+eq(n,5)+eq(n,6))'"];
	const codec = ["-fps_mode", "vfr", "-c:v", "libx264", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "2"];
	const flags = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"];
	await run(requireProgram("ffmpeg"), ["-v", "error", "-y", ...source, "-t", "10", ...codec, ...flags, gaps]);
	const video = new RecordedVideo(gaps, { framesPerSecond: 1 });
	await video.seal();
	expect(video.stalls).toEqual([{ from: expect.closeTo(5, 3), to: expect.closeTo(7, 3) }]);
	await video.close();
});

test("a stall begins where the last frame ended that was written, not at the frame that was lost with ffmpeg", async () => {
	const whole = join(folder, "late-frame.mp4");
	const source = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15", "-vf", "select='lt(n,7)+gte(n,12)'"];
	const codec = ["-fps_mode", "vfr", "-c:v", "libx264", "-tune", "zerolatency", "-pix_fmt", "yuv420p"];
	const flags = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"];
	await run(requireProgram("ffmpeg"), ["-v", "error", "-y", ...source, "-t", "2", ...codec, ...flags, whole]);
	// Killed: the frame at 0.8 s says how long the one at 0.4 s is shown, and is not written itself.
	const bytes = await readFile(whole);
	let end = 0;
	for (let fragments = 0; fragments < 2; end += bytes.readUInt32BE(end)) {
		if (bytes.toString("latin1", end + 4, end + 8) === "mdat") fragments += 1;
	}
	const killed = join(folder, "killed.mp4");
	await writeFile(killed, bytes.subarray(0, end));
	const video = new RecordedVideo(killed);
	await video.sealPart();
	expect(video.durationSeconds).toBeCloseTo(0.8, 3);
	video.appendPart(part(2), { startSeconds: 1.5, limitSeconds: 100 });
	await video.seal();
	expect(video.stalls).toEqual([{ from: expect.closeTo(0.4 + 1 / 15, 3), to: 1.5, isRestart: true }]);
	await video.close();
});
