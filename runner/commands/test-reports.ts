/**
 * The test reports that a recorded command wrote: results of its tests, markers for those that failed, and copies of JUnit reports
 * with links.
 */

import { readFile, stat, writeFile } from "node:fs/promises";
import type { ReportedStep, ReportedTest } from "@tapedeck/client-source/index.ts";
import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { sanitizeMessage, sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_TEST_MARKERS } from "@tapedeck/contract/runner-protocol.ts";
import { failureMomentOf, readSteps } from "@tapedeck/contract/test-result.ts";
import { errorMessage } from "../base/fault.ts";
import type { LocalRecording, SentTest, TestMarker } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { failedOf, resultsOf } from "./imported-results.ts";
import type { ImportedTest } from "./imported-test.ts";
import { type LinkPlace, withLinks } from "./junit.ts";
import { COPY, namesOf, type ReportFile, readReports, remarkRefused } from "./read-reports.ts";
import { OUTSIDE_MS } from "./report-times.ts";

const MAX_LABEL = 200;
const MAX_NAMED = 20;
/** Results that are added, and the characters of their JSON: until it is delivered, the runner keeps them all. */
const MAX_RESULTS = 5_000;
const MAX_CHARACTERS = 4_000_000;
/** A result has to fit into one report of the runner. */
const MAX_RESULT_CHARACTERS = 100_000;
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

/** A result with the times of its test in the video. */
interface Placed {
	test: ImportedTest;
	result: ReportedTest;
	/** Null for a test that is not in the video. */
	span: Span | null;
	/** The moment that shows its failure, as the dashboard finds it; the test's end for one that passed. */
	moment: number;
}
/** Milliseconds since 1970. */
interface Span {
	from: number;
	to: number;
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
	const paths = Array.isArray(call.values.report) ? call.values.report : [];
	if (paths.length === 0) return NO_REPORTS;
	const video = { from: Date.parse(begun.startedAt ?? ""), to: Date.now() };
	const { from } = video;
	const remark = (sentence: string): void => call.remark(`tapedeck: ${sentence}`);
	const { files, refused, problem } = await readReports({ paths, since: startedAt }, { startedAt, ...video });
	remarkRefused(call, refused);
	if (problem !== null) remark(`Not all reports were read: ${problem}.`);
	const tests = files.flatMap((file) => file.tests);
	const all = resultsOf(tests, mask).map((result, index): Placed => {
		const test = tests[index] as ImportedTest;
		const span = spanIn(video, test);
		return { test, result, span, moment: failureMomentOf(readSteps(result.steps).steps, span?.to ?? 0) };
	});
	const assumed = assumptionsOf(files);
	if (assumed !== "") {
		const about = all.filter(({ span, test }) => span !== null && test.isApproximate).length;
		const unsure = about === 0 ? "" : ` The times of ${about} of ${all.length} tests are not exact: "about".`;
		remark(`Times of tests, as assumed: ${assumed}.${unsure}`);
	}
	const outside = all.filter(({ span }) => span === null);
	const failed = failedOf(all);
	if (outside.length > 0) {
		const what = outside.length === 1 ? "1 test has" : `${outside.length} tests have`;
		const names = failed.filter(({ span }) => span === null).map(({ result }) => sanitizeName(result.test, MAX_LABEL));
		remark(`${what} no time within the recording.${failedNames(names)}`);
	}
	const markers = failed.flatMap((each) => markerOf(each, from) ?? []);
	if (markers.length > MAX_TEST_MARKERS)
		remark(`${markers.length} tests failed; the first ${MAX_TEST_MARKERS} have markers.`);
	const results = all.map((each) => sentOf(each, from));
	const fitting = fittingOf(results);
	if (fitting.length < results.length) remark(`Of ${results.length} test results, ${fitting.length} were added.`);
	const isWhole = refused.length === 0 && problem === null && fitting.length === results.length;
	return {
		tests: fitting,
		markers: markers.slice(0, MAX_TEST_MARKERS).sort((a, b) => a.offsetSeconds - b.offsetSeconds),
		failed: failed.map((each) => failedTest(each, from)),
		isWhole,
		writeLinks: async (url, resultIds) => {
			const links = new Map(all.map((each) => [each.test, linkTo(each, from, url, resultIds)]));
			for (const file of files.filter(({ format }) => format === "JUnit")) {
				await writeCopy(file, links).catch((error) =>
					remark(`${copyOf(file.file)} was not written: ${errorMessage(error)}.`),
				);
			}
			const others = files.filter(({ format }) => format !== "JUnit").map(({ file }) => file);
			if (others.length > 0) remark(`No copy of ${namesOf(others)}: only JUnit reports have copies with links.`);
		},
	};
}

/** A test that began or ended a moment outside of the video is in it. */
function spanIn(video: Span, { startedAt, endedAt }: ImportedTest): Span | null {
	const end = endedAt ?? startedAt;
	if (end === null || !(end >= video.from - OUTSIDE_MS && end <= video.to + OUTSIDE_MS)) return null;
	const to = Math.min(Math.max(end, video.from), video.to);
	return { from: to - Math.max(0, end - (startedAt ?? end)), to };
}

/** Assumptions made for each kind of report, with the files if there are several kinds. */
function assumptionsOf(reports: readonly ReportFile[]): string {
	const kinds = Map.groupBy(reports, ({ assumptions }) => assumptions.join(", "));
	kinds.delete("");
	return [...kinds]
		.map(([assumptions, files]) =>
			kinds.size === 1 ? assumptions : `${assumptions} (${namesOf(files.map(({ file }) => file))})`,
		)
		.join("; ");
}

function failedNames(names: readonly string[]): string {
	if (names.length === 0) return "";
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
	return ` Failed: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`;
}

const copyOf = (file: string): string => file.replace(/(\.xml)?$/, COPY);

/** Its result, or without an id its moment in the video; null for a test that is not in the video. */
function linkTo(
	{ test, result, span, moment }: Placed,
	from: number,
	url: string,
	resultIds: ResultIds,
): string | null {
	const id = resultIds.get(result.key);
	if (id !== undefined) return `${url}?result=${id}`;
	if (span === null) return null;
	return test.isApproximate ? url : `${url}?t=${offsetOf(moment, from)}`;
}

const failedTest = (placed: Placed, from: number): FailedTest => ({
	title: titleOf(placed),
	key: placed.result.key,
	linkAt: (url, resultIds) => linkTo(placed, from, url, resultIds) ?? url,
});

async function writeCopy(
	{ file, tests, bytes, writtenAt }: ReportFile,
	all: ReadonlyMap<ImportedTest, string | null>,
): Promise<void> {
	const found = await stat(file);
	if (found.size !== bytes || found.mtimeMs !== writtenAt) throw new Error("the report has changed since");
	const links = new Map<LinkPlace, string>();
	for (const test of tests) {
		const url = all.get(test);
		if (url != null && test.link != null) links.set(test.link, url);
	}
	await writeFile(copyOf(file), withLinks(await readFile(file), links));
}

const offsetOf = (at: number, from: number): number => Math.round(at - from) / 1_000;

function sentOf({ result, span }: Placed, from: number): SentTest {
	const { startedAt: _startedAt, endedAt: _endedAt, steps, ...rest } = result;
	return {
		...rest,
		offsetSeconds: span === null ? null : offsetOf(span.from, from),
		durationSeconds: span === null ? 0 : offsetOf(span.to, span.from),
		...(steps == null || span === null ? {} : { steps: steps.map((step) => stepIn(step, from)) }),
	};
}

function stepIn({ startedAt, endedAt, steps, ...step }: ReportedStep, from: number): object {
	const [begin, end] = [startedAt, endedAt].map((time) => new Date(time ?? Number.NaN).getTime()) as [number, number];
	return {
		...step,
		...(Number.isNaN(begin) ? {} : { offsetSeconds: offsetOf(begin, from) }),
		...(Number.isNaN(end - begin) ? {} : { durationSeconds: offsetOf(end, begin) }),
		...(steps === undefined ? {} : { steps: steps.map((inner) => stepIn(inner, from)) }),
	};
}

/** As many as fit: those that failed before the others, and without their steps and stacks before none. */
function fittingOf(results: readonly SentTest[]): SentTest[] {
	let characters = MAX_CHARACTERS;
	const hasFailed = ({ outcome }: SentTest): boolean => isFailure(outcome ?? null);
	const sorted = [...results.filter(hasFailed), ...results.filter((result) => !hasFailed(result))];
	return sorted.slice(0, MAX_RESULTS).flatMap((result) => {
		const { steps: _steps, ...withoutSteps } = result;
		for (const form of [result, withoutSteps, { ...withoutSteps, stack: null }]) {
			const size = JSON.stringify(form).length;
			if (size > Math.min(characters, MAX_RESULT_CHARACTERS)) continue;
			characters -= size;
			return [form];
		}
		return [];
	});
}

/** Says so of a moment that is not exact. */
const titleOf = ({ test, result, span }: Placed): string => {
	const title = sanitizeName(result.test, MAX_LABEL) || "Test";
	return sanitizeName(`${span !== null && test.isApproximate ? ABOUT : ""}${title}`, MAX_LABEL);
};

function markerOf(placed: Placed, from: number): TestMarker | null {
	const { result, span, moment } = placed;
	if (span === null) return null;
	const error = sanitizeMessage(result.stack ?? result.message ?? "");
	return {
		label: titleOf(placed),
		kind: "fail",
		...(error === null ? {} : { message: error }),
		offsetSeconds: offsetOf(moment, from),
	};
}
