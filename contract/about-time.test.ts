import { expect, test } from "vitest";
import { aboutFailure, aboutTime } from "./about-time.ts";
import { clipPath } from "./clip.ts";

test("a failure whose time is not exact says about, and no link leads to its second", () => {
	const result = { recordingId: 3, failureOffsetSeconds: 64.6, isApproximate: true };
	expect(aboutFailure(result)).toBe("failed at about 1:04");
	expect(aboutFailure({ ...result, failureOffsetSeconds: 4_505 })).toBe("failed at about 1:15:05");
	expect(aboutTime(result, "2 h ago")).toBe("about 2 h ago");
	expect(clipPath(result)).toBeNull();
});

test("a failure whose time is exact says nothing, and has a clip", () => {
	const result = { recordingId: 3, failureOffsetSeconds: 64.5, isApproximate: false };
	expect(aboutFailure(result)).toBeNull();
	expect(aboutTime(result, "2 h ago")).toBe("2 h ago");
	expect(clipPath(result)).toBe("/v1/recordings/3/clip?from=44.5&to=69.5");
	expect(aboutFailure({ isApproximate: true, failureOffsetSeconds: null })).toBeNull();
});
