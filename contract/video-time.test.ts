import { expect, test } from "vitest";
import { formatDuration, formatInstant, formatPosition } from "./video-time.ts";

test.each([
	[0, "0:00", "0:00.0", "0:00"],
	[7.49, "0:07", "0:07.4", "0:07"],
	[64.96, "1:04", "1:04.9", "1:05"],
	[3_599.99, "59:59", "59:59.9", "1:00:00"],
	[4_505, "1:15:05", "1:15:05.0", "1:15:05"],
	[360_000, "100:00:00", "100:00:00.0", "100:00:00"],
	// Sums of frames' durations are rarely whole.
	[2.9999999, "0:03", "0:03.0", "0:03"],
	[0.1 + 0.2, "0:00", "0:00.3", "0:00"],
	[-0.0001, "0:00", "0:00.0", "0:00"],
	[-1.5, "−0:01", "−0:01.5", "0:00"],
])("%d s is %s as a position, %s as an instant and %s as a length", (seconds, position, instant, length) => {
	expect(formatPosition(seconds)).toBe(position);
	expect(formatInstant(seconds)).toBe(instant);
	expect(formatDuration(seconds)).toBe(length);
});
