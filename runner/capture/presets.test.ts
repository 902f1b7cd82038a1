/** The effect of a video's options: the same frames, encoded with the arguments of a recording. */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { type VideoOptions, videoFormat } from "@tapedeck/contract/video-options.ts";
import { beforeEach, expect, test } from "vitest";
import { requireProgram } from "../../test/processes/programs.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { captureFiles } from "../spool/capture-files.ts";
import { captureArguments } from "./ffmpeg.ts";

const SIZE = { width: 640, height: 360 };
const SECONDS = 3;
let folder: string;
beforeEach(async () => {
	folder = await temporaryFolder("presets");
});

const argumentsOf = (options: VideoOptions) =>
	captureArguments({
		...{
			program: "ffmpeg",
			env: process.env,
			xName: ":99.0",
			isBgrx: true,
			isPrivate: false,
			frames: null,
			area: { x: 0, y: 0, ...SIZE },
		},
		...{ video: videoFormat(options), files: captureFiles(folder, 1) },
	});

/** Encodes a moving picture. @returns its size in bytes, and how much it resembles the original (SSIM, 1 is equal). */
async function encoded(options: VideoOptions): Promise<{ bytes: number; likeness: number }> {
	await encode(options);
	const { video } = captureFiles(folder, 1);
	const { stderr } = await ffmpeg("-i", video, "-lavfi", "[0:v]format=yuv420p[a];[a][1:v]ssim", "-f", "null", "-");
	return { bytes: (await stat(video)).size, likeness: Number(/All:(\d\.\d+)/.exec(stderr)?.[1]) };
}

/** Runs ffmpeg on a moving picture. */
const ffmpeg = (...more: string[]) =>
	promisify(execFile)(requireProgram("ffmpeg"), [
		...["-nostdin", "-y", "-v", "info", "-f", "lavfi"],
		...["-i", `testsrc2=size=${SIZE.width}x${SIZE.height}:rate=15:duration=${SECONDS},format=bgra`, ...more],
	]);

async function encode(options: VideoOptions): Promise<void> {
	const words = argumentsOf(options);
	const { video } = captureFiles(folder, 1);
	const output = words.slice(words.indexOf("-filter:v:0"), words.indexOf(video) + 1);
	await ffmpeg(...output);
}

test("sharp resembles the screen more than balanced, and small is smaller", async () => {
	const [balanced, sharp, small] = [
		await encoded({}),
		await encoded({ preset: "sharp" }),
		await encoded({ preset: "small" }),
	];
	expect(sharp.likeness).toBeGreaterThan(balanced.likeness);
	expect(small.bytes).toBeLessThan(balanced.bytes);
});

test("a crf counts instead of the preset's", async () => {
	const [balanced, better] = [await encoded({}), await encoded({ crf: 15 })];
	expect(better.likeness).toBeGreaterThan(balanced.likeness);
	expect(better.bytes).toBeGreaterThan(balanced.bytes);
});

test("the bit rate stays below its limit", async () => {
	const maxBitrate = 400_000;
	const { bytes } = await encoded({ crf: 10, maxBitrate });
	// The encoder may spend two seconds of it in advance.
	expect(bytes * 8).toBeLessThan(maxBitrate * (SECONDS + 2));
	expect((await encoded({ crf: 10 })).bytes).toBeGreaterThan(bytes);
});

test("the pointer is recorded unless it is turned off", () => {
	const pointer = (options: VideoOptions) => {
		const words = argumentsOf(options);
		return words[words.indexOf("-draw_mouse") + 1];
	};
	expect([pointer({}), pointer({ cursor: false })]).toEqual(["1", "0"]);
});

test.each([
	["a display that is too wide is scaled down", { maxWidth: 320 }, { width: 320, height: 180 }],
	["a display that is too high is scaled down", { maxHeight: 90 }, { width: 160, height: 90 }],
	["a display within the limits stays as it is", { maxWidth: 1280, maxHeight: 720 }, SIZE],
])("%s, with all its frames", async (_what, options, size) => {
	await encode(options);
	const video = await probe(await readFile(captureFiles(folder, 1).video));
	expect(video).toMatchObject({ ...size, faults: "", durationSeconds: expect.closeTo(SECONDS, 3) });
});
