/** Jobs: requests to record. */
import { TapedeckError } from "./error.ts";
import type { CallOptions, Http } from "./http.ts";
import { List } from "./list.ts";
import type {
	AppendedTrack,
	CreateJob,
	CreateJobMarker,
	CreateScreenshotJob,
	DecideGate,
	Gate,
	GetJobQuery,
	Job,
	JobEvent,
	ListJobsQuery,
	Marker,
	MarkerList,
	Privacy,
	ReadTrackQuery,
	TestResult,
	Track,
	TrackLine,
	TrackList,
	UpdateJob,
} from "./openapi.ts";
import { type ReportedTest, reportTests } from "./test-results.ts";
import { batchesOfLines, NDJSON, type ReportedLine } from "./tracks.ts";
import { pause } from "./wait.ts";

export type JobFilter = ListJobsQuery;
export type TrackFilter = ReadTrackQuery;
export type PageFilter = Pick<JobFilter, "limit" | "cursor">;
/** `recording`: frames are captured; `ended`; `playable`: the video is stored and plays. */
export type WaitFor = NonNullable<GetJobQuery["waitFor"]>;

/**
 * `at` as a Date is a time of this machine's clock. As text, it is a time of the dashboard's clock, as in its
 * responses.
 */
export type JobMarker = Omit<CreateJobMarker, "at"> & { at?: Date | string };

/** The longest that one call may wait. */
const MAX_WAIT_SECONDS = 60;

export class Jobs {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/**
	 * Creates a job.
	 * @param options.idempotencyKey for 24 hours, the same key with the same body returns the same job. Without one,
	 *   each call has a key of its own, so that its tries create one job.
	 */
	create(
		body: CreateJob,
		{ idempotencyKey, ...options }: CallOptions & { idempotencyKey?: string } = {},
	): Promise<Job> {
		const headers = { "idempotency-key": idempotencyKey ?? crypto.randomUUID() };
		return this.#http.call("POST", "/v1/jobs", { ...options, body, headers, repeatable: true });
	}

	/** Takes a picture of a display, and waits until it is stored. */
	async screenshot(
		body: Omit<CreateScreenshotJob, "type">,
		options: CallOptions & { idempotencyKey?: string; timeoutSeconds?: number } = {},
	): Promise<Job> {
		const { id } = await this.create({ ...body, type: "screenshot" }, options);
		return this.wait(id, "playable", options);
	}

	get(jobId: number, options: CallOptions = {}): Promise<Job> {
		return this.#http.call("GET", `/v1/jobs/${jobId}`, options);
	}

	/** Jobs, the newest first. */
	list(filter: JobFilter = {}, options: CallOptions = {}): List<Job> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/jobs", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/**
	 * Waits until the job gets there, or ends without.
	 * @param options.timeoutSeconds how long; by default as long as it takes.
	 * @throws TapedeckError `timeout` when the time is over.
	 */
	async wait(
		jobId: number,
		waitFor: WaitFor = "playable",
		{ timeoutSeconds = Number.POSITIVE_INFINITY, ...options }: CallOptions & { timeoutSeconds?: number } = {},
	): Promise<Job> {
		const deadline = performance.now() + timeoutSeconds * 1_000;
		for (;;) {
			const left = Math.max(0, Math.min(MAX_WAIT_SECONDS, Math.ceil((deadline - performance.now()) / 1_000)));
			const query = { waitFor, timeoutSeconds: left };
			const timeoutMs = (left + 30) * 1_000;
			let job: Job;
			try {
				job = await this.#http.call<Job>("GET", `/v1/jobs/${jobId}`, { ...options, query, timeoutMs });
			} catch (error) {
				// This API key has too many waiting calls. Some of them end soon.
				const seconds = error instanceof TapedeckError && error.status === 429 ? (error.retryAfterSeconds ?? 1) : null;
				if (seconds === null || performance.now() + seconds * 1_000 >= deadline) throw error;
				await pause(seconds * 1_000, options.signal);
				continue;
			}
			if (hasReached(job, waitFor)) return job;
			if (performance.now() >= deadline) {
				const detail = `Job ${jobId} is still ${job.status} after ${timeoutSeconds} s. Wait longer, or cancel it.`;
				throw new TapedeckError({ status: 0, code: "timeout", detail });
			}
		}
	}

	/** Ends a job; the recorded video is kept. A job that has ended stays unchanged. */
	cancel(jobId: number, options: CallOptions = {}): Promise<Job> {
		return this.#http.call("POST", `/v1/jobs/${jobId}/cancel`, { ...options, repeatable: true });
	}

	/**
	 * Begins or ends a private span, which is black in the video. Resolves once it is in effect: after `setPrivacy(id,
	 * true)`, the content of the display is not recorded.
	 * @throws TapedeckError `privacy_unconfirmed` when the runner takes longer than 10 s: the display may still be
	 *   recorded.
	 */
	setPrivacy(jobId: number, on: boolean, options: CallOptions = {}): Promise<Privacy> {
		return this.#http.call("POST", `/v1/jobs/${jobId}/privacy`, { ...options, body: { on }, repeatable: true });
	}

	/** Changes name, labels, outcome, keep or pinned. Labels are merged; null removes one. */
	update(jobId: number, body: UpdateJob, options: CallOptions = {}): Promise<Job> {
		return this.#http.call("PATCH", `/v1/jobs/${jobId}`, { ...options, body });
	}

	/** Lists the events of the job, in order. */
	events(jobId: number, filter: PageFilter = {}, options: CallOptions = {}): List<JobEvent> {
		const path = `/v1/jobs/${jobId}/events`;
		return new List(
			(cursor) => this.#http.call("GET", path, { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	markers(jobId: number, filter: PageFilter = {}, options: CallOptions = {}): List<Marker> {
		const path = `/v1/jobs/${jobId}/markers`;
		return new List(
			(cursor) => this.#http.call("GET", path, { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Names a moment of the recording: `at`, or now. */
	async addMarker(jobId: number, marker: JobMarker, options: CallOptions = {}): Promise<Marker> {
		const body = await this.#withTime(marker, options);
		return this.#http.call("POST", `/v1/jobs/${jobId}/markers`, { ...options, body });
	}

	/**
	 * Names up to 500 moments in one call: all, or none if one is not valid.
	 * @returns the markers in the order of `markers`.
	 */
	async addMarkers(jobId: number, markers: readonly JobMarker[], options: CallOptions = {}): Promise<Marker[]> {
		const path = `/v1/jobs/${jobId}/markers/batch`;
		const body = { markers: await Promise.all(markers.map((marker) => this.#withTime(marker, options))) };
		return (await this.#http.call<MarkerList>("POST", path, { ...options, body })).data;
	}

	/**
	 * Reports what became of tests. A result that is sent again under its key replaces itself, so that one may begin without
	 * an outcome, and get it later.
	 * @param results any number, which are sent in calls of up to 1,000. Steps above 2,000 are left out.
	 * @returns the results in the same order.
	 */
	async addTests(jobId: number, results: readonly ReportedTest[], options: CallOptions = {}): Promise<TestResult[]> {
		return reportTests(this.#http, `/v1/jobs/${jobId}/tests`, results, options);
	}

	/**
	 * Decides whether all failures of a job's tests have causes that a person allows to pass, so that CI passes.
	 * @param body.failed ids of results that are known to have failed: if the job lacks one, the gate stays shut.
	 */
	gate(jobId: number, body: DecideGate = {}, options: CallOptions = {}): Promise<Gate> {
		return this.#http.call("POST", `/v1/jobs/${jobId}/gate`, { ...options, body, repeatable: true });
	}

	/** The tracks of the recording: timed lines, such as its log. */
	async tracks(jobId: number, options: CallOptions = {}): Promise<Track[]> {
		return (await this.#http.call<TrackList>("GET", `/v1/jobs/${jobId}/tracks`, options)).data;
	}

	/** Lines of a track, by time. */
	track(jobId: number, name: string, filter: TrackFilter = {}, options: CallOptions = {}): List<TrackLine> {
		const path = `/v1/jobs/${jobId}/tracks/${encodeURIComponent(name)}`;
		return new List(
			(cursor) => this.#http.call("GET", path, { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/**
	 * Appends lines to a track, which begins with the first ones: any name of letters, digits, dots, underscores and
	 * hyphens. One sender writes a track: another one's calls fail with `conflict`.
	 * @param lines any number, which are sent in several calls.
	 * @param options.from the `received` of an earlier call: the same lines may then be sent again after a failure, and are
	 *   stored once.
	 * @returns the track. A line that the dashboard could not read is counted in `refused`.
	 */
	async addTrack(
		jobId: number,
		name: string,
		lines: Iterable<ReportedLine>,
		{ from, ...options }: CallOptions & { from?: number } = {},
	): Promise<AppendedTrack> {
		// Times of this machine's clock need the dashboard's.
		await this.#http.timeOf(new Date(), options);
		const path = `/v1/jobs/${jobId}/tracks/${encodeURIComponent(name)}`;
		// Begins at the current end, so that a repeated call changes nothing.
		const send = (text: string, from?: number): Promise<AppendedTrack> =>
			this.#http.call("POST", path, {
				...options,
				text,
				headers: { "content-type": NDJSON },
				repeatable: true,
				query: { from },
			});
		let track = from === undefined ? await send("") : null;
		let refused = 0;
		for (const batch of batchesOfLines(lines, this.#http.clock)) {
			track = await send(batch, track?.received ?? from);
			refused += track.refused;
		}
		track ??= await send("");
		return { ...track, refused };
	}

	async #withTime(marker: JobMarker, options: CallOptions): Promise<CreateJobMarker> {
		const { at } = marker;
		if (!(at instanceof Date)) return { ...marker, at };
		return { ...marker, at: (await this.#http.timeOf(at, options)).toISOString() };
	}

	async deleteMarker(jobId: number, markerId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/jobs/${jobId}/markers/${markerId}`, options);
	}
}

/** Whether the job has ended, one way or another. */
export const hasEnded = ({ status }: Job): boolean =>
	status === "completed" || status === "failed" || status === "cancelled";

function hasReached(job: Job, waitFor: WaitFor): boolean {
	if (waitFor === "recording") return job.startedAt !== null || hasEnded(job);
	return hasEnded(job) && (waitFor === "ended" || job.recording?.state !== "live");
}
