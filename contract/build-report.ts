/** A build as the report of a test run: how its tests ended, and what is different from the build before. */
import * as z from "zod";
import { timestampSchema } from "./primitives.ts";
import { triageSchema } from "./test-failure.ts";
import { testResultSchema } from "./test-result.ts";

/** A report is made of the first results that are not of tests which just passed, so many at most. */
export const MAX_REPORTED_RESULTS = 10_000;
/** A part of a report has the first results, so many at most. */
export const MAX_LISTED_RESULTS = 200;

/** A report has the first causes of failures, so many at most. */
export const MAX_REPORTED_CAUSES = 50;

/** Tests that fail in the build with the same cause. */
const reportedCauseSchema = z.object({
	/** Null for failures without a message. */
	cause: z.string().nullable(),
	/** The reason of the failure of `first`, or a sentence if it has no message. */
	title: z.string(),
	tests: z.int(),
	/** Tests that did not fail with this cause in the build before. */
	newTests: z.int(),
	/** One of the tests: of the new ones, if there are any. */
	first: testResultSchema.pick({
		id: true,
		testId: true,
		jobId: true,
		recordingId: true,
		testRunId: true,
		test: true,
		file: true,
		line: true,
		project: true,
		hasFrame: true,
		failureOffsetSeconds: true,
		isApproximate: true,
	}),
	triage: triageSchema,
});
export type ReportedCause = z.infer<typeof reportedCauseSchema>;

/** Tests with something in common, each with its last result in the build. */
const partSchema = z.object({
	tests: z.int(),
	/** At most 200. */
	data: z.array(testResultSchema),
});

export const buildReportSchema = z.object({
	build: z.string(),
	/** The branch and the commit of the newest result; null if it has none, or there is no result. */
	branch: z.string().nullable(),
	commit: z.string().nullable(),
	/** Its label `repository`, for links to its commit. */
	repository: z.string().nullable(),
	/** The address of its CI run: its label `ci.url`. */
	ciUrl: z.string().nullable(),
	/** The first result's beginning and the last one's end; null without results, and `endedAt` while a test runs. */
	startedAt: timestampSchema.nullable(),
	endedAt: timestampSchema.nullable(),
	/** Tests, counted by the last result of each. `passed` includes the tests of `flaky`. */
	tests: z.object({
		all: z.int(),
		passed: z.int(),
		failed: z.int(),
		error: z.int(),
		skipped: z.int(),
		running: z.int(),
	}),
	/** Whether tests that did not just pass have more than 10,000 results; those behind them count as passed. */
	isMore: z.boolean(),
	/**
	 * The build that this one is compared with: the last one before it in its series, on its branch, or else on the default
	 * branch; null if there is none. A series has the same labels `repository` and `workflow`, or names that differ in their last
	 * number.
	 */
	previous: z.string().nullable(),
	/** The branch of that build. */
	previousBranch: z.string().nullable(),
	/** Tests that fail now, and did not in the build before. */
	newlyFailing: partSchema,
	/** Tests that fail in both. */
	stillFailing: partSchema,
	/** Tests that passed, and failed in the build before. */
	fixed: partSchema,
	/** Tests that passed at last, and failed for the same commit or before a retry. */
	flaky: partSchema,
	/** Why tests fail now: causes of most new tests first. */
	causes: z.object({
		all: z.int(),
		/** Causes with new tests. */
		new: z.int(),
		/** Tests that did not fail with the same cause in the build before. */
		newTests: z.int(),
		/** At most 50. */
		data: z.array(reportedCauseSchema),
	}),
});
export type BuildReport = z.infer<typeof buildReportSchema>;
