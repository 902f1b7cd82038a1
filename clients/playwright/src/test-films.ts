/**
 * The reporter's side of `tapedeckDisplay: "test"`: each worker keeps a virtual display, which a runner of this machine lends, and
 * each attempt of a test is one recording of it. Tests are held back until their first frame, and go on without a film if
 * there is none; their results are then in a test run.
 */
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type Job, Tapedeck } from "@tapedeck/client";
import type {
	FullConfig,
	FullResult,
	Suite,
	TestCase,
	TestError,
	TestResult,
	TestStep,
} from "playwright/types/testReporter";
import { hasFailed } from "./failure.ts";
import { type Film, type FilmDisplay, type FilmMaker, type FilmOrder, FilmServer } from "./film-server.ts";
import { borrow, type Lender, type Loan } from "./lender.ts";
import { Moments } from "./moments.ts";
import { ANSWER_FD, type Beginning, beginningOf, type TapedeckReporterOptions } from "./options.ts";
import { type FailureLink, TapedeckReporter } from "./reporter.ts";
import { sentence } from "./run.ts";
import { RunRecording } from "./run-recording.ts";
import { labelOf } from "./text.ts";

const FIND = fileURLToPath(new URL("find-lender.js", import.meta.url));
const FINDING_MS = 15_000;
/** Maximum time that a test waits until the recording of the test before it has ended. */
const STOPPING_SECONDS = 15;

/** An attempt of a test that runs. */
interface Attempt {
	test: TestCase;
	result: TestResult;
	reporter: TapedeckReporter;
	/** Its recording, once that has begun. */
	job: Job | null;
	/** Aborted when the attempt has ended. */
	ended: AbortController;
}

export class TestFilms implements FilmMaker {
	readonly #options: TapedeckReporterOptions;
	readonly #config: FullConfig;
	readonly #suite: Suite;
	readonly #size: { width: number; height: number };
	readonly #beginning: Beginning;
	readonly #client: Tapedeck;
	readonly #lender: Lender;
	readonly #server: FilmServer;
	readonly #moments = new Moments();
	/** The displays of workers, by their parallel index. */
	readonly #loans = new Map<number, Promise<Loan>>();
	/** The ends of the last recordings, by the same. They never reject. */
	readonly #stopped = new Map<number, Promise<unknown>>();
	/** Displays that show windows between tests, such as those of a page that all tests of a worker use. */
	readonly #neverCleared = new Set<Loan>();
	/** Attempts that run, by key. */
	readonly #attempts = new Map<string, { known: Promise<Attempt>; resolve(attempt: Attempt): void }>();
	readonly #running = new Map<TestResult, Attempt>();
	readonly #ending: Promise<FailureLink[]>[] = [];
	/** The reporter of tests without a film; null as long as there are none. */
	#others: TapedeckReporter | null = null;
	#hasWarned = false;

	/** @param count of the workers. @throws an Error with a sentence if no displays are lent. */
	constructor(
		options: TapedeckReporterOptions,
		config: FullConfig,
		suite: Suite,
		{ size, count }: { size: { width: number; height: number }; count: number },
	) {
		this.#options = { ...options, gate: false };
		this.#config = config;
		this.#suite = suite;
		this.#size = size;
		this.#beginning = beginningOf(options, `Playwright: ${basename(config.rootDir)}`, process.env);
		this.#client = new Tapedeck({ url: options.url, apiKey: options.apiKey, retries: 2 });
		this.#lender = lenderOf(options.runner, count);
		this.#server = new FilmServer(this);
	}

	/** The address of the results. */
	get url(): string {
		return this.#client.url;
	}

	display(index: number): Promise<FilmDisplay> {
		const lent = this.#loans.get(index) ?? this.#borrow(index);
		const seconds = this.#beginning.startTimeoutSeconds;
		return new Promise((resolve, reject) => {
			const why = new Error(`All virtual displays of ${this.#lender.runner} were in use for ${seconds} s.`);
			const timer = setTimeout(() => reject(why), seconds * 1_000);
			lent.then(({ id, width, height }) => resolve({ id, width, height }), reject).finally(() => clearTimeout(timer));
		});
	}

	#borrow(index: number): Promise<Loan> {
		const loan = borrow(this.#lender, this.#size);
		this.#loans.set(index, loan);
		const forget = () => {
			if (this.#loans.get(index) === loan) this.#loans.delete(index);
		};
		// The next worker with this index gets another one.
		loan.then(({ ended }) => ended.then(forget), forget);
		return loan;
	}

	async film({ key, name, index }: FilmOrder): Promise<Film> {
		const [attempt, { id }] = await Promise.all([this.#attempt(key).known, this.display(index)]);
		// Playwright tells of the end of a worker's test before it tells of the next one.
		await this.#stopped.get(index);
		await this.#clear(index);
		const { labels, keep, video, maxDurationSeconds, startTimeoutSeconds, playableTimeoutSeconds } = this.#beginning;
		try {
			const recording = await this.#client.record({
				...{ runnerId: this.#lender.runnerId, displayId: id, name: labelOf(name), outcomeExpected: true },
				...{ labels, keep, video, maxDurationSeconds, startTimeoutSeconds, playableTimeoutSeconds },
				signal: attempt.ended.signal,
			});
			const run = RunRecording.of(this.#client, recording, this.#warn);
			attempt.reporter.addTo(run, this.#config.rootDir);
			attempt.reporter.onTestBegin(attempt.test, attempt.result);
			attempt.job = recording.job;
			return { lines: run.linesFile };
		} catch (cause) {
			if (!attempt.ended.signal.aborted && !this.#hasWarned) {
				this.#hasWarned = true;
				this.#warn(`${sentence(cause)} Tests go on without a recording of their own.`);
			}
			throw cause;
		}
	}

	/** Waits until windows of the test before are closed: browsers close them a moment after Playwright's answer. */
	async #clear(index: number): Promise<void> {
		const loan = await this.#loans.get(index);
		if (loan === undefined || this.#neverCleared.has(loan)) return;
		if (!(await loan.cleared())) this.#neverCleared.add(loan);
	}

	/** Ends the capture of a recording at once. Its results follow. */
	async #stop({ id }: Job): Promise<void> {
		await this.#client.jobs.cancel(id);
		await this.#client.jobs.wait(id, "ended", { timeoutSeconds: STOPPING_SECONDS });
	}

	/** The process of a test may ask before the reporter knows of the test. */
	#attempt(key: string): { known: Promise<Attempt>; resolve(attempt: Attempt): void } {
		const found = this.#attempts.get(key);
		if (found !== undefined) return found;
		let resolve: (attempt: Attempt) => void = () => undefined;
		const known = new Promise<Attempt>((resolveIt) => {
			resolve = resolveIt;
		});
		const added = { known, resolve };
		this.#attempts.set(key, added);
		return added;
	}

	onTestBegin(test: TestCase, result: TestResult): void {
		const reporter = new TapedeckReporter(this.#options, this.#moments);
		reporter.onTestBegin(test, result);
		const attempt: Attempt = { test, result, reporter, job: null, ended: new AbortController() };
		this.#running.set(result, attempt);
		this.#attempt(keyOf(test, result)).resolve(attempt);
	}

	onStepBegin(step: TestStep): void {
		this.#moments.began(step);
	}

	onStepEnd(step: TestStep): void {
		this.#moments.ended(step);
	}

	onTestEnd(test: TestCase, result: TestResult): void {
		const attempt = this.#running.get(result);
		this.#running.delete(result);
		this.#attempts.delete(keyOf(test, result));
		attempt?.ended.abort();
		const job = attempt?.job ?? null;
		if (attempt === undefined || job === null) {
			this.#reporterOfOthers().onTestBegin(test, result);
			this.#reporterOfOthers().onTestEnd(test, result);
			return;
		}
		// The next test of this worker must not be in it.
		this.#stopped.set(
			result.parallelIndex,
			this.#stop(job).catch(() => undefined),
		);
		attempt.reporter.onTestEnd(test, result);
		const status = result.status === "interrupted" ? "interrupted" : hasFailed(test, result) ? "failed" : "passed";
		this.#ending.push(attempt.reporter.endFilm(status));
	}

	/** @param result of the test that printed; undefined outside of tests. */
	print(chunk: string | Buffer, level: "info" | "error", result: TestResult | undefined): void {
		const reporter = (result === undefined ? undefined : this.#running.get(result)?.reporter) ?? this.#others;
		if (level === "error") reporter?.onStdErr(chunk);
		else reporter?.onStdOut(chunk);
	}

	onError(error: TestError): void {
		this.#reporterOfOthers().onError(error);
	}

	/** The run of tests without a film, such as those that are skipped. */
	#reporterOfOthers(): TapedeckReporter {
		if (this.#others === null) {
			this.#others = new TapedeckReporter({ ...this.#options, record: "own" }, this.#moments);
			this.#others.onBegin(this.#config, this.#suite);
		}
		return this.#others;
	}

	async onEnd(result: FullResult): Promise<void> {
		this.#server.close();
		// Tests that Playwright does not report the end of.
		for (const { ended } of this.#running.values()) ended.abort();
		const [links] = await Promise.all([Promise.all(this.#ending), this.#others?.onEnd(result)]);
		const loans = await Promise.allSettled(this.#loans.values());
		await Promise.all(loans.map((loan) => (loan.status === "fulfilled" ? loan.value.stop() : undefined)));
		if (links.length === 0) return;
		const { build } = this.#beginning.labels ?? {};
		const page = build === undefined ? "/recordings" : `/builds/${encodeURIComponent(build)}`;
		const count = links.length === 1 ? "1 recording" : `${links.length} recordings`;
		console.error(`\ntapedeck: ${count}, one for each attempt of a test: ${this.#client.url}${page}`);
		for (const { title, url } of links.flat()) console.error(`tapedeck:   ${title}: ${url()}`);
	}

	readonly #warn = (text: string): void => console.warn(`tapedeck: ${text}`);
}

const keyOf = (test: TestCase, { retry }: TestResult): string => `${test.id}#${retry}`;

/** Stands still until the runner is found. @throws an Error with a sentence. */
function lenderOf(runner: string | undefined, count: number): Lender {
	const { output, error } = spawnSync(process.execPath, [FIND, JSON.stringify({ runner, count })], {
		stdio: ["ignore", "ignore", "ignore", "pipe"],
		encoding: "utf8",
		timeout: FINDING_MS,
	});
	if (error !== undefined) throw error;
	const answer: Lender | { error: string } = JSON.parse(output[ANSWER_FD] || '{"error": "No runner responds."}');
	if ("error" in answer) throw new Error(answer.error);
	return answer;
}
