/** Jobs on the wire: what a client sends, what every answer carries. */
import * as z from "zod";
import {
	cursorParam,
	idParam,
	idSchema,
	instantParam,
	limitParam,
	nameSchema,
	pageOf,
	repeatable,
	searchParam,
	secondsParam,
	timestampSchema,
} from "./page.ts";
import { recordingStateSchema, verdictSchema } from "./recording.ts";
import {
	durationConfigSchema,
	interruptConfigSchema,
	publicStopRuleSchema,
	STOP_CONDITIONS,
	seleniumIdleConfigSchema,
} from "./stop-condition.ts";

export const JOB_STATUSES = [
	"queued",
	"starting",
	"recording",
	"uploading",
	"completed",
	"failed",
	"cancelled",
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
export const ENDED_STATUSES = ["completed", "failed", "cancelled"] as const satisfies readonly JobStatus[];

export const isEnded = (status: JobStatus): boolean => (ENDED_STATUSES as readonly JobStatus[]).includes(status);

/** Reasons that end a job as `completed`. */
export const COMPLETED_REASONS = [
	"duration_elapsed",
	"cancelled",
	"selenium_idle",
	"runner_shutdown",
	"grid_unreachable",
] as const;
/** Reasons that end a job as `failed`; the same word is the `error.code`. */
export const FAILED_REASONS = [
	"display_lost",
	"display_unavailable",
	"storage_full",
	"runner_lost",
	"runner_removed",
	"grid_unauthorized",
	"grid_not_recognised",
	"grid_not_allowed",
	"not_supported",
	"ffmpeg_failed",
] as const;
export const STOP_REASONS = [...COMPLETED_REASONS, ...FAILED_REASONS] as const;
export type CompletedReason = (typeof COMPLETED_REASONS)[number];
export type FailedReason = (typeof FAILED_REASONS)[number];
export type StopReason = (typeof STOP_REASONS)[number];

export const isFailedReason = (reason: StopReason): reason is FailedReason =>
	(FAILED_REASONS as readonly StopReason[]).includes(reason);

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

const withRule = <C extends string, S extends z.ZodType>(condition: C, config: S) =>
	z.strictObject({ ...baseShape, stopCondition: z.literal(condition), stopConditionConfig: config });

/** A configuration that was left out is judged like an empty one, so that the fault names the field that is missing. */
const orEmpty = <S extends z.ZodType>(config: S) => z.preprocess((value) => (value === undefined ? {} : value), config);

/** The declarative union, as the contract document shows it. */
export const createJobUnionSchema = z.discriminatedUnion("stopCondition", [
	withRule("duration", orEmpty(durationConfigSchema)),
	withRule("interrupt", interruptConfigSchema.default({})),
	withRule("selenium_idle", orEmpty(seleniumIdleConfigSchema)),
]);
export type CreateJob = z.output<typeof createJobUnionSchema>;
export type CreateJobBody = z.input<typeof createJobUnionSchema>;

const unknownConditionSchema = z.strictObject({
	...baseShape,
	stopCondition: z.enum(STOP_CONDITIONS, { error: `Send one of ${STOP_CONDITIONS.map((c) => `"${c}"`).join(", ")}.` }),
	stopConditionConfig: z.unknown().optional(),
});

const knownConditionSchema = z.object({ stopCondition: z.enum(STOP_CONDITIONS) });

/**
 * The body of `POST /v1/jobs`. A discriminated union stops at an unknown
 * discriminator, and then the other faults would go untold; so in that case the
 * shared fields are judged by themselves and all faults are told at once.
 */
export const createJobBodySchema = z.unknown().transform((input, ctx): CreateJob => {
	const known = knownConditionSchema.safeParse(input).success;
	const result = (known ? createJobUnionSchema : unknownConditionSchema).safeParse(input);
	if (result.success) return result.data as CreateJob;
	for (const issue of result.error.issues) ctx.issues.push({ ...issue, input } as never);
	return z.NEVER;
});

/** Who asked for a job. */
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

const jobShape = z.object({
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
});

/** The job in every answer. */
export const jobSchema = jobShape.and(publicStopRuleSchema);
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

/** One entry of a job's history. `data` is what the entry's type says: observations, reasons, who. */
export const jobEventSchema = z.object({
	id: idSchema,
	type: z.string(),
	at: timestampSchema,
	message: z.string(),
	data: z.record(z.string(), z.unknown()),
});
export type JobEvent = z.infer<typeof jobEventSchema>;
export const jobEventPageSchema = pageOf(jobEventSchema);
