/** The error of a failed test, and the time at which the display showed it. */
import type { TestCase, TestError, TestResult, TestStep } from "playwright/types/testReporter";
import type { Moments } from "./moments.ts";
import { firstLineOf, plainText } from "./text.ts";

export interface Failure {
	/** The first line of the error. */
	label: string;
	/** The whole error. */
	message: string;
	stack: string | null;
	at: Date;
	/** The step that threw it; null for one that was thrown outside of steps. */
	step: TestStep | null;
}

/** Whether an attempt counts as failed: not if it was interrupted, nor if it was expected to fail. */
export const hasFailed = ({ expectedStatus }: TestCase, { status }: TestResult): boolean =>
	status !== "skipped" && status !== "interrupted" && status !== expectedStatus;

/**
 * The first error of an attempt that failed. Others are what the test caught, what its hooks threw later, or further soft
 * assertions.
 */
export function failureOf(result: TestResult, moments: Moments): Failure {
	const [error] = result.errors;
	if (error === undefined) {
		const label = "Expected to fail, but passed.";
		return { label, message: label, stack: null, at: endOfBody(result, moments), step: null };
	}
	const step = stepOf(error, result);
	return {
		label: firstLineOf(messageOf(error)),
		message: [messageOf(error), ...detailsOf(result)].join("\n\n"),
		stack: error.stack === undefined ? null : plainText(error.stack),
		at: step === null ? endOfBody(result, moments) : moments.endOf(step),
		step,
	};
}

/** The error with what caused it. */
export function messageOf({ message, value, cause }: TestError): string {
	const text = plainText(message ?? value ?? "").trim() || "The test failed without a message.";
	return cause === undefined ? text : `${text}\n\n[cause]: ${messageOf(cause)}`;
}

/** The next error says what a timed-out test was waiting for, so it is shown instead of the time-out. */
function detailsOf({ status, errors }: TestResult): string[] {
	const [, next] = errors;
	return status === "timedOut" && next !== undefined ? [messageOf(next)] : [];
}

/** The innermost step that threw the error; null for an error that was thrown outside of steps. */
function stepOf(error: TestError, { errors, steps }: TestResult): TestStep | null {
	for (const isSame of [hasSameStack, hasSameMessage]) {
		const failed = [...innermost(steps, (each) => isSame(each, error))];
		// Soft assertions in a loop fail alike, as often as they are reported; what the test caught came before.
		const reported = errors.filter((each) => isSame(each, error)).length;
		if (failed.length > 0) return failed[Math.max(0, failed.length - reported)] ?? null;
	}
	return null;
}

/** The steps whose error this is, and none that only passed it on, in the order in which they began. */
function* innermost(steps: readonly TestStep[], isWanted: (error: TestError) => boolean): Generator<TestStep> {
	for (const step of steps) {
		const inner = [...innermost(step.steps, isWanted)];
		if (inner.length > 0) yield* inner;
		else if (step.error !== undefined && step.duration >= 0 && isWanted(step.error)) yield step;
	}
}

const hasSameMessage = (one: TestError, other: TestError): boolean =>
	one.message === other.message && one.value === other.value;

const hasSameStack = (one: TestError, other: TestError): boolean =>
	hasSameMessage(one, other) && one.stack === other.stack;

/** When hooks began that follow the test's body; `duration` leaves out hooks and fixtures with a time limit of their own. */
function endOfBody(result: TestResult, moments: Moments): Date {
	const after = result.steps.findLast(isAfterHooks);
	return after === undefined ? moments.endOfTest(result) : moments.startOf(after);
}

export const isAfterHooks = ({ category, title }: TestStep): boolean => category === "hook" && title === "After Hooks";
