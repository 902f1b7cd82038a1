/** The reporter: sends what tests do to the dashboard, and adds links to it to the reports of the run. */
import { basename, isAbsolute, relative, sep } from "node:path";
import { type Outcome, type ReportedTest, warnOfMisspelledVariables } from "@tapedeck/client";
import type {
	FullConfig,
	FullResult,
	Reporter,
	Suite,
	TestCase,
	TestError,
	TestResult,
	TestStep,
} from "playwright/types/testReporter";
import { attemptFiles } from "./attempt-files.ts";
import { type Failure, failureOf, hasFailed, messageOf } from "./failure.ts";
import { type FailedRun, passesGate } from "./gate.ts";
import { areSent } from "./merged-report.ts";
import { Moments } from "./moments.ts";
import { beginningOf, placeOf, type TapedeckReporterOptions } from "./options.ts";
import { OwnRun } from "./own-run.ts";
import { resultSteps } from "./result-steps.ts";
import { type Run, sentence } from "./run.ts";
import { RunRecording, WithoutRunner } from "./run-recording.ts";
import { firstLineOf, plainText } from "./text.ts";

/** The name of annotations and attachments. */
const NAME = "tapedeck";
const OUTCOMES = { passed: "passed", failed: "failed", timedout: "error", interrupted: "error" } as const;
/** Outcomes of attempts that ended as expected. */
const RESULTS = {
	passed: "passed",
	failed: "passed",
	timedOut: "passed",
	skipped: "skipped",
	// Another failure, or the user, ended it.
	interrupted: "skipped",
} as const;
/** The name of results that belong to no test, such as an error of the global setup. */
const OUTSIDE_OF_TESTS = "Playwright › outside of tests";
/** Playwright's error of a run that `--max-failures` ended. */
const STOPPED_EARLY = /^Testing stopped early after \d+ maximum allowed failures?\.$/;

export class TapedeckReporter implements Reporter {
	readonly #options: TapedeckReporterOptions;
	/** Playwright says `list` when tests are only listed, and `merge` when reports of an earlier run are merged. */
	readonly #mode: string;
	readonly #links: FailureLink[] = [];
	readonly #moments: Moments;
	#run: Run | null = null;
	/** Begins a run that has no tests, at its first error; null once it has begun, or if it shall not. */
	#beginLate: (() => void) | null = null;
	/** The output before such an error, such as that of a web server that does not start. */
	#printed: { chunk: string | Buffer; level: "info" | "error" }[] = [];
	#rootDir = "";
	#tests: TestCase[] = [];
	#failsOnFlaky = false;
	#isStoppedEarly = false;
	/** Whether any test ran: one that is skipped did not. */
	#hasRun = false;
	#errors = 0;

	constructor(
		{ _mode = "test", ...options }: TapedeckReporterOptions & { _mode?: string } = {},
		moments: Moments = new Moments(_mode === "merge"),
	) {
		this.#moments = moments;
		this.#options = options;
		this.#mode = _mode;
	}

	printsToStdio(): boolean {
		return false;
	}

	/** Instead of `onBegin`: adds to a run that has begun. */
	addTo(run: Run, rootDir: string): void {
		this.#run = run;
		this.#rootDir = rootDir;
	}

	/** The address of the results; null if they are sent nowhere. */
	get url(): string | null {
		return this.#run?.url ?? null;
	}

	/** Whether the files of attempts, such as videos, are uploaded. */
	get takesFiles(): boolean {
		return this.#run?.attach !== undefined;
	}

	onBegin(config: FullConfig, suite: Suite): void {
		this.#rootDir = config.rootDir;
		this.#failsOnFlaky = config.failOnFlakyTests;
		const isMerge = this.#mode === "merge";
		if (isMerge ? areSent(config) : this.#mode !== "test") return;
		const begin = (): void => {
			// The program that begins the recording prints nothing.
			warnOfMisspelledVariables();
			this.#run = beginRun(this.#options, config, warn, isMerge);
		};
		// Playwright reports errors of the global setup, of a web server and of loading tests after this call.
		this.#tests = suite.allTests();
		if (this.#tests.length === 0) this.#beginLate = begin;
		else begin();
	}

	/** The result has no outcome yet: if the run is killed, it is known what ran. */
	onTestBegin(test: TestCase, result: TestResult): void {
		this.#moments.began(result);
		this.#run?.report(this.#begunResult(test, result));
	}

	onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
		this.#moments.began(step);
	}

	onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
		this.#moments.ended(step);
	}

	onTestEnd(test: TestCase, result: TestResult): void {
		this.#moments.ended(result);
		if (this.#run === null) return;
		this.#hasRun ||= result.status !== "skipped";
		const failure = hasFailed(test, result) ? failureOf(result, this.#moments) : null;
		this.#run.report({
			...this.#begunResult(test, result),
			outcome: failure === null ? RESULTS[result.status] : "failed",
			endedAt: this.#endOf(result),
			message: failure?.message ?? reasonOf(test, result),
			stack: failure?.stack ?? null,
			steps: resultSteps(result, failure, this.#options.steps, this.#moments),
		});
		const title = `${this.#fileOf(test)} › ${titleOf(test, result)}`;
		// Before the link is attached.
		this.#run.attach?.(this.#keyOf(test, result), title, failure !== null, attemptFiles(result, this.#moments));
		if (failure !== null) this.#markFailure(test, result, failure);
	}

	onStdOut(chunk: string | Buffer): void {
		this.#print(chunk, "info");
	}

	onStdErr(chunk: string | Buffer): void {
		this.#print(chunk, "error");
	}

	#print(chunk: string | Buffer, level: "info" | "error"): void {
		if (this.#beginLate !== null) this.#printed.push({ chunk, level });
		else this.#run?.print(chunk, level);
	}

	/** The end including hooks, which `duration` leaves out if they have a time limit of their own. */
	#endOf(result: TestResult): Date {
		const steps = result.steps.filter(({ duration }) => duration >= 0).map((step) => this.#moments.endOf(step));
		const ends = [this.#moments.startOf(result), this.#moments.endOfTest(result), ...steps];
		return new Date(Math.max(...ends.map((end) => end.getTime())));
	}

	#begunResult(test: TestCase, result: TestResult): ReportedTest {
		const [, project, , ...titles] = test.titlePath();
		const file = this.#fileOf(test);
		const suite = [file, ...titles.slice(0, -1)].join(" › ");
		return {
			key: this.#keyOf(test, result),
			attempt: result.retry + 1,
			test: `${suite} › ${titles.at(-1)}`,
			suite,
			file,
			line: test.location.line,
			project: project || null,
			startedAt: this.#moments.startOf(result),
		};
	}

	/** The result's failure is also a marker, and its link is in the reports, most of which are written at the end. */
	#markFailure(test: TestCase, result: TestResult, { label, message, at }: Failure): void {
		if (this.#run === null) return;
		const title = titleOf(test, result);
		const { line, column } = test.location;
		const file = this.#fileOf(test);
		const place = `${file}:${line}:${column} › ${title}`;
		this.#run.markFailure({ label, message, place, at });
		const run = this.#run;
		const url = (): string => run.linkTo(this.#keyOf(test, result), at);
		this.#links.push({ title: `${file} › ${title}`, url });
		const annotations = result.annotations ?? test.annotations;
		// Reports that are written at the end read the link then, when the dashboard has stored the result.
		annotations.push({
			type: NAME,
			get description() {
				return url();
			},
		});
		result.attachments.push({
			name: NAME,
			contentType: "text/plain",
			get body() {
				return Buffer.from(url());
			},
		});
	}

	#keyOf(test: TestCase, result: TestResult): string {
		return `${test.id}#${result.retry}`;
	}

	/** Reports an error outside of tests, such as in a global teardown. */
	onError(error: TestError): void {
		const message = messageOf(error);
		// The failures that it counts are results of their own.
		if (STOPPED_EARLY.test(message)) {
			this.#isStoppedEarly = true;
			return;
		}
		this.#beginAtError();
		if (this.#run === null) return;
		const at = new Date();
		this.#run.markFailure({ label: firstLineOf(message), message, at });
		this.#errors += 1;
		const key = `error#${this.#errors}`;
		this.#run.report({
			key,
			test: OUTSIDE_OF_TESTS,
			suite: "Playwright",
			outcome: "error",
			startedAt: at,
			endedAt: at,
			message,
			stack: error.stack === undefined ? null : plainText(error.stack),
		});
		const run = this.#run;
		this.#links.push({ title: OUTSIDE_OF_TESTS, url: () => run.linkTo(key, at) });
	}

	/** A run that fails before its first test is recorded from its first error. */
	#beginAtError(): void {
		if (this.#beginLate === null) return;
		this.#beginLate();
		this.#beginLate = null;
		for (const { chunk, level } of this.#printed.splice(0)) this.#run?.print(chunk, level);
	}

	async onEnd({ status }: FullResult): Promise<{ status: FullResult["status"] } | undefined> {
		if (this.#run === null) return undefined;
		const outcome = this.#hasRun ? OUTCOMES[status] : status === "passed" ? "skipped" : "error";
		await this.#run.end(outcome);
		if (this.#run.url !== null) await this.#showLinks(this.#run, outcome);
		// The exit status of a merge says nothing about tests.
		if (this.#options.gate !== true || status === "passed" || this.#mode === "merge") return undefined;
		// Standard output can be the report of another reporter.
		const say = (sentence: string) => console.error(`${NAME}: ${sentence}`);
		return (await passesGate(this.#run, this.#failedRun(status), say)) ? { status: "passed" } : undefined;
	}

	/** Instead of `onEnd`, for the recording of one attempt of a test. @returns links to its failures. */
	async endFilm(status: FullResult["status"]): Promise<FailureLink[]> {
		if (this.#run === null) return [];
		const outcome = this.#hasRun ? OUTCOMES[status] : "skipped";
		await this.#run.end(outcome);
		const links = this.#links.map(({ title, url }) => ({ title, url: url() }));
		if (links.length > 0) await this.#run.addToStepSummary(outcome, links);
		return this.#links;
	}

	async #showLinks(run: Run, outcome: Outcome): Promise<void> {
		// All results are stored by now.
		const links = this.#links.map(({ title, url }) => ({ title, url: url() }));
		await run.addToStepSummary(outcome, links);
		console.error(`\n${NAME}: ${run.title}: ${run.url}`);
		for (const { title, url } of links) console.error(`${NAME}:   ${title}: ${url}`);
	}

	#failedRun(status: FullResult["status"]): FailedRun {
		const failed = this.#tests.filter((test) => test.outcome() === "unexpected");
		const isFlaky = this.#failsOnFlaky && this.#tests.some((test) => test.outcome() === "flaky");
		const problems = [
			...(status === "failed" ? [] : [`the run was ${status === "timedout" ? "timed out" : status}`]),
			...(this.#errors > 0 ? ["something failed outside of tests"] : []),
			...(this.#isStoppedEarly ? ["the run stopped early"] : []),
			...(isFlaky ? ["a test is flaky"] : []),
		];
		return {
			failed: failed.flatMap((test) => test.results.slice(-1).map((result) => this.#keyOf(test, result))),
			problem: problems[0] ?? null,
		};
	}

	/** The test's file, as Playwright prints it. */
	#fileOf({ location: { file } }: TestCase): string {
		const path = relative(this.#rootDir, file);
		return path.startsWith("..") || isAbsolute(path) ? basename(file) : path.replaceAll(sep, "/");
	}
}

/** The link to a failed attempt, in the output and in the reports. */
export interface FailureLink {
	title: string;
	url(): string;
}

/** Why it did not run, or not to its end. */
function reasonOf(test: TestCase, { status, annotations = test.annotations }: TestResult): string | null {
	if (status === "interrupted") return "The test was interrupted.";
	if (status !== "skipped") return null;
	return annotations.find(({ type }) => type === "skip" || type === "fixme")?.description ?? null;
}

/** `Checkout › pays with a card [chromium] (attempt 2)`: the part that tells tests apart is at the beginning, because lists are narrow. */
function titleOf(test: TestCase, { retry }: TestResult): string {
	const [, project, , ...titles] = test.titlePath();
	return titles.join(" › ") + (project ? ` [${project}]` : "") + (retry === 0 ? "" : ` (attempt ${retry + 1})`);
}

const warn = (sentence: string): void => console.warn(`${NAME}: ${sentence}`);

/**
 * Begins the recording of the display, and waits for its first frame; or else a test run, without waiting for anything.
 * @param isMerge whether the tests ran earlier, and their reports are merged. No display is recorded then.
 * @returns null, after a warning, when there is neither.
 */
function beginRun(
	options: TapedeckReporterOptions,
	{ rootDir, shard, projects }: FullConfig,
	warn: (sentence: string) => void,
	isMerge = false,
): Run | null {
	const beginning = beginningOf(options, `Playwright: ${basename(rootDir)}`, process.env);
	const isHeaded = projects.some(({ use }) => use.headless === false);
	const place = isMerge ? "own" : placeOf(options, isHeaded, process.env);
	const isAuto = place === "auto";
	try {
		if (place !== "own") return RunRecording.begin({ ...beginning, isAuto }, shard?.current ?? null, warn);
	} catch (cause) {
		if (!(isAuto && cause instanceof WithoutRunner)) {
			warn(`${sentence(cause)} The tests run without a recording.`);
			return null;
		}
	}
	try {
		return new OwnRun(beginning, shard, warn, isMerge);
	} catch (cause) {
		warn(`${sentence(cause)} The results of this run are not kept.`);
		return null;
	}
}
