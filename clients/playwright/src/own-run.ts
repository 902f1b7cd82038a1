/** A test run without a display: its results, their files and its end. Nothing waits for the dashboard before the end. */
import { type Gate, type Outcome, type ReportedTest, SecretMask, Tapedeck, type TestRun } from "@tapedeck/client";
import { Delivery, type ResultOwner } from "./delivery.ts";
import { GATE_MS, storedIds } from "./gate.ts";
import type { Beginning } from "./options.ts";
import { type Run, sentence } from "./run.ts";
import { addStepSummary } from "./step-summary.ts";
import { labelOf } from "./text.ts";
import { Uploads } from "./uploads.ts";

/** The dashboard may take this long to create the run, while the tests run. */
const CREATING_MS = 10_000;
/** The end waits this long for results that are not sent yet, and for the answer that ends the run. */
const ENDING_MS = 30_000;
/** The end waits this long for files. */
const UPLOADING_MS = 60_000;
/** The same for merged reports, whose files all come at the end. */
const UPLOADING_MERGED_MS = 600_000;

export class OwnRun implements Run {
	readonly title = "Results of this run";
	readonly #client: Tapedeck;
	readonly #warn: (sentence: string) => void;
	readonly #name: string;
	readonly #mask = new SecretMask(process.env);
	readonly #ended = new AbortController();
	readonly #delivery: Delivery;
	readonly #uploads: Uploads;
	readonly #uploadingMs: number;
	/** Null, after a warning, if it could not be created. */
	readonly #created: Promise<TestRun | null>;
	#run: TestRun | null = null;

	/**
	 * @param shard part of the name: each shard has a run of its own.
	 * @param isMerge whether the tests ran earlier, and their reports are merged.
	 * @throws TypeError without an address or a key.
	 */
	constructor(
		{ url, apiKey, name = "Playwright", labels }: Beginning,
		shard: { current: number; total: number } | null,
		warn: (sentence: string) => void,
		isMerge = false,
	) {
		this.#client = new Tapedeck({ url, apiKey });
		this.#warn = warn;
		this.#uploadingMs = isMerge ? UPLOADING_MERGED_MS : UPLOADING_MS;
		this.#name = labelOf(shard === null ? name : `${name} (${shard.current}/${shard.total})`);
		this.#created = this.#create(labels);
		this.#delivery = new Delivery(this.#owner(), this.#ended.signal);
		this.#uploads = new Uploads(this.#client, this.#mask, (key) => this.#delivery.whenStored(key));
	}

	get url(): string | null {
		return this.#run === null ? null : (this.#run.url ?? this.#client.url);
	}

	linkTo(key: string): string {
		const stored = this.#delivery.stored(key);
		return stored === undefined
			? (this.url ?? this.#client.url)
			: `${this.#client.url}/tests/${stored.testId}?result=${stored.id}`;
	}

	/** A failure is in its result: there is no video that could have a marker. */
	markFailure(): void {}

	report(result: ReportedTest): void {
		this.#delivery.report(this.#mask.applyToResult(result));
	}

	attach(...files: Parameters<Uploads["add"]>): void {
		this.#uploads.add(...files);
	}

	/** There is no recording that could have a log. */
	print(): void {}

	async end(outcome: Outcome): Promise<void> {
		const timer = setTimeout(() => this.#ended.abort(new Error("there was no time left")), ENDING_MS);
		try {
			const run = await this.#created;
			if (run === null) return;
			const { lost, failure } = await this.#delivery.finish();
			this.#run = await this.#client.testRuns.end(run.id, { outcome }, { signal: this.#ended.signal });
			if (lost !== "") this.#warn(`The test run lacks ${lost}. ${failure === null ? "" : sentence(failure)}`.trim());
		} catch (cause) {
			this.#warn(`The test run was not ended, and becomes an error: ${sentence(cause)}`);
		} finally {
			clearTimeout(timer);
		}
		const missing = this.#run === null ? null : await this.#uploads.finish(this.#uploadingMs);
		if (missing !== null) this.#warn(missing);
	}

	async gate(failed: readonly string[]): Promise<Gate> {
		if (this.#run === null) throw new Error("There is no test run.");
		const body = storedIds(failed, (key) => this.#delivery.stored(key));
		return this.#client.testRuns.gate(this.#run.id, body, { signal: AbortSignal.timeout(GATE_MS) });
	}

	async addToStepSummary(outcome: Outcome, links: readonly { title: string; url: string }[]): Promise<void> {
		if (this.url === null) return;
		const safe = links.map(({ title, url }) => ({ title: this.#mask.applyToName(title), url }));
		const summary = { kind: "Test run" as const, url: this.url, name: this.#mask.applyToName(this.#name), outcome };
		await addStepSummary({ ...summary, links: safe }, process.env).catch((cause) =>
			this.#warn(`The step summary could not be written: ${sentence(cause)}`),
		);
	}

	async #create(labels: Record<string, string> | undefined): Promise<TestRun | null> {
		const late = new AbortController();
		const why = new Error(`The dashboard at ${this.#client.url} did not respond within ${CREATING_MS / 1_000} s.`);
		const timer = setTimeout(() => late.abort(why), CREATING_MS);
		try {
			const body = { name: this.#name, labels, source: "playwright" };
			this.#run = await this.#client.testRuns.create(body, { signal: late.signal });
			return this.#run;
		} catch (cause) {
			this.#warn(`${sentence(cause)} The results of this run are not kept.`);
			return null;
		} finally {
			clearTimeout(timer);
		}
	}

	/** The results wait until the run is created. */
	#owner(): ResultOwner {
		return {
			markers: null,
			addTests: async (results, options) => {
				const run = await this.#created;
				if (run === null) throw new Error("There is no test run.");
				return this.#client.testRuns.addTests(run.id, results, options);
			},
		};
	}
}
