/**
 * When the tests of JUnit reports ended. Tools write a suite's start, its end, the run's start or nothing, and durations
 * with or without hooks, so a report is read as a whole, together with the others of its tool: every test gets the
 * earliest and the latest end that agrees with all of it. Where these are close, the time is known; elsewhere it is a
 * guess, and says so.
 */
import type { JunitReport } from "./junit.ts";
import { instantOf, lengthReader, READINGS, type Reading } from "./report-notation.ts";
import {
	aboutSpan,
	CLOSE_MS,
	datedSpans,
	GRAIN_MS,
	type Group,
	isLate,
	lengthOf,
	SECOND_MS,
	type Span,
	toleranceOf,
	undatedSpans,
} from "./report-spans.ts";

/** Times known from other sources than the reports, in milliseconds since 1970. */
export interface KnownRun {
	/** When the command was started. */
	startedAt: number;
	/** The recording. */
	from: number;
	to: number;
}

export interface WrittenReport extends JunitReport {
	writtenAt: number;
}

export interface Moment {
	/** When the test ended. */
	at: number;
	durationMs: number;
	isAbout: boolean;
}

/** Another run of a test, as far as the report says it. */
export interface RerunTime {
	/** Null without a timestamp of its own within the recording. */
	moment: Moment | null;
	/** Null without a length of its own. */
	durationMs: number | null;
}

export interface TestTimes {
	/** The moment of each test case; null for one that has no time within the recording. */
	moments: (Moment | null)[];
	/** For each test case, its other runs. */
	reruns: RerunTime[][];
	/** Clauses of a sentence. */
	assumptions: string[];
}

/** A test may begin or end so long outside of the recording: clocks and times are not exact. */
export const OUTSIDE_MS = 1_000;

/** A report with its numbers read. */
interface Read {
	report: WrittenReport;
	/** In milliseconds. */
	durations: number[];
	/** Sums differ by as much only because their parts were rounded. */
	rounding: number;
	/** Tests by the timestamp of their suites. */
	groups: Group[];
	/** Tests of suites without one. */
	undated: Group | null;
	/** The span of each test case. */
	spans: (Span | null)[];
	assumptions: Set<string>;
	reading: Reading;
}

/** @returns the times of each report's tests. */
export function timesOf(reports: readonly WrittenReport[], run: KnownRun): TestTimes[] {
	const done = new Map<WrittenReport, Read>();
	for (const alike of Map.groupBy(reports, shapeOf).values()) {
		for (const read of readAlike(alike, run)) done.set(read.report, read);
	}
	markWrittenTogether([...done.values()]);
	return reports.map((report) => {
		const { spans, durations, assumptions, reading } = done.get(report) as Read;
		return {
			moments: spans.map((span, index) => momentOf(span, durations[index] ?? 0, run)),
			reruns: rerunTimes(report, reading, run),
			assumptions: [...assumptions],
		};
	});
}

/** Reports of one tool have the same. */
function shapeOf({ shape, suites, cases }: WrittenReport): string {
	const dates = [...suites.map(({ timestamp }) => timestamp), ...cases.flatMap(({ start, end }) => [start, end])];
	return `${shape} ${(dates.find((text) => text !== "") ?? "").replace(/\d+/g, "0")}`;
}

/** The reports of one tool. */
function readAlike(reports: readonly WrittenReport[], run: KnownRun): Read[] {
	const { reading, isUnsure, clause } = readingOf(reports, run);
	const all = reports.map((report) => readLengths(report));
	setOwnSpans(all, reading);
	for (const each of all) setGroups(each, reading);
	const groups = all.flatMap((read) => read.groups);
	for (const [, same] of Map.groupBy(groups, ({ at }) => at)) {
		// Several files with one timestamp.
		if (same.length > 1 && same.reduce((sum, group) => sum + lengthOf(group), 0) > SECOND_MS)
			for (const group of same) group.isShared = true;
	}
	const kind = {
		areEnds:
			all.some((read) => endWithThem(read)) &&
			groups.every((group) => group.at - lengthOf(group) >= run.startedAt - CLOSE_MS),
		isMeasured: all.some((read) =>
			read.groups.some(({ wall, sum }) => wall !== null && Math.abs(wall - sum) > read.rounding),
		),
		areDistinct: new Set(groups.map(({ at }) => at)).size > 1,
	};
	for (const read of all) {
		const { report, spans, durations, assumptions } = read;
		if (clause !== null) assumptions.add(clause);
		read.reading = reading;
		const known = { ...run, writtenAt: report.writtenAt };
		for (const [index, span] of datedSpans(read.groups, durations, kind, known, assumptions)) spans[index] = span;
		if (read.undated !== null) {
			const found = undatedSpans(read.undated, durations, known, assumptions);
			for (const [index, span] of found) spans[index] = read.groups.length > 0 ? aboutSpan(span) : span;
		}
		for (const [index, { suite, isOfSuite, start, end }] of report.cases.entries()) {
			const span = spans[index];
			const isRerun = report.suites[suite]?.hasReruns === true && start === "" && end === "";
			if (isRerun) assumptions.add("some tests ran again, at times that the report does not say");
			if (span && (isUnsure || isOfSuite || isRerun)) spans[index] = aboutSpan(span);
		}
	}
	return all;
}

/** Its last timestamp is the end: tests that began then would have ended after the report was written. */
const endWithThem = ({ groups, report: { writtenAt } }: Read): boolean => {
	const last = groups.at(-1);
	return (
		last !== undefined && groups.some((each) => isLate(each, writtenAt)) && last.at >= writtenAt - toleranceOf(last)
	);
};

/** The one reading of all dates that places most of them between the command's start and their report's end. */
function readingOf(
	reports: readonly WrittenReport[],
	{ startedAt }: KnownRun,
): { reading: Reading; isUnsure: boolean; clause: string | null } {
	const given = new Map<string, number>();
	for (const { suites, cases, writtenAt } of reports) {
		const ofCases = cases.flatMap(({ start, end, reruns }) => [start, end, ...reruns.map((rerun) => rerun.start)]);
		const texts = [...suites.map(({ timestamp }) => timestamp), ...ofCases];
		for (const text of texts) if (text !== "") given.set(text, writtenAt);
	}
	const [first] = READINGS as [Reading];
	if ([...given.keys()].every((text) => instantOf(text, first)?.isZoned !== false))
		return { reading: first, isUnsure: false, clause: null };
	const tried = READINGS.map((reading) => {
		const at = [...given.keys()].map((text) => instantOf(text, reading)?.at ?? Number.NaN);
		const ends = [...given.values()];
		const inside = at.filter((each, index) => each >= startedAt - CLOSE_MS && each <= (ends[index] ?? 0) + CLOSE_MS);
		return { reading, at: at.join(), inside: inside.length };
	});
	const most = Math.max(...tried.map(({ inside }) => inside));
	const best = tried.filter(({ inside }) => inside === most);
	const reading = best[0]?.reading ?? first;
	const isUnsure = most > 0 && best.some(({ at }) => at !== best[0]?.at);
	const zone = reading.zone === "utc" ? "UTC" : "local time";
	const clause = isUnsure
		? "timestamps without a zone fit local time and UTC"
		: `timestamps without a zone are ${zone}`;
	return { reading, isUnsure, clause: most > 0 ? clause : null };
}

function readLengths(report: WrittenReport): Read {
	const texts = [...report.suites, ...report.cases].map(({ time }) => time);
	const seconds = lengthReader(texts);
	const decimals = texts.map((time) => /[.,](\d+)/.exec(time)?.[1]?.length ?? 0);
	const digits = decimals.reduce((most, each) => Math.max(most, each), 0);
	return {
		report,
		durations: report.cases.map(({ time }) => Math.max(0, seconds(time) ?? 0) * SECOND_MS),
		rounding: (report.cases.length + 1) * Math.max(1, SECOND_MS / 10 ** digits / 2),
		groups: [],
		undated: null,
		spans: report.cases.map(() => null),
		assumptions: new Set(),
		reading: READINGS[0] as Reading,
	};
}

/** nextest and Surefire write when another run began, and how long it took. */
function rerunTimes({ cases }: WrittenReport, reading: Reading, run: KnownRun): RerunTime[][] {
	const seconds = lengthReader(cases.flatMap(({ reruns }) => reruns.map(({ time }) => time)));
	return cases.map(({ reruns }) =>
		reruns.map(({ time, start }) => {
			const length = seconds(time);
			const durationMs = length === null ? null : Math.max(0, length) * SECOND_MS;
			const begun = instantOf(start, reading);
			if (begun === null || durationMs === null) return { moment: null, durationMs };
			const earliest = begun.at + durationMs;
			const span = { earliest, latest: earliest + begun.grain, guess: earliest + begun.grain / 2 };
			return { moment: momentOf({ ...span, isAbout: begun.grain > CLOSE_MS }, durationMs, run), durationMs };
		}),
	);
}

/** Times of tests with timestamps of their own. If all tests of a suite have the same, it is the suite's. */
function setOwnSpans(all: Read[], reading: Reading): void {
	const begun = all.map(({ report }) => report.cases.map(({ start }) => instantOf(start, reading)));
	const isLong = (read: Read, index: number): boolean => (read.durations[index] ?? 0) > GRAIN_MS;
	const flat = begun.flatMap((starts, place) =>
		starts.flatMap((start, index) => (start ? [{ at: start.at, isLong: isLong(all[place] as Read, index) }] : [])),
	);
	const isOne = (tests: { at: number; isLong: boolean }[]): boolean =>
		tests.length > 1 && tests.some((test) => test.isLong) && tests.every(({ at }) => at === tests[0]?.at);
	const areOfRun = isOne(flat);
	// A test cannot end after its report was written: then the times are those of the tests' ends.
	const areEnds = all.some(({ report, durations }, place) =>
		report.cases.some((_, index) => {
			const at = begun[place]?.[index]?.at;
			const latest = report.writtenAt + GRAIN_MS;
			return at !== undefined && at <= latest && at + (durations[index] ?? 0) > latest;
		}),
	);
	for (const [place, read] of all.entries()) {
		const { report, durations, spans } = read;
		const inSuites = Map.groupBy(report.cases.keys(), (index) => report.cases[index]?.suite);
		const shared = new Set(
			[...inSuites].flatMap(([suite, indexes]) => {
				const tests = indexes.map((index) => ({
					at: begun[place]?.[index]?.at ?? Number.NaN,
					isLong: isLong(read, index),
				}));
				return isOne(tests) ? [suite] : [];
			}),
		);
		for (const [index, { end, suite }] of report.cases.entries()) {
			const duration = durations[index] ?? 0;
			const ended = instantOf(end, reading);
			const start = areOfRun || shared.has(suite) ? null : (begun[place]?.[index] ?? null);
			const given = ended ?? start;
			if (given === null) continue;
			const earliest = ended !== null || areEnds ? given.at : given.at + duration;
			const latest = Math.max(earliest, Math.min(earliest + given.grain, report.writtenAt));
			const isAbout = latest - earliest > CLOSE_MS;
			spans[index] = { earliest, latest, guess: (earliest + latest) / 2, isAbout };
			read.assumptions.add("tests have times of their own");
		}
	}
}

function setGroups(read: Read, reading: Reading): void {
	const { report, durations, spans } = read;
	const { suites, cases } = report;
	const seconds = lengthReader([...suites, ...cases].map(({ time }) => time));
	const starts: ReturnType<typeof instantOf>[] = [];
	for (const { timestamp, parent } of suites)
		starts.push(instantOf(timestamp, reading) ?? (parent === null ? null : (starts[parent] ?? null)));
	const withCases = new Set(cases.map(({ suite }) => suite));
	/** A suite that says no time takes as long as those inside it: many reports have such a root. */
	const wallsOf = (suite: number, members: readonly number[]): (number | null)[] => {
		const own = seconds(suites[suite]?.time ?? "");
		const inside = members.filter((each) => suites[each]?.parent === suite);
		if (own !== null || inside.length === 0 || withCases.has(suite)) return [own];
		return inside.flatMap((each) => wallsOf(each, members));
	};
	/** Suites of no length are not measured: some tools write 0 for those with suites inside. */
	const wallOf = (members: readonly number[]): number | null => {
		const inside = new Set(members);
		const tops = members.filter((each) => !inside.has(suites[each]?.parent ?? -1));
		const walls = tops.flatMap((each) => wallsOf(each, members));
		const wall = walls.reduce<number>((sum, each) => sum + Math.max(0, each ?? 0), 0) * SECOND_MS;
		return wall === 0 || walls.includes(null) ? null : wall;
	};
	const others = [...cases.keys()].filter((index) => spans[index] === null);
	const byStart = Map.groupBy(others, (index) => starts[cases[index]?.suite ?? 0]?.at ?? null);
	const members = Map.groupBy(suites.keys(), (index) => starts[index]?.at ?? null);
	for (const [at, inside] of byStart) {
		// The root's time is that of the whole run.
		const whole = byStart.size === 1 ? seconds(suites[0]?.time ?? "") : null;
		const group: Group = {
			at: at ?? 0,
			grain: starts[cases[inside[0] ?? 0]?.suite ?? 0]?.grain ?? 0,
			cases: inside,
			sum: inside.reduce((sum, each) => sum + (durations[each] ?? 0), 0),
			wall: (whole ?? 0) * SECOND_MS || wallOf(members.get(at) ?? []),
			isShared: new Set(inside.map((each) => cases[each]?.suite)).size > 1,
		};
		if (at === null) read.undated = group;
		else read.groups.push(group);
	}
	read.groups.sort((a, b) => a.at - b.at);
}

/** Reports that were written at once, although their tests take longer than the time between, were not written at their end. */
function markWrittenTogether(all: readonly Read[]): void {
	const ends = all.flatMap((read) => {
		const { undated, groups, report } = read;
		const length = undated !== null ? lengthOf(undated) : groups.reduce((sum, group) => sum + lengthOf(group), 0);
		return undated !== null || groups.some(({ areEnds }) => areEnds) ? [{ read, length, at: report.writtenAt }] : [];
	});
	ends.sort((a, b) => a.at - b.at);
	let together: typeof ends = [];
	for (const [index, end] of ends.entries()) {
		together.push(end);
		if ((ends[index + 1]?.at ?? Number.POSITIVE_INFINITY) - end.at < GRAIN_MS) continue;
		const from = Math.min(...together.map(({ at, length }) => at - length));
		const sum = together.reduce((all, { length }) => all + length, 0);
		if (together.length > 1 && sum > end.at - from + GRAIN_MS) {
			for (const { read } of together) {
				read.assumptions.add("reports that were written together do not say when their tests ended");
				read.spans = read.spans.map((span) => span && aboutSpan(span));
			}
		}
		together = [];
	}
}

function momentOf(span: Span | null, durationMs: number, { from, to }: KnownRun): Moment | null {
	if (span === null || Number.isNaN(from)) return null;
	const { guess, isAbout } = span;
	const [earliest, latest] = isAbout ? [span.earliest, span.latest] : [guess, guess];
	if (latest < from - OUTSIDE_MS || earliest > to + OUTSIDE_MS) return null;
	return { at: Math.min(Math.max(guess, from), to), durationMs, isAbout };
}
