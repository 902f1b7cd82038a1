/** A recording that lasts as long as a scope: `await using recording = await client.record()`. */
/// <reference lib="esnext.disposable" preserve="true" />
import { TapedeckError } from "./error.ts";
import type { Guard, Outcome } from "./guard.ts";
import type { CallOptions, Http } from "./http.ts";
import { hasEnded, Jobs } from "./jobs.ts";
import type { CreateInterruptJob, CreateJob, Job, Marker } from "./openapi.ts";

export type MarkerKind = "step" | "pass" | "fail" | "note";

/** Options of a recording. All are optional: without any, the first runner with a free display records. */
export interface RecordOptions
	extends CallOptions,
		Pick<
			CreateInterruptJob,
			| "runnerId"
			| "displayId"
			| "display"
			| "selector"
			| "name"
			| "labels"
			| "keep"
			| "video"
			| "preSeconds"
			| "outcomeExpected"
		> {
	/** Ends the recording of a script that nothing else ends; default 14400, which are 4 hours. */
	maxDurationSeconds?: number;
	/** The maximum wait for the first frame, in seconds. Default: 60. */
	startTimeoutSeconds?: number;
	/** The maximum wait until the video can be played after the end, in seconds. Default: 60. 0 doesn't wait. */
	playableTimeoutSeconds?: number;
}

const PLAYABLE_SECONDS = 60;
const MAX_DURATION_SECONDS = 4 * 3_600;
/** The maximum time for which the end of a scope retries to stop the recording. */
const ENDING_MS = 60_000;
/** The maximum time to cancel the job of a recording that did not begin. */
const CANCELLING_MS = 10_000;

/** A recording in progress. Its first frame is captured. */
export class LiveRecording implements AsyncDisposable {
	/** Set when the recording ends, such as `recording.outcome = "passed"`. */
	outcome: Outcome | null = null;
	readonly #http: Http;
	readonly #jobs: Jobs;
	readonly #playableSeconds: number;
	readonly #guard: Guard;
	#job: Job;
	#ending: Promise<Job> | undefined;

	/** @param guard that the job has already. */
	constructor(http: Http, job: Job, guard: Guard | null, playableSeconds = PLAYABLE_SECONDS) {
		this.#http = http;
		this.#jobs = new Jobs(http);
		this.#job = job;
		this.#playableSeconds = playableSeconds;
		this.#guard = guard ?? http.guard(job.id, () => this.#endAtSignal());
		this.#guard.onSignal(() => this.#endAtSignal());
	}

	/** The job as it was when the recording began, or as it ended. */
	get job(): Job {
		return this.#job;
	}

	/** The URL of the recording's page, or of the job's page until a part of the recording is stored. */
	get url(): string {
		return this.#job.recording?.url ?? `${this.#http.url}/jobs/${this.#job.id}`;
	}

	/** @returns the link to the recording at a time of this machine's clock. */
	urlAt(time: Date): string {
		const startedAt = Date.parse(this.#job.startedAt ?? this.#job.createdAt);
		const seconds = Math.max(0, (this.#http.clock.timeOf(time).getTime() - startedAt) / 1_000);
		return this.#job.recording === null ? this.url : `${this.url}?t=${Number(seconds.toFixed(3))}`;
	}

	/**
	 * Names a moment: `at`, by this machine's clock, or now. The kind `fail` also makes the outcome `failed` if there is
	 * none.
	 */
	mark(
		label: string,
		{ at, signal, ...rest }: CallOptions & { kind?: MarkerKind; at?: Date; message?: string } = {},
	): Promise<Marker> {
		// Without a time, the dashboard uses the arrival of the call.
		const now = this.#http.clock.shiftMs === undefined ? undefined : new Date();
		return this.#jobs.addMarker(this.#job.id, { label, at: at ?? now, ...rest }, { signal });
	}

	/** Sets the outcome, stops the recording, and waits until the video plays. The end of its scope does that, too. */
	end(options: CallOptions = {}): Promise<Job> {
		this.#ending ??= this.#end(options);
		return this.#ending;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.end();
	}

	/**
	 * Leaves the recording to another process: it continues when this process ends. `client.resume(job)` takes it over,
	 * even in another process.
	 */
	detach(): Job {
		this.#guard.release();
		return this.#job;
	}

	async #stop({ signal }: CallOptions): Promise<void> {
		const { id } = this.#job;
		const limit = AbortSignal.timeout(ENDING_MS);
		const options = { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
		try {
			if (this.outcome !== null) await this.#jobs.update(id, { outcome: this.outcome }, options);
			this.#job = await this.#jobs.cancel(id, options);
			this.#guard.release();
		} catch (error) {
			this.#guard.handOver(this.outcome);
			throw error;
		}
	}

	async #endAtSignal(): Promise<void> {
		this.outcome = "error";
		await this.#stop({});
	}

	async #end({ signal }: CallOptions): Promise<Job> {
		await this.#stop({ signal });
		const { id } = this.#job;
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

/**
 * Starts recording and waits for the first frame. @throws TapedeckError `not_started` when no frame arrives in time.
 */
export async function record(http: Http, options: RecordOptions = {}): Promise<LiveRecording> {
	const { signal, startTimeoutSeconds = 60, playableTimeoutSeconds, ...order } = options;
	const jobs = new Jobs(http);
	const body = jobOf(order);
	const idempotencyKey = crypto.randomUUID();
	let created: number | null = null;
	let guard: Guard | null = null;
	const withdraw = (jobId: number) => jobs.cancel(jobId, { signal: AbortSignal.timeout(CANCELLING_MS) });
	try {
		const { id } = await jobs.create(body, { idempotencyKey, signal });
		created = id;
		guard = http.guard(id, () => withdraw(id));
		const job = await jobs.wait(id, "recording", { timeoutSeconds: startTimeoutSeconds, signal });
		if (job.startedAt === null || hasEnded(job))
			throw notStarted(job.error?.message ?? `Job ${job.id} is ${job.status}`);
		return new LiveRecording(http, job, guard, playableTimeoutSeconds);
	} catch (error) {
		// Without this, the recording would never stop. An aborted call may have created the job: the same key finds its id.
		const limit = { signal: AbortSignal.timeout(CANCELLING_MS) };
		const again = async () => (signal?.aborted ? (await jobs.create(body, { idempotencyKey, ...limit })).id : null);
		try {
			const id = created ?? (await again());
			if (id !== null) await withdraw(id);
			guard?.release();
		} catch {
			guard?.handOver(null);
		}
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
	return { maxDurationSeconds: MAX_DURATION_SECONDS, ...withoutUndefined(rest), ...place, stopCondition: "interrupt" };
}

const withoutUndefined = <T extends object>(values: T): T =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

const notStarted = (why: string): TapedeckError =>
	new TapedeckError({
		status: 0,
		code: "not_started",
		detail: `The recording did not begin: ${why.replace(/\.$/, "")}.`,
	});
