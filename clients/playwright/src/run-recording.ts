/** The recording of a run: its markers, its links and its end. Nothing here throws: what goes wrong is a warning. */
import { spawnSync } from "node:child_process";
import { type Job, type MarkerKind, type Outcome, Tapedeck, TapedeckError } from "@tapedeck/client";
import { MarkerQueue } from "./marker-queue.ts";
import type { Beginning } from "./options.ts";

const BEGIN = new URL("begin.js", import.meta.url).pathname;
/** A job that is not recorded in time is cancelled, which takes a moment. */
const CANCELLING_MS = 15_000;
/** How long the end waits for markers that are not sent yet, and for the answers that stop the recording. */
const ENDING_MS = 30_000;
/** More would hide each other in the player. */
const MAX_MARKERS = 1_000;
const MAX_LABEL = 200;

export class RunRecording {
	readonly #client: Tapedeck;
	readonly #warn: (sentence: string) => void;
	/** Whether this run began it, and ends it. */
	readonly #isOwn: boolean;
	#job: Job;
	readonly #ended = new AbortController();
	readonly #markers: MarkerQueue;
	#added = 0;

	private constructor(client: Tapedeck, job: Job, isOwn: boolean, warn: (sentence: string) => void) {
		this.#client = client;
		this.#job = job;
		this.#isOwn = isOwn;
		this.#warn = warn;
		this.#markers = new MarkerQueue(client, job.id, this.#ended.signal);
	}

	/** Stands still until the first frame. @returns null, after a warning, when nothing is recorded. */
	static begin(beginning: Beginning, warn: (sentence: string) => void): RunRecording | null {
		const { stdout, error } = spawnSync(process.execPath, [BEGIN], {
			input: JSON.stringify(beginning),
			stdio: ["pipe", "pipe", "ignore"],
			encoding: "utf8",
			timeout: beginning.startTimeoutSeconds * 1_000 + CANCELLING_MS,
		});
		try {
			if (error !== undefined) throw error;
			const answer: { job: Job } | { error: string } = JSON.parse(stdout);
			if ("error" in answer) throw new Error(answer.error);
			const client = new Tapedeck({ url: beginning.url, apiKey: beginning.apiKey });
			return new RunRecording(client, answer.job, beginning.jobId === undefined, warn);
		} catch (cause) {
			warn(`${sentence(cause)} The tests run without a recording.`);
			return null;
		}
	}

	/** The page of the recording. */
	get url(): string {
		return this.#job.recording?.url ?? `${this.#client.url}/jobs/${this.#job.id}`;
	}

	/** The recording at a moment. */
	urlAt(moment: Date): string {
		if (this.#job.recording === null || this.#job.startedAt === null) return this.url;
		const seconds = Math.max(0, moment.getTime() - Date.parse(this.#job.startedAt)) / 1_000;
		return `${this.url}?t=${seconds}`;
	}

	/** Adds a marker, in the background and in the order of the calls. */
	mark(text: string, kind: MarkerKind, moment: Date): void {
		const label = labelOf(text);
		if (label === "" || this.#added >= MAX_MARKERS) return;
		this.#added++;
		this.#markers.add({ label, kind, at: moment.toISOString() });
	}

	/** Sends what is left; ends the recording if this run began it, and waits until it plays. */
	async end(outcome: Outcome, playableSeconds: number): Promise<void> {
		const late = setTimeout(() => this.#ended.abort(new Error("there was no time left")), ENDING_MS);
		const { lost, failure } = await this.#markers.finish();
		clearTimeout(late);
		const problem = this.#isOwn ? await this.#stop(outcome, playableSeconds) : null;
		const why = failure === null ? "" : sentence(failure);
		if (problem !== null) this.#warn(problem);
		else if (lost > 0) this.#warn(`${lost} of ${this.#added} markers were not added. ${why}`.trim());
	}

	/** @returns what went wrong, as a sentence. */
	async #stop(outcome: Outcome, playableSeconds: number): Promise<string | null> {
		const { jobs } = this.#client;
		const { id } = this.#job;
		try {
			const signal = AbortSignal.timeout(ENDING_MS);
			await jobs.update(id, { outcome }, { signal });
			this.#job = await jobs.cancel(id, { signal });
			this.#job = await jobs.wait(id, "playable", { timeoutSeconds: playableSeconds });
			return null;
		} catch (error) {
			if (error instanceof TapedeckError && error.code === "timeout") return null;
			return `The recording may go on until its longest duration: ${sentence(error)}`;
		}
	}
}

/** The nearest label that the API takes. */
function labelOf(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out, colors of the terminal first
	const plain = text.replace(/\u001b\[[\d;]*m/g, "").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
	return plain
		.trim()
		.slice(0, MAX_LABEL)
		.replace(/[\ud800-\udfff]/gu, "")
		.trim();
}

function sentence(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return /[.!?]$/.test(message) ? message : `${message}.`;
}
