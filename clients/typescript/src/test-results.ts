/** Test results: what became of one attempt of one test. Cuts them to what one call takes. */
import { addAttachment, type NewAttachment } from "./attachments.ts";
import type { DashboardClock } from "./dashboard-clock.ts";
import type { CallOptions, Http } from "./http.ts";
import { List } from "./list.ts";
import type {
	Attachment,
	GetTestHistoryQuery,
	ListedTest,
	ListTestResultsQuery,
	ListTestSummariesQuery,
	NewTestResult,
	TestHistory,
	TestResult,
	TestResultDetail,
	TestResultList,
} from "./openapi.ts";

export type TestFilter = ListTestResultsQuery;
export type TestSummaryFilter = ListTestSummariesQuery;
export type TestHistoryFilter = GetTestHistoryQuery;

/** A Date is a time of this machine's clock. As text, it is a time of the dashboard's clock, as in its responses. */
type Time = Date | string;

/** A step of a test, with the steps within it: 8 levels, and 2,000 steps of a test, are kept. */
export interface ReportedStep {
	title: string;
	/** For example `hook`, `expect` or `pw:api`. */
	category?: string | null;
	startedAt?: Time | null;
	endedAt?: Time | null;
	outcome?: NewTestResult["outcome"];
	message?: string | null;
	steps?: readonly ReportedStep[];
}

export interface ReportedTest extends Omit<NewTestResult, "startedAt" | "endedAt" | "steps"> {
	startedAt?: Time | null;
	endedAt?: Time | null;
	steps?: readonly ReportedStep[] | null;
}

const MAX_BATCH = 1_000;
const MAX_STEPS = 2_000;
/**
 * The maximum size of a call's JSON in UTF-8 bytes, of which the dashboard accepts 1 MiB, and of the steps of one
 * result.
 */
const MAX_BATCH_BYTES = 900_000;
const MAX_STEPS_BYTES = 400_000;
const MAX_LEFT_OUT = 50_000;
/** The maximum length of a message or a stack. The dashboard keeps less. */
const MAX_TEXT = 40_000;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Test results as calls take them: up to 1,000 of up to 1 MiB in each. */
export function* batchesOf(results: readonly ReportedTest[], clock: DashboardClock): Generator<NewTestResult[]> {
	let batch: NewTestResult[] = [];
	let left = MAX_BATCH_BYTES;
	for (const result of results) {
		const fitting = fittingResult(result, clock);
		const size = bytesOf(fitting) + 1;
		if (batch.length > 0 && (size > left || batch.length === MAX_BATCH)) {
			yield batch;
			[batch, left] = [[], MAX_BATCH_BYTES];
		}
		batch.push(fitting);
		left -= size;
	}
	if (batch.length > 0) yield batch;
}

function fittingResult({ startedAt, endedAt, steps, ...rest }: ReportedTest, clock: DashboardClock): NewTestResult {
	const { message, stack } = rest;
	return {
		...rest,
		...(startedAt == null ? {} : { startedAt: textOf(startedAt, clock) }),
		...(endedAt == null ? {} : { endedAt: textOf(endedAt, clock) }),
		...(message == null ? {} : { message: message.slice(0, MAX_TEXT) }),
		...(stack == null ? {} : { stack: stack.slice(0, MAX_TEXT) }),
		...(steps == null ? {} : { steps: fittingSteps(steps, clock) }),
	};
}

const textOf = (time: Time, clock: DashboardClock): string =>
	typeof time === "string" ? time : clock.timeOf(time).toISOString();

/**
 * The first steps, and the failed ones, for which a part is reserved. Each of the others becomes a null at the end: the
 * dashboard counts items that are not steps.
 */
function fittingSteps(steps: readonly ReportedStep[], clock: DashboardClock): unknown[] {
	const reserved = Math.min(MAX_STEPS / 2, failuresIn(steps));
	const ofFailed = { count: reserved, bytes: MAX_STEPS_BYTES / 2 };
	const ofOthers = { count: MAX_STEPS - reserved, bytes: MAX_STEPS_BYTES / 2 };
	let leftOut = 0;
	const cut = (sent: readonly ReportedStep[]): unknown[] =>
		sent.flatMap((step) => {
			const { steps: inner = [], startedAt, endedAt, ...rest } = step;
			const own = {
				...rest,
				...(startedAt == null ? {} : { startedAt: textOf(startedAt, clock) }),
				...(endedAt == null ? {} : { endedAt: textOf(endedAt, clock) }),
			};
			const bytes = bytesOf(own) + 12;
			const left = failuresIn([step]) > 0 ? ofFailed : ofOthers;
			if (left.count === 0 || left.bytes < bytes) {
				leftOut += countOf([step]);
				return [];
			}
			left.count -= 1;
			left.bytes -= bytes;
			return [inner.length === 0 ? own : { ...own, steps: cut(inner) }];
		});
	const kept = cut(steps);
	return [...kept, ...Array(Math.min(leftOut, MAX_LEFT_OUT)).fill(null)];
}

/** Steps that failed, and those around them. */
function failuresIn(steps: readonly ReportedStep[]): number {
	return steps.reduce((sum, { outcome, steps: inner = [] }) => {
		const within = failuresIn(inner);
		return sum + within + (within > 0 || outcome === "failed" || outcome === "error" ? 1 : 0);
	}, 0);
}

/** The number of steps, including nested ones. */
const countOf = (steps: readonly ReportedStep[]): number =>
	steps.reduce((sum, { steps: inner = [] }) => sum + 1 + countOf(inner), 0);

/** Reports results of a job or a test run. @returns them in the same order. */
export async function reportTests(
	http: Http,
	path: string,
	results: readonly ReportedTest[],
	options: CallOptions,
): Promise<TestResult[]> {
	// Times of this machine's clock need the dashboard's.
	await http.timeOf(new Date(), options);
	const stored: TestResult[] = [];
	for (const body of batchesOf(results, http.clock)) {
		// Each has a key, so that sending it twice changes nothing.
		const { data } = await http.call<TestResultList>("POST", path, { ...options, body, repeatable: true });
		stored.push(...data);
	}
	return stored;
}

/** Test results of the organization. `jobs.addTests()` and `testRuns.addTests()` report them. */
export class Tests {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/** Test results, the newest first, with the beginning of their stacks and steps. */
	list(filter: TestFilter = {}, options: CallOptions = {}): List<TestResult> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/tests", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Gets one result with all its stored data. */
	get(resultId: number, options: CallOptions = {}): Promise<TestResultDetail> {
		return this.#http.call("GET", `/v1/tests/${resultId}`, options);
	}

	/** Attaches a file to a result, such as a screenshot or a trace: at most 20, of at most 256 MiB each. */
	addAttachment(resultId: number, file: NewAttachment, options: CallOptions = {}): Promise<Attachment> {
		return addAttachment(this.#http, { testResultId: resultId }, file, options);
	}

	/** Deletes an attachment of a result or of a test run, for good. */
	async deleteAttachment(attachmentId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/attachments/${attachmentId}`, options);
	}

	/** Tests, each with a summary of its newest results: pass rate, flakiness, duration. */
	summaries(filter: TestSummaryFilter = {}, options: CallOptions = {}): List<ListedTest> {
		return new List(
			(cursor) => this.#http.call("GET", "/v1/test-summaries", { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Results of one test over time, with a summary. Its first page; `cursor` is for the next. */
	history(filter: TestHistoryFilter, options: CallOptions = {}): Promise<TestHistory> {
		return this.#http.call("GET", "/v1/test-history", { ...options, query: filter });
	}
}
