/** When tests that ran after one timestamp can have ended. */

/** Possible end times of a test, in milliseconds since 1970. */
export interface Span {
	earliest: number;
	latest: number;
	guess: number;
	/** Known not to be exact. */
	isAbout: boolean;
}

/** Tests that ran after one timestamp. */
export interface Group {
	at: number;
	/** Precision: the tests may have run later by this much. */
	grain: number;
	cases: number[];
	/** The sum of its tests. */
	sum: number;
	/** The sum given by the suites; null if they give none. */
	wall: number | null;
	/** Several suites at one timestamp: it is the run's, and says nothing about the later ones. */
	isShared: boolean;
	/** The timestamp is that of the end. */
	areEnds?: boolean;
}

/** Properties that all reports of one tool share. */
interface Kind {
	/** Timestamps are those of the suites' ends. */
	areEnds: boolean;
	/** The times of suites are more than the sums of their tests. */
	isMeasured: boolean;
	/** Suites have timestamps of their own, not one for all of them. */
	areDistinct: boolean;
}

interface Known {
	/** When the command was started. */
	startedAt: number;
	/** When the report was written. */
	writtenAt: number;
}

/** Clocks and whole seconds: a timestamp this far outside is still inside. */
export const CLOSE_MS = 1_500;
/** Ends that are this close are one. */
const EXACT_MS = 500;
/** File systems and tools round. */
export const GRAIN_MS = 250;
export const SECOND_MS = 1_000;

export const lengthOf = ({ wall, sum }: Group): number => wall ?? sum;
export const toleranceOf = ({ grain }: Group): number => (grain > 0 ? CLOSE_MS : EXACT_MS);
export const aboutSpan = (span: Span): Span => ({ ...span, isAbout: true });

/** It would have ended after its report was written. */
export const isLate = (group: Group, writtenAt: number): boolean =>
	group.at + lengthOf(group) > writtenAt + GRAIN_MS && group.at <= writtenAt + CLOSE_MS;

/** @param groups of one report, by timestamp. @returns spans by the index of their test. */
export function datedSpans(
	groups: Group[],
	durations: number[],
	kind: Kind,
	{ writtenAt, startedAt }: Known,
	assumptions: Set<string>,
): [number, Span][] {
	if (kind.areEnds) return endedSpans(groups, durations, { writtenAt, startedAt }, assumptions);
	const begun = groups.map((group) => notBefore(group, startedAt));
	return begun.flatMap((group, place) => {
		const { at, grain, sum, wall } = group;
		const next = begun[place + 1] ?? null;
		if (isLate(group, writtenAt) || (wall !== null && sum > wall + GRAIN_MS)) {
			assumptions.add("tests ran in parallel, or their times overlap");
			return parallel(group, Math.min(at + grain + (wall ?? sum), Math.max(writtenAt, at)), durations);
		}
		const bounds = [writtenAt];
		// A suite that would have begun before this one was over ran beside it.
		if (next !== null && next.at >= at + Math.max(wall ?? 0, sum) - GRAIN_MS) bounds.push(next.at + next.grain);
		// A lone timestamp may be that of the run, whose suite began later.
		const isOfSuite = kind.areDistinct || at + grain + (wall ?? 0) >= writtenAt - CLOSE_MS;
		if (kind.isMeasured && wall !== null && isOfSuite) bounds.push(at + grain + wall);
		const isOutside = at + grain < startedAt - CLOSE_MS;
		const end = Math.max(isOutside ? at : Math.min(...bounds), at + sum);
		assumptions.add(
			group.isShared
				? "suites share a timestamp, which says nothing about the later ones"
				: end - at - sum <= toleranceOf(group)
					? "tests ran one after the other from their suite's timestamp"
					: "suites took longer than their tests",
		);
		const spans = sequence(group, end, durations);
		return isOutside ? spans.map(([index, span]): [number, Span] => [index, aboutSpan(span)]) : spans;
	});
}

/** A whole minute began before the command did. */
function notBefore(group: Group, startedAt: number): Group {
	const more = Math.min(Math.max(0, startedAt - SECOND_MS - group.at), group.grain);
	return { ...group, at: group.at + more, grain: group.grain - more };
}

function endedSpans(
	groups: Group[],
	durations: number[],
	{ writtenAt, startedAt }: Known,
	assumptions: Set<string>,
): [number, Span][] {
	assumptions.add("timestamps are those of the suites' ends");
	const overlap = groups.some((each, index) => {
		const before = groups[index - 1];
		return before !== undefined && each.at - lengthOf(each) < before.at - GRAIN_MS;
	});
	return groups.flatMap((group, index) => {
		group.areEnds = true;
		const { at, grain, wall, sum } = group;
		// Without the suite's time, there may have been pauses ever since the one before.
		const first = wall !== null ? at - wall : Math.max(groups[index - 1]?.at ?? startedAt, startedAt);
		const end = Math.max(at, Math.min(at + grain, writtenAt));
		const spans = sequence({ ...group, at: Math.min(first, at - sum) }, end, durations);
		return overlap ? spans.map(([place, span]): [number, Span] => [place, aboutSpan(span)]) : spans;
	});
}

/** Without timestamps, a report was written when its last test ended. */
export function undatedSpans(
	group: Group,
	durations: number[],
	{ writtenAt, startedAt }: Known,
	assumptions: Set<string>,
): [number, Span][] {
	const { sum } = group;
	const wall = lengthOf(group);
	if (wall === 0 && sum === 0) return [];
	const start = writtenAt - wall;
	if (sum > wall + GRAIN_MS || start < startedAt - EXACT_MS) {
		assumptions.add("tests without timestamps ran in parallel");
		return parallel({ ...group, at: Math.max(start, startedAt) }, writtenAt, durations);
	}
	assumptions.add("reports without timestamps were written when their last test ended");
	// Pauses between suites, and in those without a time, cannot be seen, unless the command had no time for them.
	const isTight = start - startedAt <= EXACT_MS;
	const spans = sequence({ ...group, at: start, isShared: false }, writtenAt, durations);
	const isUnseen = group.isShared || (group.wall === null && group.cases.length > 1);
	return isUnseen && !isTight ? spans.map(([index, span]): [number, Span] => [index, aboutSpan(span)]) : spans;
}

/** One after the other, with pauses nobody knows where. */
function sequence(group: Group, end: number, durations: number[]): [number, Span][] {
	const { at, grain, cases, sum, isShared } = group;
	const slack = Math.max(0, end - at - sum);
	const isAbout = isShared || slack > toleranceOf(group);
	let until = at;
	return cases.map((index) => {
		until += durations[index] ?? 0;
		const guess = isAbout || grain > 0 ? until + slack / 2 : until;
		return [index, { earliest: until, latest: until + slack, guess, isAbout }];
	});
}

/** At once: the order of their ends is all there is. */
function parallel({ at, cases, sum }: Group, end: number, durations: number[]): [number, Span][] {
	let until = 0;
	return cases.map((index) => {
		until += durations[index] ?? 0;
		const earliest = Math.min(at + (durations[index] ?? 0), end);
		const guess = Math.max(earliest, at + ((end - at) * until) / (sum || 1));
		return [index, { earliest, latest: end, guess, isAbout: true }];
	});
}
