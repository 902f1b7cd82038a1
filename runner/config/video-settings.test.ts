import { videoFormat } from "@tapedeck/contract/video-options.ts";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const required = { TAPEDECK_URL: "http://tapedeck:3000", TAPEDECK_TOKEN: "a-token-of-twenty-characters" };
const read = (env: Record<string, string>) => readConfig([], { ...required, ...env });

test("without settings, recordings are balanced, with the pointer, 15 frames a second and no limit", () => {
	const builtIn = { preset: "balanced", crf: 28, framesPerSecond: 15, cursor: true };
	expect(videoFormat(read({}).video)).toEqual(builtIn);
});

test("each setting counts, by its variable or its flag", () => {
	expect(read({ TAPEDECK_VIDEO_PRESET: "sharp", TAPEDECK_VIDEO_CURSOR: "false" }).video).toMatchObject({
		preset: "sharp",
		cursor: false,
	});
	expect(readConfig(["--video-crf", "20", "--video-max-bitrate", "2M"], required).video).toMatchObject({
		crf: 20,
		maxBitrate: 2_000_000,
	});
	const sizes = { TAPEDECK_VIDEO_MAX_WIDTH: "1280", TAPEDECK_VIDEO_MAX_HEIGHT: "720" };
	expect(read({ TAPEDECK_VIDEO_REGION: "800x600+100+50" }).video.region).toEqual({
		...{ x: 100, y: 50, width: 800, height: 600 },
	});
	expect(read({ TAPEDECK_VIDEO_WINDOW: "Shop - Browser" }).video.window).toBe("Shop - Browser");
	expect(read({ ...sizes, TAPEDECK_VIDEO_FPS: "30" }).video).toMatchObject({
		...{ framesPerSecond: 30, maxWidth: 1280, maxHeight: 720 },
	});
});

test.each([
	[{ TAPEDECK_VIDEO_PRESET: "best" }, /TAPEDECK_VIDEO_PRESET: Use one of balanced, sharp, small\./],
	[{ TAPEDECK_VIDEO_CRF: "52" }, /TAPEDECK_VIDEO_CRF: Use a whole number from 0/],
	[{ TAPEDECK_VIDEO_CRF: "1.5" }, /TAPEDECK_VIDEO_CRF: Use a whole number from 0/],
	[{ TAPEDECK_VIDEO_MAX_BITRATE: "1k" }, /TAPEDECK_VIDEO_MAX_BITRATE: Use bits per second from 50000/],
	[{ TAPEDECK_VIDEO_MAX_BITRATE: "fast" }, /TAPEDECK_VIDEO_MAX_BITRATE: Use bits per second from 50000/],
	[{ TAPEDECK_VIDEO_FPS: "0" }, /TAPEDECK_VIDEO_FPS: Use a whole number of frames per second from 1 to 60/],
	[{ TAPEDECK_VIDEO_FPS: "61" }, /TAPEDECK_VIDEO_FPS: Use a whole number of frames per second from 1 to 60/],
	[{ TAPEDECK_VIDEO_FPS: "0.5" }, /TAPEDECK_VIDEO_FPS: Use a whole number of frames per second from 1 to 60/],
	[{ TAPEDECK_VIDEO_MAX_WIDTH: "1281" }, /TAPEDECK_VIDEO_MAX_WIDTH: Use an even number of pixels from 16/],
	[{ TAPEDECK_VIDEO_MAX_HEIGHT: "14" }, /TAPEDECK_VIDEO_MAX_HEIGHT: Use an even number of pixels from 16/],
	[{ TAPEDECK_VIDEO_CURSOR: "maybe" }, /TAPEDECK_VIDEO_CURSOR: Use true or false/],
	[{ TAPEDECK_VIDEO_REGION: "800" }, /TAPEDECK_VIDEO_REGION: Use <width>x<height>\+<x>\+<y>/],
	[{ TAPEDECK_VIDEO_REGION: "15x600+0+0" }, /TAPEDECK_VIDEO_REGION: Use .* sizes from 16 pixels/],
	[{ TAPEDECK_VIDEO_REGION: "800x600-1+0" }, /TAPEDECK_VIDEO_REGION: Use <width>x<height>/],
	[{ TAPEDECK_VIDEO_WINDOW: " " }, /TAPEDECK_VIDEO_WINDOW: .* part of the window's title/],
	[
		{ TAPEDECK_VIDEO_WINDOW: "Shop", TAPEDECK_VIDEO_REGION: "800x600" },
		/TAPEDECK_VIDEO_WINDOW: Set either this or TAPEDECK_VIDEO_REGION/,
	],
	[{ TAPEDECK_VIDEO_PRESET: "small", TAPEDECK_VIDEO_CRF: "20" }, /TAPEDECK_VIDEO_CRF: Set either this or/],
])("%j is refused with a sentence that says what to use", (env, sentence) => {
	expect(() => read(env)).toThrow(sentence);
});
