/** The client: where a script begins. */
import { Builds } from "./builds.ts";
import { followEvents, type LiveEvent } from "./events.ts";
import { type CallOptions, type ClientOptions, Http, type RequestOptions } from "./http.ts";
import { Jobs } from "./jobs.ts";
import { warnOfMisspelledVariables } from "./known-variables.ts";
import type { Job } from "./openapi.ts";
import { LiveRecording, type RecordOptions, record } from "./record.ts";
import { Recordings } from "./recordings.ts";
import { Runners } from "./runners.ts";
import { Schedules } from "./schedules.ts";
import { Tests } from "./test-results.ts";
import { TestRuns } from "./test-runs.ts";
import { Webhooks } from "./webhooks.ts";

/** Calls a Tapedeck dashboard. Every call fails with a TapedeckError, or with the reason of its own signal. */
export class Tapedeck {
	readonly builds: Builds;
	readonly jobs: Jobs;
	readonly recordings: Recordings;
	readonly runners: Runners;
	readonly schedules: Schedules;
	readonly testRuns: TestRuns;
	readonly tests: Tests;
	readonly webhooks: Webhooks;
	readonly #http: Http;

	/** Without options, reads TAPEDECK_URL and TAPEDECK_API_KEY. @throws TypeError without an address or a key. */
	constructor(options: ClientOptions = {}) {
		if (options.url === undefined || options.apiKey === undefined) warnOfMisspelledVariables();
		this.#http = new Http(options);
		this.builds = new Builds(this.#http);
		this.jobs = new Jobs(this.#http);
		this.recordings = new Recordings(this.#http);
		this.runners = new Runners(this.#http);
		this.schedules = new Schedules(this.#http);
		this.testRuns = new TestRuns(this.#http);
		this.tests = new Tests(this.#http);
		this.webhooks = new Webhooks(this.#http);
	}

	/** The dashboard's address, without a slash at its end. */
	get url(): string {
		return this.#http.url;
	}

	/** The milliseconds to add to this machine's clock to get the dashboard's. Undefined before the first response. */
	get clockShiftMs(): number | undefined {
		return this.#http.clock.shiftMs;
	}

	/** @returns the dashboard's time at a time of this machine's clock, as far as its answers say. */
	dashboardTime(local: Date): Date {
		return this.#http.clock.timeOf(local);
	}

	/**
	 * Starts recording and waits for the first frame. At the end of its scope, the recording gets its outcome, is
	 * stopped, and plays at its `url`:
	 *
	 *     await using recording = await client.record({ displayId: ":99", name: "Checkout" });
	 *     await recording.mark("Pay is clicked");
	 *     recording.outcome = "passed";
	 */
	record(options: RecordOptions = {}): Promise<LiveRecording> {
		return record(this.#http, options);
	}

	/**
	 * Takes over a recording that was begun elsewhere, and then left by `detach()`: it ends with this scope, or with this
	 * process.
	 */
	resume(job: Job, { playableTimeoutSeconds }: Pick<RecordOptions, "playableTimeoutSeconds"> = {}): LiveRecording {
		return new LiveRecording(this.#http, job, null, playableTimeoutSeconds);
	}

	/** Changes as they happen: `for await (const event of client.events())`. Connects again when it has to. */
	events(options: CallOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
		return followEvents(this.#http, options);
	}

	/** Calls anything else of the API, such as `client.request<Storage>("GET", "/v1/storage")`. */
	request<T = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
		return this.#http.call<T>(method, path, { ...options, takesText: true });
	}

	/**
	 * Calls what answers with something else than JSON, such as a video or a stream of events.
	 * @returns the answer, with a status of 2xx, and its body not read yet: the time limit is for its beginning.
	 */
	open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
		return this.#http.open(method, path, options);
	}
}
