/** Failures of tests in groups: what they have in common, who looks after it, and for how long it is muted. */
import * as z from "zod";
import { recentResultSchema } from "./listed-test.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { instantParam, intParam, searchParam } from "./query-params.ts";
import { testResultSchema } from "./test-result.ts";

/** `screen`: those whose last frames look the same. */
export const FAILURE_GROUPINGS = ["cause", "test", "build", "screen"] as const;
export type FailureGrouping = (typeof FAILURE_GROUPINGS)[number];

/** Groups are made of the newest failures, so many at most. */
export const MAX_GROUPED_FAILURES = 1_000;

/** Decisions of people about a cause, or about a test. */
export const triageSchema = z.object({
	assignee: z.object({ userId: idSchema, name: z.string() }).nullable(),
	/** Null unless it is muted now. */
	mutedUntil: timestampSchema.nullable(),
	muteReason: z.string().nullable(),
	mutedBy: z.string().nullable(),
	/** Whether CI passes in spite of it while it is muted: `tapedeck run --gate`. */
	letsPass: z.boolean(),
});
export type Triage = z.infer<typeof triageSchema>;

/** Causes that let CI pass now, the one whose mute ends first at the front. */
export const lettingPassSchema = z.object({
	data: z.array(
		z.object({
			cause: z.string(),
			/** The reason of the newest failure; null if there is none any more. */
			title: z.string().nullable(),
			/** The newest failure. */
			newest: testResultSchema.pick({ id: true, testId: true, recordingId: true, test: true }).nullable(),
			/** Failed results of the last 7 days. */
			failures: z.int(),
			triage: triageSchema,
		}),
	),
});
export type LettingPass = z.infer<typeof lettingPassSchema>;

export const failureGroupSchema = z.object({
	/** A cause, a test's id, a build or a screen; null for those that have none. */
	key: z.string().nullable(),
	/** Title of the group: the newest failure's reason, the test's title, the build. */
	title: z.string(),
	/** Failed attempts. */
	failures: z.int(),
	/** Tests that failed. */
	tests: z.int(),
	builds: z.int(),
	/** Each of `tests` is one of these, by its newest failure. */
	new: z.int(),
	known: z.int(),
	flaky: z.int(),
	/** Tests with failures since the caller's last mark as seen, or of the last week without one. API keys have seen none. */
	unseen: z.int(),
	firstAt: timestampSchema,
	lastAt: timestampSchema,
	/** When the newest of them became known, for `PUT /v1/failures/seen` with the group's key. */
	newestAt: timestampSchema,
	/** The newest. */
	newest: testResultSchema,
	/** Outcomes of the newest results of that test, at most 30, the newest first. */
	recent: z.array(recentResultSchema),
	/** Only of groupings by cause and by test. */
	triage: triageSchema.nullable(),
});
export type FailureGroup = z.infer<typeof failureGroupSchema>;

export const listFailureGroupsQuerySchema = z.object({
	by: z
		.enum(FAILURE_GROUPINGS, { error: `Send by as one of ${FAILURE_GROUPINGS.join(", ")}, or leave it out for cause.` })
		.default("cause"),
	q: searchParam,
	failedAfter: instantParam("failedAfter"),
	failedBefore: instantParam("failedBefore"),
	/** Also those that are muted. */
	muted: z.enum(["yes", "no"], { error: "Send muted as yes or no." }).default("no"),
	limit: intParam("limit", 1, MAX_GROUPED_FAILURES).default(100),
});
export type ListFailureGroupsQuery = z.output<typeof listFailureGroupsQuerySchema>;

export const failureGroupListSchema = z.object({
	by: z.enum(FAILURE_GROUPINGS),
	/** Failed attempts in all groups, also those beyond the limit. */
	failures: z.int(),
	/** Tests that failed in these groups. */
	tests: z.int(),
	groups: z.int(),
	/** Number of groups that are hidden because they are muted. */
	muted: z.int(),
	/** Tests with failures since the caller's last mark as seen, also those of groups beyond the limit. */
	unseen: z.int(),
	/** When the newest of all of them became known, for `PUT /v1/failures/seen`; null without any. */
	newestAt: timestampSchema.nullable(),
	/** Whether there are older failures, which no group counts. */
	isMore: z.boolean(),
	data: z.array(failureGroupSchema),
});
export type FailureGroupList = z.infer<typeof failureGroupListSchema>;

const REASON = "Send reason as text of at most 500 characters: why this may fail without anybody looking.";
export const triageBodySchema = z
	.strictObject({
		/** The subject of the decision: a cause, or a test. */
		cause: plainText("cause").min(1).max(64).optional(),
		testId: idSchema.optional(),
		/** A member's user id; null for nobody; left out, it stays. */
		assigneeUserId: idSchema.nullable().optional(),
		/** The end of the mute, which needs a reason; null ends it now; left out, it stays. */
		mutedUntil: z.iso
			.datetime({ offset: true, error: "Send mutedUntil as an RFC 3339 time at which it ends, or null." })
			.transform((value) => Date.parse(value))
			.nullable()
			.optional(),
		/** Whether CI passes in spite of the cause until then. Left out with mutedUntil, it does not; false ends that, and the mute stays. */
		letsPass: z.boolean({ error: "Send letsPass as true or false." }).optional(),
		reason: plainText("reason", REASON).trim().min(1, { error: REASON }).max(500, { error: REASON }).optional(),
	})
	.refine(({ letsPass, cause }) => letsPass !== true || cause !== undefined, {
		path: ["letsPass"],
		error: "Send letsPass with a cause: a test that fails for another reason must not pass.",
	})
	.refine(({ letsPass, mutedUntil }) => letsPass !== true || mutedUntil != null, {
		path: ["mutedUntil"],
		error: "Send mutedUntil with letsPass: when it ends.",
	})
	.refine(({ cause, testId }) => (cause === undefined) !== (testId === undefined), {
		error: "Send either cause or testId.",
	})
	.refine(({ mutedUntil, reason }) => mutedUntil == null || reason !== undefined, {
		path: ["reason"],
		error: "Send a reason with mutedUntil.",
	});
export type TriageBody = z.output<typeof triageBodySchema>;
