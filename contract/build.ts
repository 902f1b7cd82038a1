/** Builds: the values of the label `build`, and the sums of their tests and recordings. */
import * as z from "zod";
import "./no-eval.ts";
import { MAX_LABEL_VALUE } from "./labels.ts";
import { limitParam, pageOf } from "./page.ts";
import { plainText, timestampSchema } from "./primitives.ts";
import { buildSearchParam } from "./query-params.ts";

export const BUILD_STATUSES = ["queued", "running", "failed", "passed"] as const;

export const buildSchema = z.object({
	build: z.string(),
	/** All recordings with this label; the counts that follow are of some of them. */
	recordings: z.int(),
	passed: z.int(),
	failed: z.int(),
	error: z.int(),
	skipped: z.int(),
	withoutOutcome: z.int(),
	/** By verdict. */
	black: z.int(),
	/** In progress. */
	running: z.int(),
	/** Total length of the recordings, without those in progress. */
	durationSeconds: z.number(),
	/** Jobs with this label, also those that wait or have no video. */
	jobs: z.int(),
	/** Test runs with this label: results that no job recorded. */
	testRuns: z.int(),
	/**
	 * `queued` until the first of its jobs starts; `running` while a job or a recording of it is; then `failed` if a test failed, `passed` if none did. Without tests it goes by
	 * the outcomes of its recordings. Null if nobody said how it went.
	 */
	status: z.enum(BUILD_STATUSES).nullable(),
	/** Tests, counted by the last result of each, as in the build's report; all 0 if it has no results. */
	tests: z.object({
		all: z.int(),
		passed: z.int(),
		failed: z.int(),
		error: z.int(),
		skipped: z.int(),
		running: z.int(),
		/** Tests that passed at last, and failed for the same commit or before a retry: a part of `passed`. */
		flaky: z.int(),
	}),
	/** Tests whose failures CI let through, because their causes are known: `tapedeck run --gate`. */
	letThrough: z.int(),
	/** The branch and the commit of the job or recording that was created or changed last. */
	branch: z.string().nullable(),
	commit: z.string().nullable(),
	/** Its labels `repository` and `workflow`: builds with the same are of one series. */
	repository: z.string().nullable(),
	workflow: z.string().nullable(),
	/** The first job's beginning and the last one's end; null without jobs, and `endedAt` while a job is unfinished. */
	startedAt: timestampSchema.nullable(),
	endedAt: timestampSchema.nullable(),
	/** When the first and the last of its jobs and recordings were created; that one may be deleted since. */
	firstAt: timestampSchema,
	lastAt: timestampSchema,
});
export type Build = z.infer<typeof buildSchema>;
export const buildPageSchema = pageOf(buildSchema);

export const listBuildsQuerySchema = z.object({
	limit: limitParam,
	q: buildSearchParam,
	/** Has the name of a build in it. */
	cursor: plainText("cursor").max(2_000).optional(),
});
export type ListBuildsQuery = z.output<typeof listBuildsQuerySchema>;

export const buildParamsSchema = z.object({ build: plainText("build").min(1).max(MAX_LABEL_VALUE) });
