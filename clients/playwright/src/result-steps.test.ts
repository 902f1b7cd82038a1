import type { TestResult, TestStep } from "playwright/types/testReporter";
import { expect, test } from "vitest";
import { failureOf } from "./failure.ts";
import { Moments } from "./moments.ts";
import { resultSteps } from "./result-steps.ts";

const START = Date.parse("2026-11-28T10:00:00Z");

function step(title: string, at: number, duration: number, error: string | null, steps: TestStep[] = []): TestStep {
	const thrown = error === null ? {} : { error: { message: error, stack: `${error}\n    at ${title}` } };
	const startTime = new Date(START + at);
	return {
		title,
		category: title.startsWith("try") ? "test.step" : "expect",
		startTime,
		duration,
		steps,
		...thrown,
	} as TestStep;
}

/** Errors as Playwright reports them: that of a poll has a call log, which those of its attempts have not. */
const FAILED = "Error: expect(received).toBe(expected)";
const GAVE_UP = `${FAILED}\n\nCall Log:\n- Timeout 8000ms exceeded while waiting on the predicate`;

test.each([
	[
		"expect.poll",
		8_300,
		step("poll toBe", 300, 8_000, GAVE_UP, [step("toBe", 310, 2, FAILED), step("toBe", 7_900, 2, FAILED)]),
	],
	[
		"toPass with steps",
		8_300,
		step("toPass", 300, 8_000, GAVE_UP, [
			step("try", 310, 5, FAILED, [step("toBe", 311, 2, FAILED)]),
			step("try", 7_900, 5, FAILED, [step("toBe", 7_901, 2, FAILED)]),
		]),
	],
	[
		"a step that throws its last error again",
		7_905,
		step("loop", 300, 8_000, FAILED, [step("toBe", 310, 2, FAILED), step("toBe", 7_900, 5, GAVE_UP)]),
	],
])("%s fails when it gives up, in its marker and in its result", (_, at, failed) => {
	const error = failed.title === "loop" ? failed.steps[1]?.error : failed.error;
	const result = { errors: [error], steps: [failed], startTime: new Date(START), duration: 9_000, status: "failed" };
	const moments = new Moments();
	const failure = failureOf(result as unknown as TestResult, moments);
	expect(failure.at.getTime() - START).toBe(at);
	const steps = resultSteps(result as unknown as TestResult, failure, "all", moments);
	expect(innermostFailed(steps).map(({ endedAt }) => Number(endedAt) - START)).toEqual([at]);
});

type Step = ReturnType<typeof resultSteps>[number];
/** The steps at which the dashboard places the failure. */
const innermostFailed = (steps: readonly Step[]): Step[] =>
	steps.flatMap((one) => {
		const inner = innermostFailed(one.steps ?? []);
		return inner.length > 0 ? inner : one.outcome === "failed" ? [one] : [];
	});
