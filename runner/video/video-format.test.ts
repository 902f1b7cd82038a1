import { expect, test } from "vitest";
import { videoSize } from "./video-format.ts";

test.each([
	["as it is without limits", { width: 1366, height: 768 }, {}, { width: 1366, height: 768 }],
	["without an odd last row and column", { width: 1367, height: 769 }, {}, { width: 1366, height: 768 }],
	["as wide as allowed", { width: 1920, height: 1080 }, { maxWidth: 1280 }, { width: 1280, height: 720 }],
	["as high as allowed", { width: 1920, height: 1080 }, { maxHeight: 480 }, { width: 854, height: 480 }],
	["within both", { width: 1080, height: 1920 }, { maxWidth: 1280, maxHeight: 720 }, { width: 406, height: 720 }],
	["never larger than it is", { width: 640, height: 360 }, { maxWidth: 1280 }, { width: 640, height: 360 }],
	[
		"even, and close to its proportions",
		{ width: 1366, height: 768 },
		{ maxWidth: 1000 },
		{ width: 1000, height: 562 },
	],
	["at least two pixels high", { width: 4000, height: 10 }, { maxWidth: 16 }, { width: 16, height: 2 }],
])("a video is %s", (_how, display, limits, expected) => {
	expect(videoSize(display, limits)).toEqual(expected);
});
