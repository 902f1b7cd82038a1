/** The steps of an attempt as its result has them. */
import type { ReportedStep } from "@tapedeck/client";
import type { TestResult, TestStep } from "playwright/types/testReporter";
import { type Failure, isAfterHooks, messageOf } from "./failure.ts";
import type { Moments } from "./moments.ts";
import type { TapedeckReporterOptions } from "./options.ts";

export type WantedSteps = TapedeckReporterOptions["steps"];

/**
 * The steps that are wanted, those that failed, and those around them. The first that failed is where the test did: an
 * error that the test caught before is no failure, and one that was thrown outside of all steps is a step of its own.
 * @param failure null for an attempt that has not failed.
 */
export function resultSteps(
	{ steps }: TestResult,
	failure: Failure | null,
	wanted: WantedSteps,
	moments: Moments,
): ReportedStep[] {
	const caught = new Set(failure === null ? [] : beforeFailure(steps, failure.step));
	const read = (step: TestStep): ReportedStep[] => {
		const inner = step.steps.flatMap(read);
		const { error, title, category } = step;
		const hasFailed = error !== undefined && !caught.has(step);
		if (!hasFailed && inner.length === 0 && !isWanted(category, wanted)) return [];
		// Steps that the end of the test interrupts have no duration.
		const endedAt = step.duration < 0 ? null : moments.endOf(step);
		return [
			{
				title,
				category,
				startedAt: moments.startOf(step),
				endedAt,
				outcome: hasFailed ? "failed" : error !== undefined || endedAt === null ? null : "passed",
				...(error === undefined ? {} : { message: messageOf(error) }),
				...(inner.length === 0 ? {} : { steps: inner }),
			},
		];
	};
	if (failure === null || failure.step !== null) return steps.flatMap(read);
	const after = steps.findLastIndex(isAfterHooks);
	const body = after === -1 ? steps : steps.slice(0, after);
	const { label, at } = failure;
	const thrown: ReportedStep = { title: label, category: "error", startedAt: at, endedAt: at, outcome: "failed" };
	return [...body.flatMap(read), thrown, ...steps.slice(body.length).flatMap(read)];
}

function isWanted(category: string, wanted: WantedSteps = "test.step"): boolean {
	return wanted === "all" || (wanted === "test.step" && category === "test.step");
}

/**
 * Steps that ended before the failed one, or before the final hooks if no step failed. The attempts of `expect.poll`
 * and `toPass` are steps within the one that failed, which gave up long after the first of them.
 */
function* beforeFailure(steps: readonly TestStep[], failed: TestStep | null): Generator<TestStep, void> {
	for (const step of steps) {
		if (step === failed) return yield* within(step);
		if (failed === null && isAfterHooks(step)) return;
		if (failed !== null && hasWithin(step, failed)) return yield* beforeFailure(step.steps, failed);
		yield step;
		yield* within(step);
	}
}

function* within({ steps }: TestStep): Generator<TestStep, void> {
	for (const step of steps) {
		yield step;
		yield* within(step);
	}
}

const hasWithin = ({ steps }: TestStep, wanted: TestStep): boolean =>
	steps.some((step) => step === wanted || hasWithin(step, wanted));
