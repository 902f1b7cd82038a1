/** When tests failed, in their video. */
import type { TestResult, TestStep } from "@tapedeck/contract/test-result.ts";
import { isFailure } from "./result-icon.tsx";

/** A video begins so many seconds before its failure. */
const BEFORE_SECONDS = 5;

/** Where it ends, in seconds from the first frame; null where nothing of it is in the video. */
export const endOf = ({ offsetSeconds, durationSeconds }: Pick<TestStep, "offsetSeconds" | "durationSeconds">) =>
	offsetSeconds === null ? null : offsetSeconds + (durationSeconds ?? 0);

/** From where on a result is shown: a failure from shortly before, anything else from its beginning. */
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
