/** The recording of a run: its results, its links and its end. Nothing here throws: what goes wrong is a warning. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
	type Gate,
	type Job,
	type LiveRecording,
	type Outcome,
	type ReportedTest,
	SecretMask,
	Tapedeck,
} from "@tapedeck/client";
import { type BrowserLine, BrowserLines } from "./browser-lines.ts";
import { Delivery, type ResultOwner } from "./delivery.ts";
import { GATE_MS, storedIds } from "./gate.ts";
import { LogTrack } from "./log-track.ts";
import { ANSWER_FD, type Beginning, type Begun, type NotBegun } from "./options.ts";
import { type MarkedFailure, type Run, sentence } from "./run.ts";
import { addStepSummary } from "./step-summary.ts";
import { cutMessage, labelOf } from "./text.ts";
import { Track } from "./track.ts";

const BEGIN = fileURLToPath(new URL("begin.js", import.meta.url));
/** A job that is not recorded in time is cancelled, which takes a moment. */
const CANCELLING_MS = 15_000;
/** Maximum time that the end waits for unsent results, and for the answers that stop the recording. */
const ENDING_MS = 30_000;

/** No runner has the display. */
export class WithoutRunner extends Error {}

export class RunRecording implements Run {
	readonly #client: Tapedeck;
	readonly #warn: (sentence: string) => void;
	/** Null for the recording of another person, who ends it. */
	readonly #own: LiveRecording | null;
	#job: Job;
	readonly #ended = new AbortController();
	readonly #delivery: Delivery;
	readonly #tracks: { log: Track; console: Track; network: Track };
	readonly #log: LogTrack;
	/** Null if it cannot be. */
	readonly #browserLines: BrowserLines | null;
	readonly #mask = new SecretMask(process.env);

	private constructor(
		client: Tapedeck,
		job: Job,
		own: LiveRecording | null,
		part: string,
		warn: (sentence: string) => void,
	) {
		this.#client = client;
		this.#job = job;
		this.#own = own;
		this.#warn = warn;
		this.#delivery = new Delivery(ofJob(client, job.id), this.#ended.signal);
		const track = (kind: string) => new Track(client, job.id, `${kind}.playwright${part}`, this.#ended.signal);
		this.#tracks = { log: track("log"), console: track("console"), network: track("network") };
		this.#log = new LogTrack(this.#tracks.log, this.#mask);
		this.#browserLines = this.#readBrowserLines();
	}

	/**
	 * Stands still until the first frame.
	 * @param shard its number: shards may add to the recording of one `tapedeck run`. Null for a run that is whole.
	 * @throws WithoutRunner; an Error with a sentence when nothing is recorded for another reason.
	 */
	static begin(beginning: Beginning, shard: number | null, warn: (sentence: string) => void): RunRecording {
		return RunRecording.beginAll([beginning], shard, warn)[0] as RunRecording;
	}

	/** A recording that has begun, which its end stops. */
	static of(client: Tapedeck, recording: LiveRecording, warn: (sentence: string) => void): RunRecording {
		return new RunRecording(client, recording.job, recording, "", warn);
	}

	get title(): string {
		return "Recording of this run";
	}

	/** Begins several at the same time. @throws when one of them does not begin: then none does. */
	static beginAll(
		beginnings: readonly Beginning[],
		shard: number | null,
		warn: (sentence: string) => void,
	): RunRecording[] {
		return beginIn(beginnings).map(({ job, clockShiftMs }, index) => {
			const { url, apiKey, jobId, playableTimeoutSeconds } = beginnings[index] as Beginning;
			const client = new Tapedeck({ url, apiKey, clockShiftMs });
			const own = jobId === undefined ? client.resume(job, { playableTimeoutSeconds }) : null;
			return new RunRecording(client, job, own, shard === null ? "" : `.${shard}`, warn);
		});
	}

	/** The display that is recorded, such as `:104`. */
	get displayId(): string {
		return this.#job.displayId;
	}

	/** The file to which the processes of tests append what browsers log; undefined if they cannot. */
	get linesFile(): string | undefined {
		return this.#browserLines?.file;
	}

	/** The page of the recording. */
	get url(): string {
		return this.#job.recording?.url ?? `${this.#client.url}/jobs/${this.#job.id}`;
	}

	/** A test result in the recording, or its moment while the dashboard has not stored the result. */
	linkTo(key: string, moment: Date): string {
		const stored = this.#delivery.stored(key);
		return stored === undefined ? this.#urlAt(moment) : `${this.url}?result=${stored.id}`;
	}

	/** The recording at a moment of this machine's clock. */
	#urlAt(moment: Date): string {
		if (this.#job.recording === null || this.#job.startedAt === null) return this.url;
		const seconds = Math.max(0, this.#client.dashboardTime(moment).getTime() - Date.parse(this.#job.startedAt)) / 1_000;
		return `${this.url}?t=${seconds}`;
	}

	/** Adds the marker of a failure at a moment of this machine's clock, in the background and in the order of the calls. */
	markFailure({ label: text, message, place, at }: MarkedFailure): void {
		const label = labelOf(this.#mask.apply(text));
		if (label === "") return;
		this.#delivery.mark({
			label,
			kind: "fail",
			at: this.#client.dashboardTime(at).toISOString(),
			// Masked before it is cut: what is left of a secret would not be recognized.
			message: cutMessage(this.#mask.apply(message), place === undefined ? undefined : this.#mask.applyToName(place)),
		});
	}

	/** Sends what became of a test, or that it has begun, in the background. */
	report(result: ReportedTest): void {
		this.#delivery.report(this.#mask.applyToResult(result));
	}

	/** Adds what a test has printed to the recording's log, in the background. */
	print(chunk: string | Buffer, level: "info" | "error"): void {
		this.#log.add(chunk, level);
	}

	/** Sends what is left; ends the recording if this run began it, and waits until it plays. */
	async end(outcome: Outcome): Promise<void> {
		const late = setTimeout(() => this.#ended.abort(new Error("there was no time left")), ENDING_MS);
		this.#log.end();
		this.#browserLines?.finish();
		const [{ lost: missing, failure }, ...lines] = await Promise.all([
			this.#delivery.finish(),
			...Object.entries(this.#tracks).map(async ([kind, track]) => {
				const count = await track.finish();
				return count === 0 ? "" : `${count} lines of its ${kind}`;
			}),
		]);
		clearTimeout(late);
		const lost = [missing, ...lines].filter((what) => what !== "").join(" and ");
		const problem = this.#own === null ? null : await this.#stop(this.#own, outcome);
		const why = failure === null ? "" : sentence(failure);
		if (problem !== null) this.#warn(problem);
		else if (lost !== "") this.#warn(`The recording lacks ${lost}. ${why}`.trim());
	}

	/** Tests whose processes begin from now on add what browsers log. @returns null, after a warning, if they cannot. */
	#readBrowserLines(): BrowserLines | null {
		const onError = (cause: unknown) => this.#warn(`The log of the browsers is not recorded: ${sentence(cause)}`);
		try {
			const add = ({ track, at, ...line }: BrowserLine) => this.#tracks[track].add({ ...line, at: new Date(at) });
			return new BrowserLines(add, onError);
		} catch (cause) {
			onError(cause);
			return null;
		}
	}

	async gate(failed: readonly string[]): Promise<Gate> {
		const body = storedIds(failed, (key) => this.#delivery.stored(key));
		return this.#client.jobs.gate(this.#job.id, body, { signal: AbortSignal.timeout(GATE_MS) });
	}

	/** Adds it to the summary of the step, in GitHub Actions. @param links of tests that failed. */
	async addToStepSummary(outcome: Outcome, links: readonly { title: string; url: string }[]): Promise<void> {
		const safe = links.map(({ title, url }) => ({ title: this.#mask.applyToName(title), url }));
		const summary = {
			kind: "Recording" as const,
			url: this.url,
			name: this.#mask.applyToName(this.#job.name),
			outcome,
			links: safe,
		};
		await addStepSummary(summary, process.env).catch((cause) =>
			this.#warn(`The step summary could not be written: ${sentence(cause)}`),
		);
	}

	/** @returns what went wrong, as a sentence. */
	async #stop(own: LiveRecording, outcome: Outcome): Promise<string | null> {
		try {
			own.outcome = outcome;
			this.#job = await own.end();
			return null;
		} catch (error) {
			return `The recording may continue until its longest duration: ${sentence(error)}`;
		}
	}
}

/**
 * Runs the program that begins the recordings. Its answer comes over a pipe of its own: what other programs and preloaded
 * modules print goes to standard output.
 */
function beginIn(beginnings: readonly Beginning[]): Begun[] {
	const { output, error, status, signal } = spawnSync(process.execPath, [BEGIN], {
		input: JSON.stringify(beginnings),
		stdio: ["pipe", "ignore", "ignore", "pipe"],
		env: environmentOf(process.env),
		encoding: "utf8",
		timeout: (beginnings[0]?.startTimeoutSeconds ?? 0) * 1_000 + CANCELLING_MS,
	});
	if (error !== undefined) throw error;
	const text = output[ANSWER_FD] ?? "";
	if (text === "") throw new Error(`The program that begins the recording ended with ${signal ?? `status ${status}`}.`);
	const answer: Begun[] | NotBegun = JSON.parse(text);
	if (!("error" in answer)) return answer;
	throw answer.isWithoutRunner ? new WithoutRunner(answer.error) : new Error(answer.error);
}

/** Without a debugger, which would wait for a user. */
function environmentOf({ NODE_OPTIONS, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const options = NODE_OPTIONS?.replace(/(?<!\S)--inspect\S*/g, "").trim();
	return options ? { ...env, NODE_OPTIONS: options } : env;
}

/** The results and markers of a job. */
export const ofJob = (client: Tapedeck, jobId: number): ResultOwner => ({
	addTests: (results, options) => client.jobs.addTests(jobId, results, options),
	markers: {
		add: (markers, options) => client.jobs.addMarkers(jobId, markers, options),
		list: (options) => client.jobs.markers(jobId, {}, options).toArray(),
	},
});
