import { expect, test } from "vitest";
import { commonMoments, momentsOf, offsetAtFailure } from "./alignments.ts";
import type { TestResult, TestStep } from "./test-result.ts";

const moment = (label: string, seconds: number) => ({ label, seconds });
const step = (title: string, offsetSeconds: number | null, steps: TestStep[] = []) =>
	({ title, offsetSeconds, steps }) as TestStep;
const result = (offsetSeconds: number, failureOffsetSeconds: number | null, steps: TestStep[]) =>
	({ offsetSeconds, failureOffsetSeconds, steps }) as TestResult;

test("videos are aligned at the first of each moment that both have, in the order of the left one", () => {
	const left = [moment("Cart", 2), moment("Pay", 5.5), moment("Cart", 9), moment("Only here", 10)];
	const right = [moment("Pay", 4), moment("Cart", 6.25), moment("Only there", 7), moment("Cart", 8)];
	expect(commonMoments(left, right)).toEqual([
		{ label: "Cart", offset: 4.25 },
		{ label: "Pay", offset: -1.5 },
	]);
	expect(commonMoments(left, [])).toEqual([]);
});

test("two results of a test are together at the last step before the failure that both have", () => {
	const left = result(10, 15, [
		step("open", 10),
		step("pay", 12, [step("card", 13), step("only here", 14)]),
		step("clean up", 16),
	]);
	const right = result(30, null, [step("open", 30), step("pay", 34, [step("card", 34.5)]), step("clean up", 50)]);
	expect(momentsOf(left.steps).map(({ label }) => label)).toEqual(["open", "pay", "card", "only here", "clean up"]);
	expect(offsetAtFailure(left, right)).toBe(21.5);
});

test("without a step that both have, two results are together at their beginnings", () => {
	const right = result(30, null, [step("something else", 31)]);
	expect(offsetAtFailure(result(10, 15, [step("open", 10), step("no moment", null)]), right)).toBe(20);
	expect(offsetAtFailure({ ...result(0, 1, []), offsetSeconds: null }, right)).toBe(0);
});
