/**
 * The reporter as Playwright knows it. With `tapedeckDisplay: "worker"`, each worker has a display and a recording of its own,
 * to which a reporter of its own adds what happens there. With `test`, each attempt of a test has a recording (TestFilms).
 * Otherwise, one reporter is for the whole run.
 */
import { basename } from "node:path";
import { warnOfMisspelledVariables } from "@tapedeck/client";
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
import { hasFailed } from "./failure.ts";
import { markAsSent } from "./merged-report.ts";
import { beginningOf, type TapedeckReporterOptions } from "./options.ts";
import { announceVideos, withdrawVideos } from "./own-video.ts";
import { TapedeckReporter } from "./reporter.ts";
import { sentence } from "./run.ts";
import { RunRecording } from "./run-recording.ts";
import { TestFilms } from "./test-films.ts";
import { announceDisplays, withdrawDisplays } from "./worker-displays.ts";

/** Holds a page of Playwright's usual size, with the frame that a browser has around it. */
const SIZE = { width: 1280, height: 840 };

type Options = TapedeckReporterOptions & { _mode?: string };

export class WorkerReporter implements Reporter {
	readonly #options: Options;
	/** One reporter for each worker, by its parallel index; one for all if the whole run has one recording. */
	#reporters: readonly TapedeckReporter[];
	#hasDisplays = false;
	/** Null unless each attempt of a test has a recording. */
	#films: TestFilms | null = null;
	/** Parallel indexes of workers whose tests have failed. */
	readonly #failed = new Set<number>();

	constructor(options: Options = {}) {
		this.#options = options;
		this.#reporters = [new TapedeckReporter(options)];
	}

	printsToStdio(): boolean {
		return false;
	}

	onBegin(config: FullConfig, suite: Suite): void {
		const { _mode = "test", record } = this.#options;
		const count = Math.min(config.workers, suite.allTests().length);
		if (_mode === "test") markAsSent(config, () => this.#url);
		const isPossible = _mode === "test" && record !== "own" && count > 0;
		try {
			const wanted = isPossible ? displaysOf(suite) : undefined;
			if (wanted === undefined) this.#first.onBegin(config, suite);
			else if (process.platform !== "linux") throw new Error("Virtual displays need Linux.");
			else if (wanted === "worker") this.#beginWorkers(config, count);
			else
				this.#films = new TestFilms(this.#options, config, suite, { size: this.#options.displaySize ?? SIZE, count });
		} catch (cause) {
			this.#first.onBegin(config, suite);
			const isFilmed = this.#first.takesFiles && announceVideos(process.env);
			const instead = isFilmed ? "tests keep Playwright's own videos instead" : "browsers are shown as configured";
			console.warn(`tapedeck: Workers get no displays, and ${instead}. ${sentence(cause)}`);
		}
	}

	get #first(): TapedeckReporter {
		return this.#reporters[0] as TapedeckReporter;
	}

	/** The address of the results, or of some of them; null if they are sent nowhere. */
	get #url(): string | null {
		return this.#films?.url ?? this.#reporters.find(({ url }) => url !== null)?.url ?? null;
	}

	/** @throws when there are no displays. */
	#beginWorkers({ rootDir, shard }: FullConfig, count: number): void {
		warnOfMisspelledVariables();
		const beginning = {
			...beginningOf(this.#options, `Playwright: ${basename(rootDir)}`, process.env),
			displayId: "new",
			display: this.#options.displaySize ?? SIZE,
			jobId: undefined,
			selector: undefined,
			isAuto: true,
		};
		const beginnings = Array.from({ length: count }, (_, index) => ({
			...beginning,
			name: count === 1 ? beginning.name : `${beginning.name} · worker ${index + 1}`,
			displaysNeeded: count,
		}));
		const warn = (text: string) => console.warn(`tapedeck: ${text}`);
		const recordings = RunRecording.beginAll(beginnings, shard?.current ?? null, warn);
		announceDisplays(
			recordings.map(({ displayId, linesFile }) => ({ ...beginning.display, id: displayId, lines: linesFile })),
		);
		this.#hasDisplays = true;
		this.#reporters = recordings.map((recording) => {
			// The gate decides about one recording, and would not see the tests of the other workers.
			const reporter = new TapedeckReporter({ ...this.#options, gate: false });
			reporter.addTo(recording, rootDir);
			return reporter;
		});
	}

	#of({ parallelIndex }: TestResult): TapedeckReporter {
		return this.#reporters[parallelIndex] ?? this.#first;
	}

	onTestBegin(test: TestCase, result: TestResult): void {
		if (this.#films !== null) this.#films.onTestBegin(test, result);
		else this.#of(result).onTestBegin(test, result);
	}

	onStepBegin(test: TestCase, result: TestResult, step: TestStep): void {
		if (this.#films !== null) this.#films.onStepBegin(step);
		else this.#of(result).onStepBegin(test, result, step);
	}

	onStepEnd(test: TestCase, result: TestResult, step: TestStep): void {
		if (this.#films !== null) this.#films.onStepEnd(step);
		else this.#of(result).onStepEnd(test, result, step);
	}

	onTestEnd(test: TestCase, result: TestResult): void {
		if (hasFailed(test, result)) this.#failed.add(result.parallelIndex);
		if (this.#films !== null) this.#films.onTestEnd(test, result);
		else this.#of(result).onTestEnd(test, result);
	}

	onStdOut(chunk: string | Buffer, _test?: TestCase, result?: TestResult): void {
		if (this.#films !== null) this.#films.print(chunk, "info", result);
		else (result === undefined ? this.#first : this.#of(result)).onStdOut(chunk);
	}

	onStdErr(chunk: string | Buffer, _test?: TestCase, result?: TestResult): void {
		if (this.#films !== null) this.#films.print(chunk, "error", result);
		else (result === undefined ? this.#first : this.#of(result)).onStdErr(chunk);
	}

	onError(error: TestError): void {
		if (this.#films !== null) this.#films.onError(error);
		else this.#first.onError(error);
	}

	/** A run that failed did not fail in workers whose tests passed. */
	async onEnd(result: FullResult): Promise<{ status: FullResult["status"] } | undefined> {
		withdrawVideos();
		if (this.#films !== null) {
			await this.#films.onEnd(result);
			return this.#refuseGate(result);
		}
		if (!this.#hasDisplays) return this.#first.onEnd(result);
		withdrawDisplays();
		const statusOf = (index: number): FullResult["status"] => {
			const isElsewhere = result.status === "failed" && this.#failed.size > 0 && !this.#failed.has(index);
			return isElsewhere ? "passed" : result.status;
		};
		await Promise.all(this.#reporters.map((reporter, index) => reporter.onEnd({ ...result, status: statusOf(index) })));
		return this.#refuseGate(result);
	}

	#refuseGate({ status }: FullResult): undefined {
		if (this.#options.gate === true && status !== "passed")
			console.error("tapedeck: The gate is not asked for a run whose workers have displays. The run stays failed.");
	}
}

/** The `tapedeckDisplay` of the projects that have tests. @throws if they contradict each other. */
function displaysOf({ suites }: Suite): "worker" | "test" | undefined {
	const values = suites.flatMap((suite) => {
		const use = suite.project()?.use as { tapedeckDisplay?: unknown } | undefined;
		return suite.allTests().length > 0 ? [use?.tapedeckDisplay] : [];
	});
	const wanted = (["worker", "test"] as const).filter((value) => values.includes(value));
	if (wanted.length > 1) throw new Error('All projects of a run need the same tapedeckDisplay: "worker" or "test".');
	return wanted[0];
}
