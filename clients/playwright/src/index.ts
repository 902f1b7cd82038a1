/** Records a run of Playwright Test: `reporter: [["list"], ["@tapedeck/playwright", { displayId: ":99" }]]`. */
import { basename } from "node:path";
import type {
	FullConfig,
	FullResult,
	Reporter,
	Suite,
	TestCase,
	TestResult,
	TestStep,
} from "playwright/types/testReporter";
import { beginningOf, type TapedeckReporterOptions } from "./options.ts";
import { RunRecording } from "./run-recording.ts";

export type { TapedeckReporterOptions };

/** The name of annotations and attachments. */
const NAME = "tapedeck";
const OUTCOMES = { passed: "passed", failed: "failed", timedout: "failed", interrupted: "error" } as const;
const PLAYABLE_SECONDS = 60;

export default class TapedeckReporter implements Reporter {
	readonly #options: TapedeckReporterOptions;
	/** Playwright says `list` when tests are only listed, and `merge` when reports of an earlier run are merged. */
	readonly #mode: string;
	readonly #links: { title: string; url: string }[] = [];
	#recording: RunRecording | null = null;
	#rootDir = "";

	constructor({ _mode = "test", ...options }: TapedeckReporterOptions & { _mode?: string } = {}) {
		this.#options = options;
		this.#mode = _mode;
	}

	printsToStdio(): boolean {
		return false;
	}

	onBegin({ rootDir }: FullConfig, suite: Suite): void {
		this.#rootDir = rootDir;
		if (this.#mode !== "test" || suite.allTests().length === 0) return;
		const runName = `Playwright: ${basename(rootDir)}`;
		this.#recording = RunRecording.begin(beginningOf(this.#options, runName, process.env), warn);
	}

	onStepEnd(_test: TestCase, _result: TestResult, { category, title, startTime }: TestStep): void {
		const { steps = "test.step" } = this.#options;
		const isAction = category === "pw:api" || category === "expect";
		const isWanted = category === "test.step" ? steps !== "none" : isAction && steps === "all";
		if (isWanted) this.#recording?.mark(title, "step", startTime);
	}

	onTestEnd(test: TestCase, result: TestResult): void {
		if (this.#recording === null || result.status === "skipped") return;
		const hasFailed = result.status !== test.expectedStatus;
		const title = titleOf(test, result);
		this.#recording.mark(title, hasFailed ? "fail" : "pass", result.startTime);
		if (!hasFailed) return;
		const failed = failedStep(result.steps);
		if (failed !== null) this.#recording.mark(messageOf(failed, result), "fail", failed.startTime);
		const url = this.#recording.urlAt(failed?.startTime ?? result.startTime);
		this.#links.push({ title: `${this.#fileOf(test)} › ${title}`, url });
		// Reports are written at the end, from these objects.
		const annotations = result.annotations ?? test.annotations;
		annotations.push({ type: NAME, description: url });
		result.attachments.push({ name: NAME, contentType: "text/plain", body: Buffer.from(url) });
	}

	async onEnd({ status }: FullResult): Promise<void> {
		if (this.#recording === null) return;
		await this.#recording.end(OUTCOMES[status], this.#options.playableTimeoutSeconds ?? PLAYABLE_SECONDS);
		console.log(`\n${NAME}: Recording of this run: ${this.#recording.url}`);
		for (const { title, url } of this.#links) console.log(`${NAME}:   ${title}: ${url}`);
	}

	/** The test's file, as Playwright prints it. */
	#fileOf({ location: { file } }: TestCase): string {
		return file.startsWith(`${this.#rootDir}/`) ? file.slice(this.#rootDir.length + 1) : basename(file);
	}
}

/** `Checkout › pays with a card [chromium] (retry 1)`: what tells tests apart comes first, because lists are narrow. */
function titleOf(test: TestCase, { retry }: TestResult): string {
	const [, project, , ...titles] = test.titlePath();
	return titles.join(" › ") + (project ? ` [${project}]` : "") + (retry === 0 ? "" : ` (retry ${retry})`);
}

/** The innermost step that failed: the display shows why, from its beginning on. */
function failedStep(steps: readonly TestStep[]): TestStep | null {
	const failed = steps.findLast(({ error }) => error !== undefined);
	return failed === undefined ? null : (failedStep(failed.steps) ?? failed);
}

const messageOf = (step: TestStep, { error }: TestResult): string =>
	(step.error?.message ?? error?.message ?? step.title).split("\n")[0]?.replace(/^Error: /, "") ?? step.title;

const warn = (sentence: string): void => console.warn(`${NAME}: ${sentence}`);
