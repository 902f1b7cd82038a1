/** Jobs on the wire: what clients send, and what every response carries. */
import * as z from "zod";
import { FAILED_REASONS, JOB_STATUSES, STOP_REASONS } from "./job-status.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";
import { idParam, instantParam, repeatable, searchParam, secondsParam } from "./query-params.ts";
import { recordingStateSchema, verdictSchema } from "./recording.ts";
import { STOP_CONDITIONS, stopConditionUnion } from "./stop-condition.ts";

export const DISPLAY_ID_PATTERN = /^:\d{1,5}$/;

export const jobNameSchema = nameSchema({ max: 200, how: ", or leave it out" });

const baseShape = {
	runnerId: z
		.int({ error: "Send the runner's id as a whole number, such as 1." })
		.positive({ error: "Send a runner's id, which is 1 or more." }),
	type: z.literal("recording", { error: 'Send "recording", or leave type out.' }).default("recording"),
	displayId: z
		.string({ error: 'Send the display as a string, such as ":99".' })
		.regex(DISPLAY_ID_PATTERN, { error: 'Send the display as a colon and a number, such as ":99".' }),
	name: jobNameSchema.optional(),
};

/** The declarative union, as documented in the OpenAPI document. */
export const createJobUnionSchema = stopConditionUnion("body", baseShape, z.strictObject);
export type CreateJob = z.output<typeof createJobUnionSchema>;
export type CreateJobBody = z.input<typeof createJobUnionSchema>;

const knownConditionSchema = z.object({ stopCondition: z.enum(STOP_CONDITIONS) });

const unknownConditionSchema = z.strictObject({
	...baseShape,
	stopCondition: z.enum(STOP_CONDITIONS, { error: `Send one of ${STOP_CONDITIONS.map((c) => `"${c}"`).join(", ")}.` }),
	stopConditionConfig: z.unknown().optional(),
});

/**
 * The body of `POST /v1/jobs`. A discriminated union stops at an unknown discriminator and would not report the
 * other faults; in that case the shared fields are validated on their own.
 */
export const createJobBodySchema = z.unknown().transform((input, ctx): CreateJob => {
	const result = createJobUnionSchema.safeParse(input);
	if (result.success) return result.data;
	const isKnown = knownConditionSchema.safeParse(input).success;
	const { issues } = (isKnown ? undefined : unknownConditionSchema.safeParse(input).error) ?? result.error;
	for (const issue of issues) ctx.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
	return z.NEVER;
});

/** Who requested a job. */
export const creatorSchema = z.object({
	kind: z.enum(["user", "apiKey", "runner"]),
	id: idSchema,
	name: z.string(),
});

export const jobErrorSchema = z.object({ code: z.enum(FAILED_REASONS), message: z.string() });

export const jobRecordingSchema = z.object({
	id: idSchema,
	state: recordingStateSchema,
	url: z.string(),
	durationSeconds: z.number(),
	bytes: z.int(),
	width: z.int().nullable(),
	height: z.int().nullable(),
	verdict: verdictSchema,
});

const jobShape = {
	id: idSchema,
	organizationId: idSchema,
	runnerId: idSchema,
	type: z.literal("recording"),
	displayId: z.string(),
	name: z.string(),
	status: z.enum(JOB_STATUSES),
	stopReason: z.enum(STOP_REASONS).nullable(),
	error: jobErrorSchema.nullable(),
	createdAt: timestampSchema,
	startedAt: timestampSchema.nullable(),
	stoppedAt: timestampSchema.nullable(),
	endedAt: timestampSchema.nullable(),
	cancelRequestedAt: timestampSchema.nullable(),
	createdBy: creatorSchema.nullable(),
	recording: jobRecordingSchema.nullable(),
};

/** A job in responses. */
export const jobSchema = stopConditionUnion("publicConfig", jobShape);
export type Job = z.infer<typeof jobSchema>;
export const jobPageSchema = pageOf(jobSchema);

export const listJobsQuerySchema = z.object({
	status: repeatable(
		z.enum(JOB_STATUSES, { error: `Send status as one of ${JOB_STATUSES.join(", ")}; repeat it for several.` }),
	),
	runnerId: idParam("runnerId").optional(),
	stopCondition: z
		.enum(STOP_CONDITIONS, { error: `Send stopCondition as one of ${STOP_CONDITIONS.join(", ")}.` })
		.optional(),
	q: searchParam,
	createdAfter: instantParam("createdAfter"),
	createdBefore: instantParam("createdBefore"),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListJobsQuery = z.output<typeof listJobsQuerySchema>;

export const WAIT_FOR = ["recording", "ended", "playable"] as const;
export type WaitFor = (typeof WAIT_FOR)[number];
export const readJobQuerySchema = z.object({
	waitFor: z.enum(WAIT_FOR, { error: `Send waitFor as one of ${WAIT_FOR.join(", ")}.` }).optional(),
	timeoutSeconds: secondsParam("timeoutSeconds", 0, 60).default(30),
});

/** One entry of a job's history. The content of `data` (observations, reasons, who) depends on the type. */
export const jobEventSchema = z.object({
	id: idSchema,
	type: z.string(),
	at: timestampSchema,
	message: z.string(),
	data: z.record(z.string(), z.unknown()),
});
export type JobEvent = z.infer<typeof jobEventSchema>;
export const jobEventPageSchema = pageOf(jobEventSchema);
