/** `GET /v1/test-summaries`: all tests of the organization, each with a summary of its newest results. */
import * as z from "zod";
import "./no-eval.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, timestampSchema } from "./primitives.ts";
import { orderParam, testSearchParam } from "./query-params.ts";
import { OUTCOMES } from "./recording-kinds.ts";
import { testSchema } from "./test-result.ts";

/** A summary is of so many results that have ended. */
export const RECENT_RESULTS = 30;

/** The outcome of a result, without the rest of it. */
export const recentResultSchema = z.object({
	id: idSchema,
	outcome: z.enum(OUTCOMES),
	flaky: z.boolean(),
	startedAt: timestampSchema,
	durationSeconds: z.number().nullable(),
});
export type RecentResult = z.infer<typeof recentResultSchema>;

export const listedTestSchema = testSchema.extend({
	/** The outcome of the newest ended result; null without any. */
	outcome: z.enum(OUTCOMES).nullable(),
	/** Whether that result is a failure that the test did not have before, with this cause on this branch. */
	new: z.boolean(),
	/** Whether the times of that result are not exact. */
	isApproximate: z.boolean(),
	/** Number of the newest 30 results that passed or failed; the numbers that follow count these. */
	results: z.int(),
	/** A share from 0 to 1, like the next one; null without results. */
	passRate: z.number().nullable(),
	flakyRate: z.number().nullable(),
	/** The median; null if none has a duration. */
	durationSeconds: z.number().nullable(),
	/** The median of the newest 10, less that of the 20 before; 0 if one of these has fewer than 5 durations. */
	durationChangeSeconds: z.number(),
	/** The member who looks after its failures. */
	owner: z.object({ userId: idSchema, name: z.string() }).nullable(),
	/** The newest results that have ended, at most 30, the newest first. */
	recent: z.array(recentResultSchema),
});
export type ListedTest = z.infer<typeof listedTestSchema>;
export const listedTestPageSchema = pageOf(listedTestSchema);

export const TEST_SORTS = ["lastAt", "passRate", "flakyRate", "durationSeconds", "durationChangeSeconds"] as const;
export type TestSort = (typeof TEST_SORTS)[number];

export const listTestSummariesQuerySchema = z.object({
	q: testSearchParam,
	sort: z
		.enum(TEST_SORTS, { error: `Send sort as one of ${TEST_SORTS.join(", ")}, or leave it out for lastAt.` })
		.default("lastAt"),
	order: orderParam,
	limit: limitParam,
	cursor: cursorParam,
});
export type ListTestSummariesQuery = z.output<typeof listTestSummariesQuerySchema>;
