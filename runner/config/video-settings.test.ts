import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const required = { TAPEDECK_URL: "http://tapedeck:3000", TAPEDECK_TOKEN: "a-token-of-twenty-characters" };
const read = (env: Record<string, string>) => readConfig([], { ...required, ...env });

test("without settings, recordings are balanced, with the pointer and without a limit", () => {
	expect(read({}).video).toEqual({ preset: "balanced", crf: undefined, maxBitrate: undefined, cursor: true });
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
});

test.each([
	[{ TAPEDECK_VIDEO_PRESET: "best" }, /TAPEDECK_VIDEO_PRESET: Use one of balanced, sharp, small\./],
	[{ TAPEDECK_VIDEO_CRF: "52" }, /TAPEDECK_VIDEO_CRF: Use a whole number from 0/],
	[{ TAPEDECK_VIDEO_CRF: "1.5" }, /TAPEDECK_VIDEO_CRF: Use a whole number from 0/],
	[{ TAPEDECK_VIDEO_MAX_BITRATE: "1k" }, /TAPEDECK_VIDEO_MAX_BITRATE: Use bits per second from 50000/],
	[{ TAPEDECK_VIDEO_MAX_BITRATE: "fast" }, /TAPEDECK_VIDEO_MAX_BITRATE: Use bits per second from 50000/],
	[{ TAPEDECK_VIDEO_CURSOR: "maybe" }, /TAPEDECK_VIDEO_CURSOR: Use true or false/],
	[{ TAPEDECK_VIDEO_PRESET: "small", TAPEDECK_VIDEO_CRF: "20" }, /TAPEDECK_VIDEO_CRF: Set either this or/],
])("%j is refused with a sentence that says what to use", (env, sentence) => {
	expect(() => read(env)).toThrow(sentence);
});
