import { expect, test } from "vitest";
import { framePath, frameTime } from "./storyboard.ts";

test("the frame for a moment is the last one before it, else the first", () => {
	const times = [0.4, 2.5, 4.5];
	expect([0, 0.4, 2.49, 2.5, 100].map((seconds) => frameTime(times, seconds))).toEqual([0.4, 0.4, 0.4, 2.5, 4.5]);
	expect(frameTime([], 3)).toBeNull();
	expect(framePath(7, 2.5)).toBe("/v1/recordings/7/frame?at=2.5");
});
