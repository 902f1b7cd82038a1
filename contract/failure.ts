/** Failures since a person last looked, and the recordings that they are compared with. */
import * as z from "zod";
import { deletedOfJobSchema } from "./deleted-recording.ts";
import { jobErrorSchema } from "./job.ts";
import { JOB_STATUSES, STOP_REASONS } from "./job-status.ts";
import { MAX_LABEL_VALUE, outcomeSchema, storedLabelsSchema } from "./labels.ts";
import { clampedToSchema } from "./marker.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { instantParam } from "./query-params.ts";
import { recordingSchema } from "./recording.ts";

/** The first marker of the kind `fail`. */
export const failMarkerSchema = z.object({
	label: z.string(),
	/** Several lines, such as the error of the test. */
	message: z.string().nullable(),
	/** Seconds from the first frame. */
	offsetSeconds: z.number(),
	clampedTo: clampedToSchema,
});

/**
 * A recording whose outcome is `failed` or `error`, that is black or frozen, or whose job failed; or a job that failed
 * without a recording.
 */
export const failureSchema = z.object({
	id: idSchema,
	/** When that became known. */
	failedAt: timestampSchema,
	name: z.string(),
	labels: storedLabelsSchema,
	outcome: outcomeSchema.nullable(),
	runnerId: idSchema.nullable(),
	/** Null for an uploaded recording. */
	job: z
		.object({
			id: idSchema,
			status: z.enum(JOB_STATUSES),
			stopReason: z.enum(STOP_REASONS).nullable(),
			error: jobErrorSchema.nullable(),
		})
		.nullable(),
	/** Null if nothing was recorded, or it was deleted. */
	recording: recordingSchema.nullable(),
	/** Null unless its recording was deleted. */
	deletedRecording: deletedOfJobSchema.nullable(),
	failMarker: failMarkerSchema.nullable(),
});
export type Failure = z.infer<typeof failureSchema>;
export const failurePageSchema = pageOf(failureSchema);

export const listFailuresQuerySchema = z.object({
	failedAfter: instantParam("failedAfter"),
	failedBefore: instantParam("failedBefore"),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListFailuresQuery = z.output<typeof listFailuresQuerySchema>;

/** Up to when the caller has seen what failed, or those of a group; null if they never said so. */
export const failuresSeenSchema = z.object({ seenAt: timestampSchema.nullable() });
export type FailuresSeen = z.infer<typeof failuresSeenSchema>;
const SEEN_AT = "Send seenAt as the failedAt of the last failure that was seen, or null.";
const ONE_GROUP = "Send one of cause, test, build and screen, or none of them for all failures.";
export const failuresSeenBodySchema = z
	.strictObject({
		seenAt: z.iso
			.datetime({ offset: true, error: SEEN_AT })
			.transform((value) => Date.parse(value))
			.nullable(),
		/** Only those of one group, by its key in `GET /v1/test-failures`. */
		cause: plainText("cause").min(1).max(64).optional(),
		test: z
			.string()
			.regex(/^[1-9]\d{0,15}$/, { error: "Send test as the id of a test." })
			.optional(),
		build: plainText("build").min(1).max(MAX_LABEL_VALUE).optional(),
		screen: z
			.string()
			.regex(/^[0-9a-f]{16}$/, { error: "Send screen as 16 hexadecimal digits." })
			.optional(),
	})
	.refine(({ seenAt: _, ...groups }) => Object.keys(groups).length <= 1, { error: ONE_GROUP });
export type FailuresSeenBody = z.output<typeof failuresSeenBodySchema>;

/** The last recording of the same test before this one that passed. */
export const lastPassedSchema = z.object({
	/** Null if there is none, or it was deleted. */
	recording: recordingSchema.nullable(),
	/** The common property of both: the label `test`, or the name if this recording has no such label. */
	matchedBy: z.enum(["test", "name"]),
	/** Whether both have the same label `branch`. If not, the last ones have none that passed on that branch. */
	sameBranch: z.boolean(),
});
export type LastPassed = z.infer<typeof lastPassedSchema>;
