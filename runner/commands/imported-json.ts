/** Reads reports in JSON: CTRF, Allure results, and Playwright's JSON report. Each reader returns null for another format. */
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import {
	type Fields,
	fieldsOf,
	filesOf,
	type ImportedFile,
	type ImportedStep,
	type ImportedTest,
	instantFrom,
	joined,
	listOf,
	numberOf,
	stepLimit,
	textOf,
} from "./imported-test.ts";

const MAX_DEPTH = 100;
const MAX_FILES = 100;

/** Common Test Report Format: https://ctrf.io. @param writtenAt when the file was written. */
export function readCtrf(report: Fields, writtenAt: number): ImportedTest[] | null {
	const { tool, tests, summary } = fieldsOf(report.results);
	if (!Array.isArray(tests) || (report.reportFormat !== "CTRF" && fieldsOf(tool).name === undefined)) return null;
	const all = tests.map(fieldsOf);
	const total = all.reduce((sum, { duration }) => sum + Math.max(0, numberOf(duration) ?? 0), 0);
	// Without times of their own, tests are placed one after the other.
	let next = numberOf(fieldsOf(summary).start) || writtenAt - total;
	return all.flatMap((test): ImportedTest[] => {
		const suites = (typeof test.suite === "string" ? [test.suite] : listOf(test.suite)).flatMap(
			(one) => textOf(one) ?? [],
		);
		const suite = joined(...suites) || null;
		const duration = Math.max(0, numberOf(test.duration) ?? 0);
		const startedAt = numberOf(test.start) || next;
		next = startedAt + duration;
		const own = {
			test: joined(suite, ctrfTitle(textOf(test.name) ?? "Test", suites)),
			suite,
			file: textOf(test.filePath),
			line: numberOf(test.line),
			project: textOf(test.browser),
			isApproximate: !numberOf(test.start),
			stack: textOf(test.trace),
			message: textOf(test.message),
		};
		const earlier = listOf(test.retryAttempts)
			.map(fieldsOf)
			.map((attempt, index): ImportedTest => {
				const begun = numberOf(attempt.start);
				return {
					...own,
					attempt: numberOf(attempt.attempt) ?? index + 1,
					outcome: ctrfOutcome(attempt.status),
					startedAt: begun ?? startedAt,
					endedAt: begun === null ? startedAt : begun + Math.max(0, numberOf(attempt.duration) ?? 0),
					isApproximate: begun === null,
					message: textOf(attempt.message),
					stack: textOf(attempt.trace),
					steps: [],
					files: filesOf(attempt.attachments, "path"),
				};
			});
		const outcome = ctrfOutcome(test.status);
		const attempt = Math.max(earlier.length, numberOf(test.retries) ?? 0) + 1;
		const isSuccess = outcome === "passed";
		const last: ImportedTest = {
			...own,
			attempt,
			outcome,
			startedAt,
			endedAt: numberOf(test.stop) ?? startedAt + duration,
			...(isSuccess ? { message: null, stack: null } : {}),
			files: filesOf(test.attachments, "path"),
			steps: listOf(test.steps)
				.map(fieldsOf)
				.map((step) => ({
					title: textOf(step.name) ?? "Step",
					startedAt: null,
					endedAt: null,
					message: null,
					steps: [],
					outcome: ctrfOutcome(step.status),
				})),
		};
		// The attempts before may have their own list, which the last one ends.
		const before = earlier.filter(({ attempt: number }) => number !== null && number < attempt);
		return [...before, last];
	});
}

/** Pytest names a test by its file and classes again. */
function ctrfTitle(name: string, suites: readonly string[]): string {
	const path = `${suites.join("::")}::`;
	return name.startsWith(path) ? name.slice(path.length) : name;
}

function ctrfOutcome(status: unknown): Outcome {
	if (status === "passed" || status === "failed") return status;
	return status === "skipped" || status === "pending" ? "skipped" : "error";
}

const ALLURE: Readonly<Record<string, Outcome>> = { passed: "passed", failed: "failed", broken: "error" };

/** One file `<uuid>-result.json` of Allure: its attempts are files of their own, told apart by their times. */
export function readAllure(report: Fields): ImportedTest[] | null {
	const { uuid, name, fullName, status, start } = report;
	const isAllure = typeof uuid === "string" && (typeof name === "string" || typeof fullName === "string");
	if (!isAllure || !("status" in report || "stage" in report) || "children" in report) return null;
	const labels = new Map(
		listOf(report.labels)
			.map(fieldsOf)
			.map((label) => [textOf(label.name), textOf(label.value)]),
	);
	const suites = ["parentSuite", "suite", "subSuite"].flatMap((kind) => labels.get(kind) ?? []);
	const suite = joined(...suites) || labels.get("testClass") || null;
	const parameters = listOf(report.parameters)
		.map(fieldsOf)
		.filter((one) => one.excluded !== true && one.mode !== "hidden" && one.mode !== "masked")
		.map((one) => `${textOf(one.name) ?? ""}=${textOf(one.value) ?? ""}`);
	const title = textOf(name) ?? textOf(fullName) ?? "Test";
	const isNamed = parameters.length === 0 || parameters.every((one) => title.includes(one.slice(one.indexOf("=") + 1)));
	const details = fieldsOf(report.statusDetails);
	const outcome = ALLURE[String(status)] ?? (status === "skipped" ? "skipped" : "error");
	const isFirst = stepLimit();
	return [
		{
			test: joined(suite, isNamed ? title : `${title} [${parameters.join(", ")}]`),
			suite,
			file: null,
			line: null,
			project: null,
			attempt: null,
			outcome,
			startedAt: numberOf(start),
			endedAt: numberOf(report.stop),
			isApproximate: numberOf(start) === null,
			message: textOf(details.message),
			stack: textOf(details.trace),
			steps: allureSteps(report.steps, isFirst),
			files: allureFiles(report),
		},
	];
}

/** The files of a test and of its steps, in this order. */
function allureFiles(of: Fields, depth = 0): ImportedFile[] {
	if (depth > MAX_DEPTH) return [];
	const inner = listOf(of.steps).flatMap((step) => allureFiles(fieldsOf(step), depth + 1));
	return [...filesOf(of.attachments, "source"), ...inner].slice(0, MAX_FILES);
}

const allureSteps = (steps: unknown, isFirst: () => boolean, depth = 0): ImportedStep[] =>
	depth > MAX_DEPTH
		? []
		: listOf(steps)
				.map(fieldsOf)
				.flatMap((step) => {
					if (!isFirst()) return [];
					const status = String(step.status);
					return [
						{
							title: textOf(step.name) ?? "Step",
							startedAt: numberOf(step.start),
							endedAt: numberOf(step.stop),
							outcome: ALLURE[status] ?? (status === "skipped" ? "skipped" : null),
							message: textOf(fieldsOf(step.statusDetails).message),
							steps: allureSteps(step.steps, isFirst, depth + 1),
						},
					];
				});

/** The outcome of an attempt that ended as expected; any other attempt has failed. */
const PLAYWRIGHT: Readonly<Record<string, Outcome>> = { skipped: "skipped", interrupted: "skipped" };

/** The JSON report of @playwright/test. Its tests have the names that @tapedeck/playwright reports. */
export function readPlaywright(report: Fields): ImportedTest[] | null {
	if (!Array.isArray(report.suites) || typeof report.config !== "object" || !("stats" in report)) return null;
	const found: ImportedTest[] = [];
	const walk = (suite: Fields, titles: readonly string[], depth: number): void => {
		if (depth > MAX_DEPTH) return;
		for (const spec of listOf(suite.specs).map(fieldsOf)) {
			const file = textOf(spec.file) ?? textOf(suite.file);
			const names = joined(file, ...titles);
			for (const test of listOf(spec.tests).map(fieldsOf)) {
				for (const result of listOf(test.results).map(fieldsOf)) {
					const startedAt = instantFrom(textOf(result.startTime));
					const status = String(result.status);
					const isExpected = status === (test.expectedStatus ?? "passed");
					const error = fieldsOf(listOf(result.errors)[0] ?? result.error);
					const outcome = PLAYWRIGHT[status] ?? (isExpected ? "passed" : "failed");
					const isFirst = stepLimit();
					found.push({
						test: joined(names, textOf(spec.title) ?? "Test"),
						suite: names || null,
						file,
						line: numberOf(spec.line),
						project: textOf(test.projectName),
						outcome,
						attempt: (numberOf(result.retry) ?? 0) + 1,
						startedAt,
						endedAt: startedAt === null ? null : startedAt + (numberOf(result.duration) ?? 0),
						isApproximate: startedAt === null,
						message:
							outcome !== "failed"
								? null
								: (textOf(error.message) ?? (status === "passed" ? "Expected to fail, but passed." : null)),
						stack: outcome === "failed" ? textOf(error.stack) : null,
						steps: playwrightSteps(result.steps, isFirst),
						files: filesOf(result.attachments, "path"),
					});
				}
			}
		}
		for (const inner of listOf(suite.suites).map(fieldsOf)) {
			walk(inner, [...titles, textOf(inner.title) ?? ""], depth + 1);
		}
	};
	// The outermost suites are files.
	for (const suite of report.suites.map(fieldsOf)) walk(suite, [], 0);
	for (const error of listOf(report.errors).map(fieldsOf)) {
		const { startTime } = fieldsOf(report.stats);
		found.push({
			test: "Playwright › outside of tests",
			suite: "Playwright",
			file: null,
			line: null,
			project: null,
			attempt: 1,
			outcome: "error",
			startedAt: instantFrom(textOf(startTime)),
			endedAt: null,
			isApproximate: true,
			message: textOf(error.message),
			stack: textOf(error.stack),
			steps: [],
		});
	}
	return found;
}

/** Steps with their lengths, but without start times. */
const playwrightSteps = (steps: unknown, isFirst: () => boolean, depth = 0): ImportedStep[] =>
	depth > MAX_DEPTH
		? []
		: listOf(steps)
				.map(fieldsOf)
				.flatMap((step) => {
					if (!isFirst()) return [];
					const error = "error" in step ? fieldsOf(step.error) : null;
					return [
						{
							title: textOf(step.title) ?? "Step",
							category: "test.step",
							startedAt: null,
							endedAt: null,
							outcome: error === null ? ("passed" as const) : ("failed" as const),
							message: error === null ? null : textOf(error.message),
							steps: playwrightSteps(step.steps, isFirst, depth + 1),
						},
					];
				});
