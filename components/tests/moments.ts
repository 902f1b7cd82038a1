/** When tests failed, in their video. */
import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { isFailure } from "./result-icon.tsx";

/** A video begins so many seconds before its failure. */
const BEFORE_SECONDS = 5;

/** Its end, in seconds from the first frame; null if nothing of it is in the video. */
export const endOf = ({ offsetSeconds, durationSeconds }: Pick<TestStep, "offsetSeconds" | "durationSeconds">) =>
	offsetSeconds === null ? null : offsetSeconds + (durationSeconds ?? 0);

/** The second from which a result is shown: a failure from shortly before, anything else from its beginning. */
export function showSecondsOf(result: Pick<TestResult, "failureOffsetSeconds" | "offsetSeconds">): number | null {
	const { failureOffsetSeconds: failedAt, offsetSeconds } = result;
	return failedAt === null ? offsetSeconds : Math.max(0, failedAt - BEFORE_SECONDS);
}

/**
 * The failure that a page begins with: the first in the video, but one that passed on its retry only if there is no other.
 * @param results in the order of the video
 */
export function firstFailureOf(results: readonly TestResult[]): TestResult | undefined {
	const failures = results.filter(isFailure);
	return failures.find(({ flaky }) => !flaky) ?? failures[0];
}

/** Positions in addresses are rounded to the millisecond. */
const ROUNDED_SECONDS = 0.002;

/**
 * The result that a moment of the video belongs to. Of tests that ran at the same time, a failure takes precedence, and of
 * several failures the one that is nearest. Between two tests, the next failure.
 * @param results in the order of the video
 */
export function resultAt(results: readonly TestResult[], seconds: number): TestResult | undefined {
	const lasting = results.filter((result) => isWithin(result, seconds));
	const distanceOf = ({ failureOffsetSeconds }: TestResult) => Math.abs((failureOffsetSeconds ?? seconds) - seconds);
	const [nearest] = lasting.filter(isFailure).toSorted((a, b) => distanceOf(a) - distanceOf(b));
	const next = results.find(
		(result) => isFailure(result) && result.failureOffsetSeconds !== null && result.failureOffsetSeconds >= seconds,
	);
	return nearest ?? lasting.at(-1) ?? next;
}

function isWithin(result: TestResult, seconds: number): boolean {
	const { offsetSeconds: start, failureOffsetSeconds: failedAt } = result;
	const end = Math.max(endOf(result) ?? 0, failedAt ?? 0);
	return start !== null && start <= seconds + ROUNDED_SECONDS && end >= seconds - ROUNDED_SECONDS;
}

/** The failure after (1) or before (-1) a result, and behind the last one the first again; undefined if nothing failed. */
export function nextFailureOf(
	results: readonly TestResult[],
	fromId: number | undefined,
	direction: 1 | -1,
): TestResult | undefined {
	const at = results.findIndex(({ id }) => id === fromId);
	const after = results.slice(at + 1);
	const before = results.slice(0, Math.max(0, at));
	const failures = [...after, ...before].filter(isFailure);
	return direction === 1 ? failures[0] : failures.at(-1);
}
