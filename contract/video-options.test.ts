import { expect, test } from "vitest";
import { overrideVideo, videoFormat } from "./video-options.ts";

test("each field counts from the highest level that says it", () => {
	const organization = { preset: "small", framesPerSecond: 5, maxBitrate: 500_000 } as const;
	const both = overrideVideo(organization, { framesPerSecond: 30, cursor: false });
	expect(both).toEqual({ preset: "small", framesPerSecond: 30, maxBitrate: 500_000, cursor: false });
});

test("a preset brings its own quality, instead of a crf below it", () => {
	expect(videoFormat(overrideVideo({ preset: "small", crf: 40 }, { preset: "sharp" }))).toMatchObject({ crf: 19 });
	expect(videoFormat(overrideVideo({ crf: 40 }, { framesPerSecond: 30 }))).toMatchObject({ crf: 40 });
});

test("a crf beside a preset counts instead of the preset's", () => {
	expect(videoFormat({ preset: "sharp", crf: 40 })).toMatchObject({ preset: "sharp", crf: 40 });
});

test("a region or a window counts instead of both below it", () => {
	const region = { x: 0, y: 0, width: 800, height: 600 };
	expect(overrideVideo({ window: "Shop", crf: 20 }, { region })).toEqual({ region, crf: 20 });
	expect(overrideVideo({ region }, { window: "Shop" })).toEqual({ window: "Shop" });
	expect(overrideVideo({ window: "Shop" }, { crf: 20 })).toEqual({ window: "Shop", crf: 20 });
});

test("a field that is undefined says nothing", () => {
	expect(overrideVideo({ maxWidth: 640 }, { maxWidth: undefined })).toEqual({ maxWidth: 640 });
	expect(overrideVideo({ crf: 40 }, { preset: undefined })).toEqual({ crf: 40 });
});

test("the options that a recording used can be requested again", () => {
	const used = videoFormat({ preset: "small", maxWidth: 640 });
	expect(videoFormat(used)).toEqual(used);
});
