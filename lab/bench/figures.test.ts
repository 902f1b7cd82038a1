import { expect, test } from "vitest";
import { brokenResults, listed, p50p99, percentile, type Result } from "./figures.ts";

const figures = { lag: { what: "a lag", promise: "p99 < 1 ms" } };
const brokenBy = (result: Partial<Result>) =>
	brokenResults(figures, { lag: { values: [5], measured: "5 ms", holds: true, ...result } });

test("a bench is broken without samples, with values that are not numbers or not plausible, and with such values in its text", () => {
	expect(brokenBy({ values: [] })).toEqual(["lag: there are no samples"]);
	for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1])
		expect(brokenBy({ values: [1, value] })).toHaveLength(1);
	for (const measured of ["NaN ms", "", "p50 undefined", "a | b"]) expect(brokenBy({ measured })).toHaveLength(1);
	expect(brokenBy({ against: "NaN of it" })).toHaveLength(1);
	const bounds = { lag: { ...figures.lag, plausible: [-10, 100] as const } };
	expect(brokenResults(bounds, { lag: { values: [-5], measured: "-5 ms", holds: true } })).toEqual([]);
	expect(brokenResults(bounds, { lag: { values: [101], measured: "101 ms", holds: true } })).toHaveLength(1);
});

test("a bench is broken when it brings other figures than it defines", () => {
	const result = { values: [1], measured: "1 ms", holds: true };
	expect(brokenResults(figures, {})).toEqual(["lag: the bench brought no result"]);
	expect(brokenResults(figures, { lag: result, more: result })).toHaveLength(1);
});

test("a bench that misses its promise is not broken", () => {
	expect(brokenBy({ holds: false })).toEqual([]);
});

test("latencies are quoted by p50 and p99, which is the longest of fewer than a hundred", () => {
	const hundred = Array.from({ length: 200 }, (_, index) => index + 1);
	expect(p50p99(hundred)).toBe("p50 100 ms, p99 198 ms of 200");
	expect(p50p99(hundred, 0.98)).toBe("p50 100 ms, p98 196 ms, p99 198 ms of 200");
	expect(percentile([3, 1, 2], 0.99)).toBe(3);
	expect(() => percentile([], 0.5)).toThrow("no samples");
});

test("several numbers of one row are joined as in a sentence", () => {
	expect([listed([1]), listed([1, 4]), listed([1, 4, 8])]).toEqual(["1", "1 and 4", "1, 4 and 8"]);
});
