/** Where two videos of the same test show the same: at steps and markers of the same name. */
import type { TestResult, TestStep } from "./test-result.ts";

/** A named moment of a video. */
export interface Moment {
	label: string;
	seconds: number;
}

/** A moment that both videos have. */
export interface Alignment {
	label: string;
	/** How many seconds later it is in the right video. */
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
 * How many seconds later the right video is at what the left one shows when its test fails: by the last step before that
 * which both tests have, else by when they began; 0 where that is unknown.
 */
export function offsetAtFailure(left: TestResult, right: TestResult): number {
	const failedAt = left.failureOffsetSeconds ?? Number.POSITIVE_INFINITY;
	const before = momentsOf(left.steps).filter(({ seconds }) => seconds <= failedAt);
	const common = commonMoments(before, momentsOf(right.steps)).at(-1);
	if (common !== undefined) return common.offset;
	return left.offsetSeconds === null || right.offsetSeconds === null
		? 0
		: rounded(right.offsetSeconds - left.offsetSeconds);
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
