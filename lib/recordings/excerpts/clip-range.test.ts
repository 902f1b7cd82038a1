import { expect, test } from "vitest";
import { clipRange } from "./clip-range.ts";

const range = (asked: { from?: number; to?: number }, failedAt: number | null = null, format: "mp4" | "gif" = "mp4") =>
	clipRange({ ...asked, format }, 3_600, failedAt);
const pathOf = (work: () => unknown): string => {
	try {
		work();
	} catch (error) {
		return (error as { faults: { path: string }[] }).faults.map(({ path }) => path).join();
	}
	return "accepted";
};

test("a clip without a range lies around the failure and is 25 s long, or the last 25 s", () => {
	expect(range({}, 100)).toEqual({ from: 80, to: 105 });
	expect(range({}, 7)).toEqual({ from: 0, to: 12 });
	expect(range({}, 3_600)).toEqual({ from: 3_580, to: 3_600 });
	expect(range({})).toEqual({ from: 3_575, to: 3_600 });
	expect(range({ from: 10 }, 100)).toEqual({ from: 10, to: 35 });
	expect(range({ to: 10 }, 100)).toEqual({ from: 0, to: 10 });
	expect(range({ from: 3_590, to: 4_000 })).toEqual({ from: 3_590, to: 3_600 });
});

test("a stretch that is empty, backwards, after the end or too long is refused at its parameter", () => {
	expect(pathOf(() => range({ from: 10, to: 10 }))).toBe("to");
	expect(pathOf(() => range({ from: 10, to: 9 }))).toBe("to");
	expect(pathOf(() => range({ from: 3_600, to: 3_610 }))).toBe("from");
	expect(pathOf(() => range({ from: 0, to: 600.1 }))).toBe("to");
	expect(pathOf(() => range({ from: 0, to: 36_000 }))).toBe("to");
	expect(range({ from: 0, to: 600 })).toEqual({ from: 0, to: 600 });
	expect(pathOf(() => range({ from: 0, to: 61 }, null, "gif"))).toBe("to");
});
