import { expect, test } from "vitest";
import { rangeAnswer } from "./http-range.ts";

test("a Range header of 16 KiB of spaces is answered at once", () => {
	const spaces = "\t".repeat(8_000);
	expect(rangeAnswer(`bytes=${spaces}-${spaces}-`, 100)).toEqual({ kind: "whole" });
	expect(rangeAnswer(`bytes=${spaces}1${spaces}-${spaces}5${spaces}`, 100)).toEqual({ kind: "part", start: 1, end: 6 });
	expect(rangeAnswer(`${spaces}bytes${spaces}=${spaces}x`, 100)).toEqual({ kind: "whole" });
});

test("ranges have spaces where they may have them, and no digits may be left out", () => {
	expect(rangeAnswer(" bytes = 0 - 9 ", 100)).toEqual({ kind: "part", start: 0, end: 10 });
	expect(rangeAnswer("bytes=-5", 100)).toEqual({ kind: "part", start: 95, end: 100 });
	expect(rangeAnswer("bytes=1 2-3", 100)).toEqual({ kind: "whole" });
	expect(rangeAnswer("bytes=-", 100)).toEqual({ kind: "whole" });
});
