/** Pairs of times at which two videos of one test show the same: steps and markers of the same name. */
import type { TestResult, TestStep } from "./test-result.ts";

/** A named moment of a video. */
export interface Moment {
	label: string;
	seconds: number;
}

/** A moment that both videos have. */
export interface Alignment {
	label: string;
	/** Seconds by which the moment is later in the right video. */
	offset: number;
}

/** When the steps of a test began, those within others included. */
export function momentsOf(steps: readonly TestStep[]): Moment[] {
	return steps.flatMap(({ title, offsetSeconds, steps }) => [
		...(offsetSeconds === null ? [] : [{ label: title, seconds: offsetSeconds }]),
		...momentsOf(steps),
	]);
}

/**
 * Seconds by which the right video is later than the left one at the left one's failure. Aligns by the last step before it
 * that both tests have, else by their start times; 0 if these are unknown. When the left one fails within a step, the right
 * one shows the same step.
 */
export function offsetAtFailure(left: TestResult, right: TestResult): number {
	const { own, other, failedAt } = lastCommonStep(left, right);
	const offset = offsetOfStep(left, right);
	// A step that waited until it failed took less time where it passed: what follows it is another step.
	if (own === undefined || other === undefined || other.end === null) return offset;
	if (own.end !== null && own.end < failedAt) return offset;
	return rounded(Math.min(offset, Math.max(other.seconds, other.end - BEFORE_END_SECONDS) - failedAt));
}

/** The same at the beginning of that step, for what both videos show until then. */
export function offsetOfStep(left: TestResult, right: TestResult): number {
	const { own, other } = lastCommonStep(left, right);
	if (own !== undefined && other !== undefined) return rounded(other.seconds - own.seconds);
	return left.offsetSeconds === null || right.offsetSeconds === null
		? 0
		: rounded(right.offsetSeconds - left.offsetSeconds);
}

/** The last step before the left one's failure that both tests have. */
function lastCommonStep(left: TestResult, right: TestResult) {
	const failedAt = left.failureOffsetSeconds ?? Number.POSITIVE_INFINITY;
	const others = new Map(numbered(right.steps).map((moment) => [moment.label, moment]));
	const own = numbered(left.steps).findLast(({ seconds, label }) => seconds <= failedAt && others.has(label));
	return { own, other: others.get(own?.label ?? ""), failedAt };
}

/**
 * Second of the left video at which a comparison with the right one begins: the first step that both tests have. What is before it,
 * such as the start of a browser, differs from run to run. Without such a step, the beginning of the test.
 */
export function comparedFrom(left: TestResult, right: TestResult): number {
	const others = new Set(momentsOf(right.steps).map(({ label }) => label));
	const common = momentsOf(left.steps).filter(({ label }) => others.has(label));
	return common.length === 0 ? (left.offsetSeconds ?? 0) : Math.min(...common.map(({ seconds }) => seconds));
}

/** So long before its end, a video still shows the step. At the end it may show the next one. */
const BEFORE_END_SECONDS = 0.1;

interface NumberedMoment extends Moment {
	/** Null where the step does not say how long it took. */
	end: number | null;
}

/** The steps by when they began. A step that is repeated has its number, as the third click of several. */
function numbered(steps: readonly TestStep[]): NumberedMoment[] {
	const counts = new Map<string, number>();
	const read = (steps: readonly TestStep[]): NumberedMoment[] =>
		steps.flatMap(({ title, offsetSeconds, durationSeconds, steps }) => {
			const count = (counts.get(title) ?? 0) + 1;
			counts.set(title, count);
			const end = offsetSeconds === null || durationSeconds == null ? null : offsetSeconds + durationSeconds;
			const own = offsetSeconds === null ? [] : [{ label: `${title}\n${count}`, seconds: offsetSeconds, end }];
			return [...own, ...read(steps)];
		});
	return read(steps);
}

const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** The moments of the same name, each by its first, in the order of the left video. */
export function commonMoments(left: readonly Moment[], right: readonly Moment[]): Alignment[] {
	const firsts = new Map<string, number>();
	for (const { label, seconds } of left) if (!firsts.has(label)) firsts.set(label, seconds);
	return [...firsts].flatMap(([label, seconds]) => {
		const other = right.find((moment) => moment.label === label);
		return other === undefined ? [] : [{ label, offset: rounded(other.seconds - seconds) }];
	});
}
