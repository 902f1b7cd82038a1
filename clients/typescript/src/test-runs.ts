/** Test runs: results without a job's recording, such as those of headless browsers. */
import { addAttachment, type NewAttachment } from "./attachments.ts";
import type { CallOptions, Http } from "./http.ts";
import { List } from "./list.ts";
import type {
	Attachment,
	CreateTestRun,
	DecideGate,
	EndTestRun,
	Gate,
	ListTestRunsQuery,
	TestResult,
	TestRun,
	TestRunDetail,
} from "./openapi.ts";
import { type ReportedTest, reportTests } from "./test-results.ts";

export type TestRunFilter = ListTestRunsQuery;

export class TestRuns {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/**
	 * Creates a test run.
	 * @param body.key the organization has one run with this key, which is returned again. Without one, each call has a key
	 *   of its own, so that its tries create one run.
	 */
	create(body: CreateTestRun = {}, options: CallOptions = {}): Promise<TestRun> {
		const keyed = { ...body, key: body.key ?? crypto.randomUUID() };
		return this.#http.call("POST", "/v1/test-runs", { ...options, body: keyed, repeatable: true });
	}

	/** A run with its attachments. */
	get(testRunId: number, options: CallOptions = {}): Promise<TestRunDetail> {
		return this.#http.call("GET", `/v1/test-runs/${testRunId}`, options);
	}

	/** Test runs, the newest first. */
	list(filter: TestRunFilter = {}, options: CallOptions = {}): List<TestRun> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/test-runs", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Reports what became of tests, as `jobs.addTests()` does. */
	addTests(testRunId: number, results: readonly ReportedTest[], options: CallOptions = {}): Promise<TestResult[]> {
		return reportTests(this.#http, `/v1/test-runs/${testRunId}/tests`, results, options);
	}

	/** Attaches a file to the run, such as its output: at most 20, of at most 256 MiB each. */
	addAttachment(testRunId: number, file: NewAttachment, options: CallOptions = {}): Promise<Attachment> {
		return addAttachment(this.#http, { testRunId }, file, options);
	}

	/** Ends a run with its outcome: tests that have none get `error`. */
	end(testRunId: number, body: EndTestRun, options: CallOptions = {}): Promise<TestRun> {
		return this.#http.call("POST", `/v1/test-runs/${testRunId}/end`, { ...options, body, repeatable: true });
	}

	/**
	 * Decides whether its failures are all known, so that CI passes, as `jobs.gate()` does.
	 * @param body.failed ids of results that are known to have failed: if the run lacks one, the gate stays shut.
	 */
	gate(testRunId: number, body: DecideGate = {}, options: CallOptions = {}): Promise<Gate> {
		return this.#http.call("POST", `/v1/test-runs/${testRunId}/gate`, { ...options, body, repeatable: true });
	}

	/** Permanently deletes a run with its results. */
	async delete(testRunId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/test-runs/${testRunId}`, options);
	}
}
