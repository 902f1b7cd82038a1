/** The tests of JUnit reports, with those of their other runs. */
import { type ImportedTest, instantFrom, joined } from "./imported-test.ts";
import type { JunitReport, TestCase } from "./junit.ts";
import { lengthReader } from "./report-notation.ts";
import { type KnownRun, type Moment, type RerunTime, timesOf, type WrittenReport } from "./report-times.ts";

/**
 * @param reports all of them, because reports of one tool are read together.
 * @param run null if it is over and nothing is known of it: then the reports themselves say when it was.
 * @returns the tests of each, and what was assumed about their times.
 */
export function importedJunit(
	reports: readonly WrittenReport[],
	run: KnownRun | null,
): { tests: ImportedTest[]; assumptions: string[] }[] {
	const placed = run === null ? reports.map((report) => ({ ...report, writtenAt: endOf(report) })) : reports;
	const from = run === null ? Math.min(...placed.map(startOf)) : 0;
	const times = timesOf(placed, run ?? { startedAt: from, from, to: Date.now() });
	return placed.map(({ cases }, index) => {
		const { moments = [], reruns = [], assumptions = [] } = times[index] ?? {};
		const attempts = new Map<string, number>();
		const tests = cases.flatMap((test, place) => runsOf(test, moments[place] ?? null, reruns[place] ?? [], attempts));
		return { tests, assumptions };
	});
}

/**
 * Runs before and after the one of a test case are attempts, at times that most reports do not say.
 * @param attempts counted so far of each test in the report.
 */
function runsOf(
	test: TestCase,
	moment: Moment | null,
	rerunTimes: readonly RerunTime[],
	attempts: Map<string, number>,
): ImportedTest[] {
	const { className, project, file, result, isOfSuite, files } = test;
	const name = isOfSuite ? joined(className, "(outside of tests)") : test.name || "Test";
	const run = (own: Partial<ImportedTest> & Pick<ImportedTest, "outcome">): ImportedTest => {
		const counted = JSON.stringify([name, project]);
		const attempt = (attempts.get(counted) ?? 0) + 1;
		attempts.set(counted, attempt);
		return {
			test: name,
			suite: className || null,
			file: file || null,
			line: null,
			project: project || null,
			attempt,
			...spanOf(moment),
			isApproximate: moment?.isAbout ?? true,
			message: null,
			stack: null,
			steps: [],
			link: null,
			...own,
		};
	};
	const failed = ({ summary, message }: Pick<TestCase, "summary" | "message">) => ({
		outcome: isOfSuite ? ("error" as const) : ("failed" as const),
		message: summary.trim() === "" ? message : summary,
		stack: message,
	});
	const others = () =>
		test.reruns.map((rerun, index) => run({ ...failed(rerun), ...rerunSpan(rerunTimes[index], moment) }));
	const own = {
		files: files.map((path) => ({ name: null, contentType: null, path })),
		link: { insertAfter: test.insertAfter, place: test.place, isEmpty: test.isEmpty, prefix: test.prefix },
	};
	if (result === "failed") return [run({ ...failed(test), ...own }), ...others()];
	return [...others(), run({ outcome: result, message: test.summary, ...own })];
}

function spanOf(moment: Moment | null): Pick<ImportedTest, "startedAt" | "endedAt"> {
	if (moment === null) return { startedAt: null, endedAt: null };
	const startedAt = Math.round(moment.at - moment.durationMs);
	return { startedAt, endedAt: startedAt + Math.round(moment.durationMs) };
}

/** The report's own times of another run. Without any, it has those of the test. */
function rerunSpan(time: RerunTime | undefined, moment: Moment | null): Partial<ImportedTest> {
	if (time === undefined || time.durationMs === null) return { isApproximate: true };
	if (time.moment !== null) return { ...spanOf(time.moment), isApproximate: time.moment.isAbout };
	const { startedAt } = spanOf(moment);
	const endedAt = startedAt === null ? null : startedAt + Math.round(time.durationMs);
	return { startedAt, endedAt, isApproximate: true };
}

const lengthsOf = ({ suites, cases }: JunitReport): { wall: number; sum: number } => {
	const seconds = lengthReader([...suites, ...cases].map(({ time }) => time));
	const ms = (time: string): number => Math.max(0, seconds(time) ?? 0) * 1_000;
	return {
		wall: Math.max(0, ...suites.map(({ time }) => ms(time))),
		sum: cases.reduce((sum, { time }) => sum + ms(time), 0),
	};
};

const datesOf = ({ suites, cases }: JunitReport): number[] =>
	[...suites.map(({ timestamp }) => timestamp), ...cases.flatMap(({ start, end }) => [start, end])].flatMap(
		(text) => instantFrom(text) ?? [],
	);

/** A file may have been copied or unpacked long after its tests ran: its own dates and lengths say when they ended. */
function endOf(report: WrittenReport): number {
	const dates = datesOf(report);
	if (dates.length === 0) return report.writtenAt;
	const { wall, sum } = lengthsOf(report);
	return Math.min(report.writtenAt, Math.max(...dates) + Math.max(wall, sum));
}

function startOf(report: WrittenReport): number {
	const { wall, sum } = lengthsOf(report);
	return Math.min(report.writtenAt - Math.max(wall, sum), ...datesOf(report)) - 1_000;
}
