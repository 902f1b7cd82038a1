import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { firstFailureOf, nextFailureOf, resultAt, showSecondsOf } from "./moments.ts";

const result = (id: number, outcome: TestResult["outcome"], more: Partial<TestResult> = {}) =>
	({ id, outcome, offsetSeconds: 10, failureOffsetSeconds: null, flaky: false, ...more }) as TestResult;

test("a failure is shown from five seconds before it, anything else from its beginning", () => {
	expect(showSecondsOf(result(1, "failed", { failureOffsetSeconds: 15 }))).toBe(10);
	expect(showSecondsOf(result(1, "failed", { failureOffsetSeconds: 3 }))).toBe(0);
	expect(showSecondsOf(result(1, "passed"))).toBe(10);
	expect(showSecondsOf(result(1, null, { offsetSeconds: null }))).toBeNull();
});

test("a page begins with the first failure that did not pass on its retry", () => {
	const results = [result(1, "passed"), result(2, "failed", { flaky: true }), result(3, "passed"), result(4, "error")];
	expect(firstFailureOf(results)?.id).toBe(4);
	expect(firstFailureOf(results.slice(0, 3))?.id).toBe(2);
	expect(firstFailureOf(results.slice(0, 1))).toBeUndefined();
});

test("the next failure comes in the order of the video, and behind the last one the first again", () => {
	const results = [result(1, "failed"), result(2, "passed"), result(3, "error"), result(4, null)];
	expect(nextFailureOf(results, undefined, 1)?.id).toBe(1);
	expect(nextFailureOf(results, 1, 1)?.id).toBe(3);
	expect(nextFailureOf(results, 3, 1)?.id).toBe(1);
	expect(nextFailureOf(results, 2, -1)?.id).toBe(1);
	expect(nextFailureOf(results, 1, -1)?.id).toBe(3);
	expect(nextFailureOf(results.slice(1, 2), 2, 1)).toBeUndefined();
});

test("a moment of the video belongs to the test that ran then, and to a failure before one that passed", () => {
	const lasting = (id: number, from: number, to: number, failedAt: number | null = null) =>
		result(id, failedAt === null ? "passed" : "failed", {
			...{ offsetSeconds: from, durationSeconds: to - from, failureOffsetSeconds: failedAt },
		});
	const results = [
		lasting(1, 0, 10, 9),
		lasting(2, 10, 20),
		lasting(3, 10, 40, 40),
		lasting(4, 12, 18, 16),
		lasting(5, 50, 60, 60),
	];
	expect([5, 9, 16, 11, 30, 39.999, 40.001].map((at) => resultAt(results, at)?.id)).toEqual([1, 1, 4, 3, 3, 3, 3]);
	expect(resultAt(results, 10)?.id).toBe(1);
	// Nothing ran: the video comes to this failure next.
	expect(resultAt(results, 45)?.id).toBe(5);
	expect(resultAt(results.slice(0, 2), 15)?.id).toBe(2);
	expect(resultAt(results, 90)).toBeUndefined();
});
