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
	const failedAt = left.failureOffsetSeconds ?? Number.POSITIVE_INFINITY;
	const before = numbered(left.steps).filter(({ seconds }) => seconds <= failedAt);
	const others = new Map(numbered(right.steps).map((moment) => [moment.label, moment]));
	const last = before.findLast(({ label }) => others.has(label));
	const other = others.get(last?.label ?? "");
	if (last !== undefined && other !== undefined) {
		const offset = other.seconds - last.seconds;
		// A step that waited until it failed took less time where it passed: what follows it is another step.
		const isFailed = last.end === null || last.end >= failedAt;
		const passedAt = isFailed && other.end !== null ? other.end - failedAt : offset;
		return rounded(Math.min(offset, passedAt));
	}
	return left.offsetSeconds === null || right.offsetSeconds === null
		? 0
		: rounded(right.offsetSeconds - left.offsetSeconds);
}

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
