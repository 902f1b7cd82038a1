/** The tests of JUnit reports whose run is over: what is not written in them, such as when it began, is not known. */
import { type ImportedTest, instantFrom } from "./imported-test.ts";
import type { JunitReport } from "./junit.ts";
import { lengthReader } from "./report-notation.ts";
import { timesOf } from "./report-times.ts";
import { resultsOf } from "./test-reports.ts";

/** @param reports of one import, because reports of one tool are read together. @returns the tests of each. */
export function importedJunit(reports: readonly (JunitReport & { writtenAt: number })[]): ImportedTest[][] {
	const ended = reports.map((report) => ({ ...report, writtenAt: endOf(report) }));
	const from = Math.min(...ended.map(startOf));
	const times = timesOf(ended, { startedAt: from, from, to: Date.now() });
	return ended.map((report, index) => {
		const tests = report.cases.map((test, place) => ({
			...test,
			key: "",
			rerunTimes: times[index]?.reruns[place] ?? [],
			moment: times[index]?.moments[place] ?? null,
		}));
		// Times from 1970 on, instead of a recording's.
		const results = resultsOf({ tests }, 0);
		const filesOf = new Map(tests.map(({ key, files }) => [key, files]));
		return results.map(({ offsetSeconds, durationSeconds, ...result }): ImportedTest => {
			const startedAt = offsetSeconds == null ? null : Math.round(offsetSeconds * 1_000);
			return {
				test: result.test,
				suite: result.suite ?? null,
				file: result.file ?? null,
				line: null,
				project: result.project ?? null,
				attempt: result.attempt ?? 1,
				outcome: result.outcome ?? "error",
				startedAt,
				endedAt: startedAt === null ? null : startedAt + Math.round((durationSeconds ?? 0) * 1_000),
				isApproximate: startedAt === null || result.isApproximate === true,
				message: result.message ?? null,
				stack: result.stack ?? null,
				steps: [],
				files: (filesOf.get(result.key ?? "") ?? []).map((path) => ({ name: null, contentType: null, path })),
			};
		});
	});
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
function endOf(report: JunitReport & { writtenAt: number }): number {
	const dates = datesOf(report);
	if (dates.length === 0) return report.writtenAt;
	const { wall, sum } = lengthsOf(report);
	return Math.min(report.writtenAt, Math.max(...dates) + Math.max(wall, sum));
}

function startOf(report: JunitReport & { writtenAt: number }): number {
	const { wall, sum } = lengthsOf(report);
	return Math.min(report.writtenAt - Math.max(wall, sum), ...datesOf(report)) - 1_000;
}
