import { expect, test } from "vitest";
import { commonMoments, comparedFrom, momentsOf, offsetAtFailure, offsetOfStep } from "./alignments.ts";
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

test("a step that is repeated is aligned with the same repetition", () => {
	const left = result(0, 9, [step("click", 1), step("click", 4), step("click", 8)]);
	const right = result(0, null, [step("click", 1), step("click", 3), step("click", 5), step("click", 7)]);
	expect(offsetAtFailure(left, right)).toBe(-3);
});

test("the passed video stays in a step while the failed one waits in it", () => {
	const lasting = (title: string, at: number, durationSeconds: number) =>
		({ ...step(title, at), durationSeconds }) as TestStep;
	const left = result(0, 12, [lasting("open", 0, 2), lasting("wait for the receipt", 2, 10)]);
	const right = result(5, null, [
		lasting("open", 5, 2),
		lasting("wait for the receipt", 7, 1),
		lasting("log out", 8, 3),
	]);
	// At 12 s on the left, the right one is at 7.9 s: at 8 s it shows the next step.
	expect(offsetAtFailure(left, right)).toBe(-4.1);
	// Until the step began, they are together as at its beginning.
	expect(offsetOfStep(left, right)).toBe(5);
	// A step that is over before the failure says only when it began.
	const later = result(0, 12, [lasting("open", 0, 2)]);
	expect(offsetAtFailure(later, right)).toBe(5);
});

test("two results are compared from the first step that both have, and without one from the beginning", () => {
	const left = result(10, 15, [
		step("start the browser", 10.5),
		step("open", 13, [step("click", 13.5)]),
		step("pay", 14),
	]);
	const right = result(30, null, [step("open", 31), step("pay", 32)]);
	expect(comparedFrom(left, right)).toBe(13);
	expect(comparedFrom(left, result(30, null, [step("other", 31)]))).toBe(10);
	expect(comparedFrom({ ...result(0, 1, []), offsetSeconds: null }, right)).toBe(0);
});
