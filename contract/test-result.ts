/** Test results: what became of one attempt of one test, which outlives the video that shows it. */
import * as z from "zod";
import { attachmentSchema } from "./attachment.ts";
import { deletedOfJobSchema } from "./deleted-recording.ts";
import { storedLabelsSchema } from "./labels.ts";
import { clampedToSchema } from "./marker.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage, sanitizeName } from "./plain-text.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { idParam, instantParam, searchParam } from "./query-params.ts";
import { isFailure, OUTCOMES } from "./recording-kinds.ts";

export const MAX_RESULTS_OF_A_CALL = 1_000;
/** Characters of a test's title, its suite and its file. What is longer is cut; see `sanitizeTitle`. */
export const MAX_TEST_TITLE = 1_000;
export const MAX_TEST_PROJECT = 200;
export const MAX_RESULT_KEY = 500;
/** UTF-8 bytes of a stack. A message has MAX_MESSAGE_BYTES. */
export const MAX_STACK_BYTES = 32 * 1024;
export const MAX_STEPS = 2_000;
export const MAX_STEP_DEPTH = 8;
export const MAX_STEP_TITLE = 500;
/** UTF-8 bytes of a step's message. */
export const MAX_STEP_MESSAGE_BYTES = 2 * 1024;
/** A list shows so many steps of each result, and so many bytes of its stack: `GET /v1/tests/{id}` has all. */
export const MAX_LISTED_STEPS = 100;
export const MAX_LISTED_STACK_BYTES = 4 * 1024;

const TIME = "as an RFC 3339 time, such as 2026-11-21T01:12:00.250Z";
const timeSchema = (name: string) =>
	z.iso
		.datetime({ offset: true, error: `Send ${name} ${TIME}, or leave it out.` })
		.transform((value) => Date.parse(value))
		.nullish();

/**
 * The nearest valid title, of one line. Titles that differ only behind the longest length stay different: the end of one
 * that is cut is a number made of the whole.
 */
export function sanitizeTitle(text: string, max = MAX_TEST_TITLE): string {
	const whole = sanitizeName(text.replace(/\s+/g, " "), text.length);
	if (whole.length <= max) return whole;
	let hash = 0xcbf29ce484222325n;
	for (const byte of new TextEncoder().encode(whole)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
	return `${sanitizeName(whole, max - 18)} …${hash.toString(16).padStart(16, "0")}`;
}

const title = (name: string, max = MAX_TEST_TITLE) =>
	z
		.string({ error: `Send ${name} as text, or leave it out.` })
		.transform((text) => sanitizeTitle(text, max) || null)
		.nullish();
const text = (name: string, maxBytes: number) =>
	z
		.string({ error: `Send ${name} as text, or leave it out.` })
		.transform((text) => sanitizeMessage(text, maxBytes))
		.nullish();

const outcomeSchema = z
	.enum(OUTCOMES, { error: `Send outcome as one of ${OUTCOMES.join(", ")}, or leave it out while the test runs.` })
	.nullish();

/** A step as it is sent, with any content: an entry that is no step is left out, and counted in `stepsLeftOut`. */
interface SentStep {
	title?: unknown;
	category?: unknown;
	startedAt?: unknown;
	endedAt?: unknown;
	/** Instead of `startedAt`, if the video is known. */
	offsetSeconds?: unknown;
	durationSeconds?: unknown;
	outcome?: unknown;
	message?: unknown;
	steps?: unknown;
}

/** A step as it is stored: times in milliseconds since 1970. */
export interface StoredStep {
	title: string;
	category: string | null;
	startedAt: number | null;
	durationMs: number | null;
	outcome: (typeof OUTCOMES)[number] | null;
	message: string | null;
	steps: StoredStep[];
}

/**
 * Steps cannot make a result be refused: a test of 50,000 steps has the first ones, and says how many it lacks.
 * @param from the time of a video's first frame, from which offsets count; null if steps have times.
 */
export function readSteps(sent: unknown, from: number | null = null): { steps: StoredStep[]; leftOut: number } {
	let left = MAX_STEPS;
	let leftOut = 0;
	const countOf = (steps: unknown): number =>
		Array.isArray(steps) ? steps.reduce((sum: number, step: SentStep | null) => sum + 1 + countOf(step?.steps), 0) : 0;
	const read = (steps: unknown, depth: number): StoredStep[] => {
		if (!Array.isArray(steps)) return [];
		if (depth > MAX_STEP_DEPTH) {
			leftOut += countOf(steps);
			return [];
		}
		return steps.flatMap((step: SentStep | null): StoredStep[] => {
			if (left === 0 || typeof step !== "object" || step === null || typeof step.title !== "string") {
				leftOut += 1 + countOf(step?.steps);
				return [];
			}
			left -= 1;
			const offset = step.offsetSeconds;
			const startedAt =
				from !== null && typeof offset === "number" && Number.isFinite(offset)
					? from + Math.round(offset * 1_000)
					: momentOf(step.startedAt);
			const endedAt = momentOf(step.endedAt);
			const seconds = step.durationSeconds;
			const durationMs =
				typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0
					? Math.round(seconds * 1_000)
					: startedAt !== null && endedAt !== null && endedAt >= startedAt
						? endedAt - startedAt
						: null;
			return [
				{
					title: sanitizeTitle(step.title, MAX_STEP_TITLE) || "(no title)",
					category: typeof step.category === "string" ? sanitizeName(step.category, 50) || null : null,
					startedAt,
					durationMs,
					outcome: OUTCOMES.find((outcome) => outcome === step.outcome) ?? null,
					message: typeof step.message === "string" ? sanitizeMessage(step.message, MAX_STEP_MESSAGE_BYTES) : null,
					steps: read(step.steps, depth + 1),
				},
			];
		});
	};
	return { steps: read(sent, 1), leftOut };
}

/** The end of the innermost step that failed first; without one, the end of the test. Hooks that follow show something else. */
export function failureMomentOf(steps: readonly StoredStep[], end: number): number {
	for (const step of steps) {
		if (hasFailedStep(step.steps)) return failureMomentOf(step.steps, end);
		if (!isFailure(step.outcome)) continue;
		if (step.startedAt === null) return end;
		return Math.min(end, step.startedAt + (step.durationMs ?? 0));
	}
	return end;
}

const hasFailedStep = (steps: readonly StoredStep[]): boolean =>
	steps.some(({ outcome, steps: inner }) => isFailure(outcome) || hasFailedStep(inner));

function momentOf(value: unknown): number | null {
	const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? null : ms;
}

const KEY = `Send key as text of 1 to ${MAX_RESULT_KEY} characters: it distinguishes the results of this job or test run, and a result that is sent again under its key replaces itself.`;
const TEST = "Send test as the test's title with its suite, such as Login › wrong password.";
const STEPS = "Send steps as a list, or leave it out.";

export const newTestResultSchema = z
	.strictObject({
		key: plainText("key", KEY).min(1, { error: KEY }).max(MAX_RESULT_KEY, { error: KEY }),
		/** The identity over time, together with `project` and the repository: suite › title, with parameters. */
		test: z
			.string({ error: TEST })
			.transform((text) => sanitizeTitle(text))
			.refine((text) => text !== "", { error: TEST }),
		suite: title("suite"),
		file: title("file"),
		line: z.int({ error: "Send line as a whole number, or leave it out." }).min(0).max(1_000_000_000).nullish(),
		/** For example a browser; the same test of another project is another test. */
		project: title("project", MAX_TEST_PROJECT),
		attempt: z
			.int({ error: "Send attempt as 1 for the first run of the test, 2 for its first retry, and so on." })
			.min(1, { error: "Send attempt as 1 or more: 1 is the first run of the test." })
			.max(1_000, { error: "Send attempt as at most 1,000." })
			.default(1),
		/** Left out while the test runs: send the result again under its key when it has ended. */
		outcome: outcomeSchema,
		startedAt: timeSchema("startedAt"),
		endedAt: timeSchema("endedAt"),
		/** The times are about: the page says so, and no link leads to a second of them. */
		isApproximate: z
			.boolean({ error: "Send isApproximate as true if the times are not exact, or leave it out." })
			.optional(),
		message: text("message", MAX_MESSAGE_BYTES),
		stack: text("stack", MAX_STACK_BYTES),
		steps: z
			.array(z.unknown(), { error: STEPS })
			// More do not fit into a call.
			.max(500_000, { error: STEPS })
			.transform((steps) => readSteps(steps))
			.nullish(),
	})
	.refine(({ startedAt, endedAt }) => startedAt == null || endedAt == null || endedAt >= startedAt, {
		path: ["endedAt"],
		error: "Send endedAt as a time at or after startedAt.",
	});
export type NewTestResult = z.output<typeof newTestResultSchema>;

const RESULTS = `Send a list of 1 to ${MAX_RESULTS_OF_A_CALL} test results.`;
export const createTestResultsBodySchema = z
	.array(newTestResultSchema, { error: RESULTS })
	.min(1, { error: RESULTS })
	.max(MAX_RESULTS_OF_A_CALL, { error: RESULTS });

export interface TestStep {
	title: string;
	/** For example `hook`, `expect` or `pw:api`; null if the tool has none. */
	category: string | null;
	/** Seconds from the first frame of the recording; null if unknown. */
	offsetSeconds: number | null;
	durationSeconds: number | null;
	outcome: (typeof OUTCOMES)[number] | null;
	message: string | null;
	steps: TestStep[];
}
export const testStepSchema: z.ZodType<TestStep> = z.object({
	title: z.string(),
	category: z.string().nullable(),
	offsetSeconds: z.number().nullable(),
	durationSeconds: z.number().nullable(),
	outcome: z.enum(OUTCOMES).nullable(),
	message: z.string().nullable(),
	get steps() {
		return z.array(testStepSchema);
	},
});

export const testResultSchema = z.object({
	id: idSchema,
	/** Null for those of an uploaded recording or a test run. */
	jobId: idSchema.nullable(),
	/** Null unless a test run has reported it, without a job. */
	testRunId: idSchema.nullable(),
	/** Null if nothing was recorded, or it was deleted. */
	recordingId: idSchema.nullable(),
	/** The test over time: `GET /v1/test-history?testId=…`, and the page `/tests/{testId}`. */
	testId: idSchema,
	key: z.string(),
	test: z.string(),
	suite: z.string().nullable(),
	file: z.string().nullable(),
	line: z.int().nullable(),
	project: z.string().nullable(),
	/** From 1. */
	attempt: z.int(),
	/** Null while the test runs. */
	outcome: z.enum(OUTCOMES).nullable(),
	startedAt: timestampSchema,
	/** Null while it runs, and if nobody said. */
	endedAt: timestampSchema.nullable(),
	/** Its start in the video, in seconds from the first frame; null before the first frame. */
	offsetSeconds: z.number().nullable(),
	clampedTo: clampedToSchema,
	/** Whether its times are not exact, such as those of most JUnit reports: it may have failed earlier or later. */
	isApproximate: z.boolean(),
	durationSeconds: z.number().nullable(),
	/** The time at which the video shows the failure: the end of the step that failed, or of the test; null unless it failed. */
	failureOffsetSeconds: z.number().nullable(),
	message: z.string().nullable(),
	/** The line that tells the failure apart: `#total: expected 80.10, received 89.00`; null unless it failed for a reason. */
	reason: z.string().nullable(),
	/** A list has its first 4 KiB. */
	stack: z.string().nullable(),
	/** A list has at most 100 of each result. */
	steps: z.array(testStepSchema),
	/** Steps that are not in `steps`. */
	stepsLeftOut: z.int(),
	/** The same for failures of the same bug, by their message, stack, file and test; null for what passed. */
	cause: z.string().nullable(),
	/** The same for failures that ended on the same screen; null until its frame was looked at, and without one. */
	screen: z.string().nullable(),
	/** Whether there is a picture of the moment of the failure: `GET /v1/tests/{id}/frame`. It outlives the video. */
	hasFrame: z.boolean(),
	/** Number of its files: `attachments` of `GET /v1/tests/{id}`. */
	attachmentCount: z.int(),
	/** Passed and failed for the same commit, or passed on a retry. */
	flaky: z.boolean(),
	/** A failure that this test did not have before, with this cause on this branch. */
	new: z.boolean(),
	/** Labels of its recording, job or test run. */
	labels: storedLabelsSchema,
	/** Outcomes that it had before, the last one last: a result was sent again with another one. */
	changes: z.array(z.object({ at: timestampSchema, outcome: z.enum(OUTCOMES).nullable() })),
	/** Why there is no video any more; null unless it was deleted. */
	deletedRecording: deletedOfJobSchema.nullable(),
});
export type TestResult = z.infer<typeof testResultSchema>;
/** The result that `GET /v1/tests/{id}` returns. */
export const testResultDetailSchema = testResultSchema.extend({ attachments: z.array(attachmentSchema) });
export type TestResultDetail = z.infer<typeof testResultDetailSchema>;
export const testResultPageSchema = pageOf(testResultSchema);
/** Results of one call, in its order. */
export const testResultListSchema = z.object({ data: z.array(testResultSchema) });

/** So many of 64 bits differ at most. */
const NEAR_BITS = 5;

/** The hash of a failure's frame (`screen`), as it is compared with many others: its upper and its lower 32 bits. */
export type ScreenHash = readonly [number, number];
/** @param hash 16 hexadecimal digits. */
export const screenHash = (hash: string): ScreenHash => [
	Number.parseInt(hash.slice(0, 8), 16),
	Number.parseInt(hash.slice(8), 16),
];

/** Whether the frames of two failures show the same screen. */
export const isSameScreen = (one: ScreenHash, other: ScreenHash): boolean =>
	bitsOf(one[0] ^ other[0]) + bitsOf(one[1] ^ other[1]) <= NEAR_BITS;

/** Counts the bits that are set among 32: pairs are added, then fours, then bytes. */
function bitsOf(bits: number): number {
	const pairs = bits - ((bits >>> 1) & 0x55555555);
	const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
	return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export const listTestResultsQuerySchema = z.object({
	q: searchParam,
	jobId: idParam("jobId").optional(),
	recordingId: idParam("recordingId").optional(),
	testRunId: idParam("testRunId").optional(),
	lastOfBuild: plainText("lastOfBuild")
		.describe("The name of a build: each of its tests once, with its last result in this build.")
		.optional(),
	createdAfter: instantParam("createdAfter"),
	createdBefore: instantParam("createdBefore"),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListTestResultsQuery = z.output<typeof listTestResultsQuerySchema>;

/** A test over time. */
export const testSchema = z.object({
	id: idSchema,
	test: z.string(),
	suite: z.string().nullable(),
	file: z.string().nullable(),
	line: z.int().nullable(),
	project: z.string().nullable(),
	/** The label `repository` of its results; without it, the series of their builds stands for it. Null without either. */
	repository: z.string().nullable(),
	/** When its first and its last result began. */
	firstAt: timestampSchema,
	lastAt: timestampSchema,
});
export type Test = z.infer<typeof testSchema>;

/** Over the newest results, at most 1,000, that the query asks for. */
export const testSummarySchema = z.object({
	results: z.int(),
	passed: z.int(),
	failed: z.int(),
	error: z.int(),
	skipped: z.int(),
	flaky: z.int(),
	/** The median; null if none has a duration. */
	durationSeconds: z.number().nullable(),
	branches: z.array(z.string()),
	projects: z.array(z.string()),
	/** The first result of the failures that go on now; null if the newest one did not fail. */
	failingSince: z
		.object({ id: idSchema, startedAt: timestampSchema, build: z.string().nullable(), commit: z.string().nullable() })
		.nullable(),
	lastPassedId: idSchema.nullable(),
	lastFailedId: idSchema.nullable(),
});

const WHICH = "Send test, its title, or testId, its id.";
export const testHistoryQuerySchema = z
	.object({
		test: plainText("test", WHICH).optional(),
		testId: idParam("testId").optional(),
		/** Left out: all of them that have this title. */
		project: plainText("project").optional(),
		/** The repository of the test. Left out: the one whose test of this title has the newest result. */
		repository: plainText("repository").optional(),
		branch: plainText("branch").optional(),
		limit: limitParam,
		cursor: cursorParam,
	})
	.refine(({ test, testId }) => test !== undefined || testId !== undefined, { path: ["test"], error: WHICH });
export type TestHistoryQuery = z.output<typeof testHistoryQuerySchema>;

/** Results of a test, the newest first; retries are results of their own. */
export const testHistorySchema = testResultPageSchema.extend({
	/** Null if no test has this title; the newest one if several projects have it. */
	test: testSchema.nullable(),
	summary: testSummarySchema,
});
export type TestHistory = z.infer<typeof testHistorySchema>;
