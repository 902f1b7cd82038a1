/** Records a run of Playwright Test: `reporter: [["list"], ["@tapedeck/playwright", { displayId: ":99" }]]`. */
import { basename } from "node:path";
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
import { failureOf, hasFailed, messageOf } from "./failure.ts";
import { Moments } from "./moments.ts";
import { beginningOf, type TapedeckReporterOptions } from "./options.ts";
import { RunRecording } from "./run-recording.ts";
import { cutMessage, firstLineOf } from "./text.ts";

export type { TapedeckReporterOptions };

/** The name of annotations and attachments. */
const NAME = "tapedeck";
const OUTCOMES = { passed: "passed", failed: "failed", timedout: "error", interrupted: "error" } as const;
/** How long before the failure a link begins: what leads to it is what one wants to see. */
const LEAD_MS = 5_000;

export default class TapedeckReporter implements Reporter {
	readonly #options: TapedeckReporterOptions;
	/** Playwright says `list` when tests are only listed, and `merge` when reports of an earlier run are merged. */
	readonly #mode: string;
	readonly #links: { title: string; url: string }[] = [];
	readonly #moments = new Moments();
	#recording: RunRecording | null = null;
	#rootDir = "";
	/** Whether any test ran: one that is skipped did not. */
	#hasRun = false;

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

	onTestBegin(_test: TestCase, result: TestResult): void {
		this.#moments.began(result);
	}

	onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
		this.#moments.began(step);
	}

	onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
		this.#moments.ended(step);
		const { steps = "test.step" } = this.#options;
		const { category, title } = step;
		const isAction = category === "pw:api" || category === "expect";
		const isWanted = category === "test.step" ? steps !== "none" : isAction && steps === "all";
		if (isWanted) this.#recording?.mark({ label: title, kind: "step", at: this.#moments.startOf(step) });
	}

	onTestEnd(test: TestCase, result: TestResult): void {
		this.#moments.ended(result);
		if (this.#recording === null || result.status === "skipped") return;
		this.#hasRun = true;
		const isFailed = hasFailed(test, result);
		const title = titleOf(test, result);
		const kind = isFailed || result.status === "interrupted" ? "note" : "pass";
		this.#recording.mark({ label: title, kind, at: this.#moments.startOf(result) });
		if (!isFailed) return;
		const { line, column } = test.location;
		const file = this.#fileOf(test);
		const failure = failureOf(result, `${file}:${line}:${column} › ${title}`, this.#moments);
		this.#recording.mark({ ...failure, kind: "fail" });
		const url = this.#recording.urlAt(new Date(failure.at.getTime() - LEAD_MS));
		this.#links.push({ title: `${file} › ${title}`, url });
		// Reports are written at the end, from these objects.
		const annotations = result.annotations ?? test.annotations;
		annotations.push({ type: NAME, description: url });
		result.attachments.push({ name: NAME, contentType: "text/plain", body: Buffer.from(url) });
	}

	/** Of no test, such as one of a global teardown. */
	onError(error: TestError): void {
		const message = messageOf(error);
		this.#recording?.mark({
			label: firstLineOf(message),
			message: cutMessage(message),
			kind: "fail",
			at: new Date(),
		});
	}

	async onEnd({ status }: FullResult): Promise<void> {
		if (this.#recording === null) return;
		const outcome = status === "passed" && !this.#hasRun ? "skipped" : OUTCOMES[status];
		await this.#recording.end(outcome);
		// Standard output can be the report of another reporter.
		console.error(`\n${NAME}: Recording of this run: ${this.#recording.url}`);
		for (const { title, url } of this.#links) console.error(`${NAME}:   ${title}: ${url}`);
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

const warn = (sentence: string): void => console.warn(`${NAME}: ${sentence}`);
