/**
 * The JUnit reports that a recorded command wrote: results of its tests, markers for those that failed, and copies of the
 * reports with links.
 */

import { readFile, stat, writeFile } from "node:fs/promises";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { sanitizeMessage, sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_TEST_MARKERS } from "@tapedeck/contract/runner-protocol.ts";
import { MAX_RESULT_KEY, sanitizeTitle } from "@tapedeck/contract/test-result.ts";
import { errorMessage } from "../base/fault.ts";
import type { LocalRecording, SentTest, TestMarker } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { MAX_MESSAGE, MAX_NAME, type TestCase, withLinks } from "./junit.ts";
import { COPY, type ReportAnswer, readReports } from "./read-reports.ts";
import { type Moment, type RerunTime, timesOf } from "./report-times.ts";

const MAX_LABEL = 200;
const MAX_NAMED = 20;
/** Maximum number of files that one line names. */
const MAX_FILES = 3;
/** Maximum number of unread reports that one line names. */
const MAX_REASONS = 5;
/** Results that are added, and the characters of their JSON: until it is delivered, the runner keeps them all. */
const MAX_RESULTS = 5_000;
const MAX_CHARACTERS = 4_000_000;
/** Maximum size of a stack; the dashboard keeps less. */
const MAX_STACK_BYTES = 16 * 1024;
const ABOUT = "about: ";

/** A test that failed, for the lines that lead to it. */
export interface FailedTest {
	title: string;
	/** Key of the test's result. */
	key: string;
	/** A link to its failure. @param url the job's page. */
	linkAt(url: string, resultIds: ResultIds): string;
}
/** The ids of test results by their keys, as far as the dashboard has said them. */
export type ResultIds = ReadonlyMap<string, number>;

interface TestReports {
	/** If there are too many tests, failed ones come first. */
	tests: SentTest[];
	/** Markers of failed tests, by time. */
	markers: TestMarker[];
	/** In the order of the reports. */
	failed: FailedTest[];
	/** Whether every report was read, and each of its results is added. */
	isWhole: boolean;
	/** Writes the copies. @param url the job's page. */
	writeLinks(url: string, resultIds: ResultIds): Promise<void>;
}

export const NO_REPORTS: TestReports = {
	tests: [],
	markers: [],
	failed: [],
	isWhole: false,
	writeLinks: async () => undefined,
};

interface ReadTest extends TestCase {
	moment: Moment | null;
	/** Times of the test's other runs. */
	rerunTimes: RerunTime[];
	/** Key of the result; earlier attempts have their own. */
	key: string;
}
interface Report {
	file: string;
	tests: ReadTest[];
	assumptions: string;
	bytes: number;
	writtenAt: number;
}

/**
 * @param run when the command was started, because older reports are of another run; and what masks the texts of reports,
 *   before they are cut further.
 */
export async function testReports(
	call: Call,
	begun: LocalRecording,
	{ startedAt, mask }: { startedAt: number; mask: SecretMask },
): Promise<TestReports> {
	const patterns = Array.isArray(call.values.junit) ? call.values.junit : [];
	if (patterns.length === 0) return NO_REPORTS;
	const from = Date.parse(begun.startedAt ?? "");
	const remark = (sentence: string): void => call.remark(`tapedeck: ${sentence}`);
	const { answers, problem } = await readReports({ patterns, startedAt });
	const refused = answers.flatMap((answer) => ("problem" in answer ? [answer] : []));
	if (refused.length > 0) remark(refusalOf(refused));
	if (problem !== null) remark(`${problem}.`);
	else if (answers.length === 0) remark(`The command wrote no JUnit report at ${patterns.join(", ")}.`);
	const reports = placed(answers, { startedAt, from, to: Date.now() }, mask);
	const tests = reports.flatMap((report) => report.tests);
	const assumed = assumptionsOf(reports);
	if (assumed !== "") {
		const about = tests.filter(({ moment }) => moment?.isAbout).length;
		const unsure = about === 0 ? "" : ` The times of ${about} of ${tests.length} tests are not exact: "about".`;
		remark(`Times of tests, as assumed: ${assumed}.${unsure}`);
	}
	const outside = tests.filter(({ moment }) => moment === null);
	if (outside.length > 0) {
		const what = outside.length === 1 ? "1 test has" : `${outside.length} tests have`;
		remark(`${what} no time within the recording.${namesOf(outside)}`);
	}
	const markers = tests.flatMap((test) => markerOf(test, from) ?? []);
	const failed = markers.length;
	if (failed > MAX_TEST_MARKERS) remark(`${failed} tests failed; the first ${MAX_TEST_MARKERS} have markers.`);
	const results = reports.flatMap((report) => resultsOf(report, from));
	const fitting = fittingOf(results);
	if (fitting.length < results.length) remark(`Of ${results.length} test results, ${fitting.length} were added.`);
	return {
		tests: fitting,
		markers: markers.slice(0, MAX_TEST_MARKERS).sort((a, b) => a.offsetSeconds - b.offsetSeconds),
		failed: tests.filter(({ result }) => result === "failed").map((test) => failedTest(test, from)),
		isWhole: refused.length === 0 && problem === null && answers.length > 0 && fitting.length === results.length,
		writeLinks: async (url, resultIds) => {
			for (const report of reports) {
				await writeCopy(report, (test) => linkTo(test, from, url, resultIds)).catch((error) =>
					remark(`${copyOf(report.file)} was not written: ${errorMessage(error)}.`),
				);
			}
		},
	};
}

function placed(
	answers: readonly ReportAnswer[],
	run: { startedAt: number; from: number; to: number },
	mask: SecretMask,
): Report[] {
	const read = answers.flatMap((answer) => ("report" in answer ? [answer] : []));
	const times = timesOf(
		read.map(({ report, writtenAt }) => ({ ...report, writtenAt })),
		run,
	);
	return read.map(({ file, report, bytes, writtenAt }, index) => ({
		file,
		bytes,
		writtenAt,
		tests: report.cases.map((test, place) => ({
			...withoutSecrets(test, mask),
			moment: times[index]?.moments[place] ?? null,
			rerunTimes: times[index]?.reruns[place] ?? [],
			key: "",
		})),
		assumptions: times[index]?.assumptions.join(", ") ?? "",
	}));
}

function withoutSecrets(test: TestCase, mask: SecretMask): TestCase {
	const { name, className, file, message, summary, reruns, isOfSuite } = test;
	const masked = (text: string, limit = MAX_MESSAGE): string => {
		// Colours within a secret, as of a difference, would hide it.
		const plain = sanitizeMessage(text, Number.POSITIVE_INFINITY) ?? "";
		return text.length < limit ? mask.apply(plain) : mask.applyToCut(plain);
	};
	return {
		...test,
		// The name of a suite's error is its message.
		name: isOfSuite ? masked(name, MAX_NAME) : mask.applyToName(name),
		className: mask.applyToName(className),
		file: mask.applyToName(file),
		message: masked(message),
		summary: masked(summary),
		reruns: reruns.map((rerun) => ({ ...rerun, summary: masked(rerun.summary), message: masked(rerun.message) })),
	};
}

const plain = (file: string): string => sanitizeName(file, MAX_LABEL) || "A file";

/** a.xml, b.xml and 3 more */
function listOf(texts: readonly string[]): string {
	const more = texts.length > MAX_FILES ? ` and ${texts.length - MAX_FILES} more` : "";
	return `${texts.slice(0, MAX_FILES).join(", ")}${more}`;
}

/** One line, however many they are: those that were refused for the same reason together. */
function refusalOf(refused: readonly { file: string; problem: string }[]): string {
	const [{ file, problem } = { file: "", problem: "" }, ...others] = refused;
	if (others.length === 0) return `${plain(file)} was not read: ${problem}.`;
	const reasons = [...Map.groupBy(refused, (each) => each.problem)].map(
		([reason, files]) => `${reason} (${listOf(files.map((each) => plain(each.file)))})`,
	);
	const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} other reasons` : "";
	return `${refused.length} reports were not read: ${reasons.slice(0, MAX_REASONS).join("; ")}${more}.`;
}

/** Assumptions made for each kind of report, with the files if there are several kinds. */
function assumptionsOf(reports: readonly Report[]): string {
	const kinds = Map.groupBy(reports, ({ assumptions }) => assumptions);
	kinds.delete("");
	return [...kinds]
		.map(([assumptions, files]) =>
			kinds.size === 1 ? assumptions : `${assumptions} (${listOf(files.map(({ file }) => plain(file)))})`,
		)
		.join("; ");
}

/** The failed ones among them. */
function namesOf(tests: readonly ReadTest[]): string {
	const failed = tests.filter(({ result }) => result === "failed").map(({ name }) => sanitizeName(name, MAX_LABEL));
	if (failed.length === 0) return "";
	const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : "";
	return ` Failed: ${failed.slice(0, MAX_NAMED).join(", ")}${more}.`;
}

const copyOf = (file: string): string => file.replace(/(\.xml)?$/, COPY);

/** Its result, or without an id its moment in the video; null for a test that is not in the video. */
function linkTo({ key, moment }: ReadTest, from: number, url: string, resultIds: ResultIds): string | null {
	const id = resultIds.get(key);
	if (id !== undefined) return `${url}?result=${id}`;
	if (moment === null) return null;
	return moment.isAbout ? url : `${url}?t=${offsetOf(moment.at, from)}`;
}

const failedTest = (test: ReadTest, from: number): FailedTest => ({
	title: titleOf(test),
	key: test.key,
	linkAt: (url, resultIds) => linkTo(test, from, url, resultIds) ?? url,
});

async function writeCopy(
	{ file, tests, bytes, writtenAt }: Report,
	linkOf: (test: ReadTest) => string | null,
): Promise<void> {
	const found = await stat(file);
	if (found.size !== bytes || found.mtimeMs !== writtenAt) throw new Error("the report has changed since");
	const links = new Map<ReadTest, string>();
	for (const test of tests) {
		const link = linkOf(test);
		if (link !== null) links.set(test, link);
	}
	await writeFile(copyOf(file), withLinks(await readFile(file), links));
}

const offsetOf = (at: number, from: number): number => Math.round(at - from) / 1_000;

/** Runs before and after the one of a test case are attempts, at times that the report does not say. */
export function resultsOf({ tests }: Pick<Report, "tests">, from: number): SentTest[] {
	const attempts = new Map<string, number>();
	return tests.flatMap((each) => {
		const { name, className, project, file, result, summary, reruns, moment, isOfSuite } = each;
		const suite = sanitizeTitle(className);
		const test = isOfSuite
			? sanitizeTitle([suite, "(outside of tests)"].filter(Boolean).join(" › "))
			: sanitizeTitle(name) || "Test";
		const attempt = (failure: Partial<SentTest> & Pick<SentTest, "outcome">): SentTest => {
			const number = (attempts.get(test) ?? 0) + 1;
			attempts.set(test, number);
			return {
				key: keyOf(project === "" ? test : `${test} [${project}]`, number),
				test,
				suite: suite || null,
				project: project || null,
				file: file || null,
				attempt: number,
				offsetSeconds: moment === null ? null : offsetOf(moment.at - moment.durationMs, from),
				durationSeconds: (moment?.durationMs ?? 0) / 1_000,
				...(moment?.isAbout ? { isApproximate: true } : {}),
				...failure,
			};
		};
		const failed = (error: { summary: string; message: string }): SentTest =>
			attempt({
				outcome: isOfSuite ? "error" : "failed",
				message: sanitizeMessage(error.summary) ?? sanitizeMessage(error.message),
				stack: sanitizeMessage(error.message, MAX_STACK_BYTES),
			});
		const others = (): SentTest[] =>
			reruns.map((rerun, index) => ({ ...failed(rerun), ...rerunSpan(each.rerunTimes[index], from) }));
		const before = result === "failed" ? [] : others();
		const own = result === "failed" ? failed(each) : attempt({ outcome: result, message: sanitizeMessage(summary) });
		each.key = own.key ?? "";
		return [...before, own, ...(result === "failed" ? others() : [])];
	});
}

/** The report's own details of another run of a test. */
function rerunSpan(time: RerunTime | undefined, from: number): Partial<SentTest> {
	// Without times of its own, it has those of the test.
	if (time === undefined || time.durationMs === null) return { isApproximate: true };
	const { moment, durationMs } = time;
	const offset =
		moment === null
			? { isApproximate: true }
			: { offsetSeconds: offsetOf(moment.at - durationMs, from), isApproximate: moment.isAbout };
	return { ...offset, durationSeconds: durationMs / 1_000 };
}

/** As other reporters of these tests name it. */
function keyOf(test: string, attempt: number): string {
	const end = `#${attempt}`;
	return `${sanitizeTitle(test, MAX_RESULT_KEY - end.length)}${end}`;
}

/** As many as fit: those that failed before the others, and without their stacks before none. */
function fittingOf(results: readonly SentTest[]): SentTest[] {
	let characters = MAX_CHARACTERS;
	const hasFailed = ({ outcome }: SentTest): boolean => isFailure(outcome ?? null);
	const sorted = [...results.filter(hasFailed), ...results.filter((result) => !hasFailed(result))];
	return sorted.slice(0, MAX_RESULTS).flatMap((result) => {
		for (const form of [result, { ...result, stack: null }]) {
			const size = JSON.stringify(form).length;
			if (size > characters) continue;
			characters -= size;
			return [form];
		}
		return [];
	});
}

/** Says so of a moment that is not exact. */
const titleOf = ({ name, moment }: ReadTest): string =>
	sanitizeName(`${moment?.isAbout ? ABOUT : ""}${sanitizeName(name, MAX_LABEL) || "Test"}`, MAX_LABEL);

function markerOf(test: ReadTest, from: number): TestMarker | null {
	const { result, message, moment } = test;
	if (moment === null || result !== "failed") return null;
	const error = sanitizeMessage(message);
	return {
		label: titleOf(test),
		kind: "fail",
		...(error === null ? {} : { message: error }),
		offsetSeconds: offsetOf(moment.at, from),
	};
}
