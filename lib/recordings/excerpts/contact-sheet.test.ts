import { expect, test } from "vitest";
import { tileSize } from "./contact-sheet.ts";

test.each([
	["a large video alone", { width: 3_840, height: 2_160 }, 1, 1, { width: 1_496, height: 840 }],
	["a small video alone, in its own size", { width: 640, height: 360 }, 1, 1, { width: 640, height: 360 }],
	["four frames of a usual display", { width: 1_280, height: 720 }, 2, 2, { width: 746, height: 418 }],
	["nine frames of a display on its side", { width: 1_080, height: 1_920 }, 3, 3, { width: 278, height: 496 }],
	["a video of unknown size", { width: null, height: null }, 1, 1, { width: 1_280, height: 720 }],
])("a sheet fits into 1,500 × 1,500 pixels when it shows %s", (_what, video, columns, rows, size) => {
	expect(tileSize(video, columns, rows)).toEqual(size);
	expect((size.width + 4) * columns).toBeLessThanOrEqual(1_500);
	expect((size.height + 4) * rows).toBeLessThanOrEqual(1_500);
});
