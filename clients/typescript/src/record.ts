/** A recording that lasts as long as a scope: `await using recording = await client.record()`. */
/// <reference lib="esnext.disposable" preserve="true" />
import { TapedeckError } from "./error.ts";
import type { CallOptions } from "./http.ts";
import { hasEnded, type Jobs } from "./jobs.ts";
import type { CreateInterruptJob, CreateJob, Job, Marker } from "./openapi.ts";

export type Outcome = NonNullable<Job["outcome"]>;
export type MarkerKind = "step" | "pass" | "fail" | "note";

/** How the recording is made. All of it may be left out: then the first runner with a free display records. */
export interface RecordOptions
	extends CallOptions,
		Pick<
			CreateInterruptJob,
			"runnerId" | "displayId" | "selector" | "name" | "labels" | "keep" | "maxDurationSeconds"
		> {
	/** How long to wait for the first frame; default 60. */
	startTimeoutSeconds?: number;
	/** How long to wait in the end until the video plays; default 60. 0 doesn't wait. */
	playableTimeoutSeconds?: number;
}

/** How long the end of a scope goes on trying to stop the recording. */
const ENDING_MS = 60_000;
/** How long the job of a recording that did not begin may take to be cancelled. */
const CANCELLING_MS = 10_000;

/** A recording in progress. Its first frame is captured. */
export class LiveRecording implements AsyncDisposable {
	/** Set when the recording ends, such as `recording.outcome = "passed"`. */
	outcome: Outcome | null = null;
	readonly #jobs: Jobs;
	readonly #url: string;
	readonly #playableSeconds: number;
	#job: Job;
	#ending: Promise<Job> | undefined;

	constructor(jobs: Jobs, url: string, job: Job, playableSeconds: number) {
		this.#jobs = jobs;
		this.#url = url;
		this.#job = job;
		this.#playableSeconds = playableSeconds;
	}

	/** The job as it was when the recording began, or as it ended. */
	get job(): Job {
		return this.#job;
	}

	/** The page of the recording; until something of it is stored, that of the job. */
	get url(): string {
		return this.#job.recording?.url ?? `${this.#url}/jobs/${this.#job.id}`;
	}

	/** @returns the link to what the display showed at a time. */
	urlAt(time: Date): string {
		const startedAt = Date.parse(this.#job.startedAt ?? this.#job.createdAt);
		const seconds = Math.max(0, (time.getTime() - startedAt) / 1_000);
		return this.#job.recording === null ? this.url : `${this.url}?t=${Number(seconds.toFixed(3))}`;
	}

	/** Names a moment: `at`, or now. The kind `fail` also makes the outcome `failed` if there is none. */
	mark(label: string, { kind, at, signal }: CallOptions & { kind?: MarkerKind; at?: Date } = {}): Promise<Marker> {
		const moment = (at ?? new Date()).toISOString();
		return this.#jobs.addMarker(
			this.#job.id,
			{ label, at: moment, ...(kind === undefined ? {} : { kind }) },
			{ signal },
		);
	}

	/** Sets the outcome, stops the recording, and waits until the video plays. The end of its scope does that, too. */
	end(options: CallOptions = {}): Promise<Job> {
		this.#ending ??= this.#end(options);
		return this.#ending;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.end();
	}

	async #end({ signal }: CallOptions): Promise<Job> {
		const { id } = this.#job;
		const limit = AbortSignal.timeout(ENDING_MS);
		const options = { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
		if (this.outcome !== null) await this.#jobs.update(id, { outcome: this.outcome }, options);
		this.#job = await this.#jobs.cancel(id, options);
		try {
			const timeoutSeconds = this.#playableSeconds;
			if (timeoutSeconds > 0) this.#job = await this.#jobs.wait(id, "playable", { timeoutSeconds, signal });
		} catch (error) {
			// It is stopped, and plays later.
			if (!(error instanceof TapedeckError && error.code === "timeout")) throw error;
			this.#job = await this.#jobs.get(id, { signal });
		}
		return this.#job;
	}
}

/** Starts recording and waits for the first frame. @throws TapedeckError `not_started` when there is none in time. */
export async function record(jobs: Jobs, url: string, options: RecordOptions = {}): Promise<LiveRecording> {
	const { signal, startTimeoutSeconds = 60, playableTimeoutSeconds = 60, ...order } = options;
	const body = jobOf(order);
	const idempotencyKey = crypto.randomUUID();
	let created: Job | null = null;
	try {
		created = await jobs.create(body, { idempotencyKey, signal });
		const job = await jobs.wait(created.id, "recording", { timeoutSeconds: startTimeoutSeconds, signal });
		if (job.startedAt === null || hasEnded(job))
			throw notStarted(job.error?.message ?? `Job ${job.id} is ${job.status}`);
		return new LiveRecording(jobs, url, job, playableTimeoutSeconds);
	} catch (error) {
		// Nobody would stop it later. A call that was aborted may have created the job: the same key says which.
		const limit = { signal: AbortSignal.timeout(CANCELLING_MS) };
		const again = () => (signal?.aborted ? jobs.create(body, { idempotencyKey, ...limit }) : null);
		await Promise.resolve(created ?? again())
			.then((job) => job && jobs.cancel(job.id, limit))
			.catch(() => undefined);
		if (error instanceof TapedeckError && error.code === "timeout" && error.status === 0 && created !== null) {
			throw notStarted(
				`${error.detail.replace(/ Wait longer.*$/, "")} Check that a runner with this display is online`,
			);
		}
		throw error;
	}
}

/** @returns a job of the runner that is named, else of the first with the display. */
function jobOf({ runnerId, displayId, selector, ...rest }: Omit<RecordOptions, keyof CallOptions>): CreateJob {
	const place =
		runnerId === undefined
			? { selector: { ...(displayId === undefined ? {} : { display: displayId }), ...selector } }
			: { runnerId, displayId };
	return { ...rest, ...place, stopCondition: "interrupt" };
}

const notStarted = (why: string): TapedeckError =>
	new TapedeckError({
		status: 0,
		code: "not_started",
		detail: `The recording did not begin: ${why.replace(/\.$/, "")}.`,
	});
