/** Jobs on the wire: what clients send, and what every response carries. */
import * as z from "zod";
import { deletedOfJobSchema } from "./deleted-recording.ts";
import { FAILED_REASONS, JOB_STATUSES, JOB_TYPES, STOP_REASONS } from "./job-status.ts";
import {
	changesSchema,
	keepSchema,
	labelsSchema,
	maxDurationSchema,
	outcomeSchema,
	preSecondsSchema,
	storedLabelsSchema,
} from "./labels.ts";
import { newDisplaySchema } from "./new-display.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, nameSchema, plainText, timestampSchema } from "./primitives.ts";
import {
	idParam,
	instantParam,
	matchedLineSchema,
	orderParam,
	repeatable,
	searchParam,
	secondsParam,
} from "./query-params.ts";
import { recordingKindSchema, recordingStateSchema, verdictSchema } from "./recording.ts";
import { NEW_DISPLAY, OUTCOMES } from "./recording-kinds.ts";
import { STOP_CONDITIONS, stopConditionUnion } from "./stop-condition.ts";
import { regionSchema, videoFormatSchema, videoOptionsSchema, windowSchema } from "./video-options.ts";

export const DISPLAY_ID_PATTERN = /^:\d{1,5}$/;

export const jobNameSchema = nameSchema({ max: 200, how: ", or leave it out" });

const DISPLAY = 'Send the display as a colon and a number, such as ":99", or "new" for one that the runner makes.';

const runnerShape = {
	runnerId: z
		.int({ error: "Send the runner's id as a whole number, such as 1." })
		.positive({ error: "Send a runner's id, which is 1 or more." }),
	displayId: z
		.string({ error: 'Send the display as a string, such as ":99".' })
		.regex(/^(:\d{1,5}|new)$/, { error: DISPLAY }),
};

const SELECTED_DISPLAY =
	'Send display as "any", as "new" for one that the runner makes, or as a display such as ":99".';

/** Instead of a runner: the first runner with these labels that has the display free takes the job. */
export const selectorSchema = z.strictObject({
	labels: labelsSchema.default({}),
	display: z
		.string({ error: SELECTED_DISPLAY })
		.regex(/^(any|new|:\d{1,5})$/, { error: SELECTED_DISPLAY })
		.default("any"),
});
export type Selector = z.output<typeof selectorSchema>;

const TYPE = 'Send type as "recording", "screenshot" or "file_upload", or leave it out for a recording.';

const commonShape = {
	type: z.literal("recording", { error: TYPE }).default("recording"),
	name: jobNameSchema.optional(),
	labels: labelsSchema.optional(),
	/** If omitted, the setting of the runner holds, or else that of the organization. */
	keep: keepSchema.optional(),
	/** When a recording ends at the latest that has no duration of its own. If omitted, as with `keep`. */
	maxDurationSeconds: maxDurationSchema.optional(),
	/** For each field that is left out, the setting of the organization holds, or else that of the runner. */
	video: videoOptionsSchema.optional(),
	display: newDisplaySchema
		.optional()
		.describe(
			'Only with the displayId "new" (or the selector\'s display "new"): the size of the display that the runner makes. If omitted, the runner\'s TAPEDECK_VIRTUAL_DISPLAY_SIZE.',
		),
	preSeconds: preSecondsSchema
		.optional()
		.describe(
			"Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so.",
		),
	outcomeExpected: z
		.boolean()
		.optional()
		.describe(
			"Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it.",
		),
};
const baseShape = { ...runnerShape, ...commonShape };
const selectedShape = { selector: selectorSchema, ...commonShape };

/** The declarative union, as documented in the OpenAPI document. */
export const createJobUnionSchema = stopConditionUnion("body", baseShape, z.strictObject);
export type CreateJob = z.output<typeof createJobUnionSchema>;
export type CreateJobBody = z.input<typeof createJobUnionSchema>;
const createSelectedJobUnionSchema = stopConditionUnion("body", selectedShape, z.strictObject);

const SHOWN =
	'Send video as an object with region or window, such as {"region": {"x": 0, "y": 0, "width": 800, "height": 600}}, or leave it out.';
/** One picture of a display, in its full size. */
export const createScreenshotSchema = z.strictObject({
	type: z.literal("screenshot", { error: TYPE }),
	runnerId: runnerShape.runnerId,
	displayId: z
		.string({ error: 'Send the display as a string, such as ":99".' })
		.regex(DISPLAY_ID_PATTERN, { error: 'Send the display as a colon and a number, such as ":99".' }),
	name: jobNameSchema.optional(),
	labels: labelsSchema.optional(),
	keep: keepSchema.optional(),
	video: z
		.strictObject(
			{ region: regionSchema.optional(), window: windowSchema.optional() },
			{ error: ({ code }) => (code === "invalid_type" ? SHOWN : undefined) },
		)
		.refine(({ region, window }) => region === undefined || window === undefined, {
			path: ["window"],
			error: "Send either region or window.",
		})
		.optional()
		.describe("The part of the display that the picture shows, instead of all of it."),
});
type CreateScreenshot = z.output<typeof createScreenshotSchema>;

const PATH = "Send path as the file's path on the runner, within its TAPEDECK_UPLOAD_DIR, such as reports/run.pdf.";
/** A file of the runner's machine, which becomes a recording of its kind. */
export const createFileUploadSchema = z.strictObject({
	type: z.literal("file_upload", { error: TYPE }),
	runnerId: runnerShape.runnerId,
	path: plainText("path", PATH)
		.min(1, { error: PATH })
		.max(1_000, { error: "Send path with at most 1,000 characters." })
		.describe(
			"Within the folder that the runner allows (TAPEDECK_UPLOAD_DIR, else TAPEDECK_WATCH_DIR), or absolute. Links are not followed.",
		),
	name: jobNameSchema.optional(),
	labels: labelsSchema.optional(),
	keep: keepSchema.optional(),
});
type CreateFileUpload = z.output<typeof createFileUploadSchema>;
/** Every job that can be created by API. */
export type NewJobBody = CreateJob | CreateSelectedJob | CreateScreenshot | CreateFileUpload;
/** Jobs that have no stop condition. */
export type UnconditionalJob = CreateScreenshot | CreateFileUpload;
export const isUnconditional = <T extends NewJobBody>(job: T): job is Extract<T, UnconditionalJob> =>
	job.type !== "recording";

/** A job for whichever runner fits. */
export type CreateSelectedJob = z.output<typeof createSelectedJobUnionSchema>;
const eitherShape = {
	runnerId: runnerShape.runnerId.optional().describe("Required, like displayId, unless there is a selector."),
	displayId: runnerShape.displayId.optional(),
	selector: selectorSchema
		.optional()
		.describe("In place of runnerId and displayId: the first runner that fits and has the display free."),
	...commonShape,
};
/** The body of `POST /v1/jobs`, as documented in the OpenAPI document. */
export const documentedJobBodySchema = z.union([
	...stopConditionUnion("body", eitherShape, z.strictObject).options,
	createScreenshotSchema,
	createFileUploadSchema,
]);
/** The same body in responses: without the write-only `gridPassword`. */
export const scheduledJobSchema = z.union([
	...stopConditionUnion("publicConfig", eitherShape).options,
	z.object(createScreenshotSchema.shape),
	z.object(createFileUploadSchema.shape),
]);

const knownConditionSchema = z.object({ stopCondition: z.enum(STOP_CONDITIONS) });

const unknownCondition = {
	stopCondition: z.enum(STOP_CONDITIONS, { error: `Send one of ${STOP_CONDITIONS.map((c) => `"${c}"`).join(", ")}.` }),
	stopConditionConfig: z.unknown().optional(),
};
const NAMED_RUNNER = {
	union: createJobUnionSchema,
	unknown: z.strictObject({ ...baseShape, ...unknownCondition }),
};
const SELECTED_RUNNER = {
	union: createSelectedJobUnionSchema,
	unknown: z.strictObject({ ...selectedShape, ...unknownCondition }),
};
const hasSelectorSchema = z.object({ selector: z.unknown().refine((selector) => selector !== undefined) });
const unconditionalSchema = z.discriminatedUnion("type", [createScreenshotSchema, createFileUploadSchema]);
const isUnconditionalSchema = z.looseObject({ type: z.enum(["screenshot", "file_upload"]) });
const hasCapOnDurationSchema = z.object({ stopCondition: z.literal("duration"), maxDurationSeconds: z.number() });
const asksForNewSchema = z.union([
	z.object({ displayId: z.literal(NEW_DISPLAY) }),
	z.object({ selector: z.object({ display: z.literal(NEW_DISPLAY) }) }),
]);
const isNew = (body: unknown): boolean => asksForNewSchema.safeParse(body).success;
const hasSizeAloneSchema = z.looseObject({ display: newDisplaySchema }).refine((body) => !isNew(body));
const hasPastOfNewSchema = z.looseObject({ preSeconds: z.number().positive() }).refine(isNew);

/**
 * The body of `POST /v1/jobs`. A discriminated union stops at an unknown discriminator and would not report the
 * other faults; in that case the shared fields are validated on their own.
 */
export const createJobBodySchema = z.unknown().transform((input, ctx): NewJobBody => {
	if (isUnconditionalSchema.safeParse(input).success) {
		const { data, error } = unconditionalSchema.safeParse(input);
		for (const issue of error?.issues ?? []) ctx.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
		return data ?? z.NEVER;
	}
	const { union, unknown } = hasSelectorSchema.safeParse(input).success ? SELECTED_RUNNER : NAMED_RUNNER;
	const result = union.safeParse(input);
	if (hasCapOnDurationSchema.safeParse(input).success) {
		const message = "Leave maxDurationSeconds out: this job ends after durationSeconds.";
		ctx.issues.push({ code: "custom", path: ["maxDurationSeconds"], message, input });
	}
	if (hasSizeAloneSchema.safeParse(input).success) {
		const message = 'Leave display out, or send the displayId "new": only a new display can have any size.';
		ctx.issues.push({ code: "custom", path: ["display"], message, input });
	}
	if (hasPastOfNewSchema.safeParse(input).success) {
		const message = "Leave preSeconds out: a new display has shown nothing before.";
		ctx.issues.push({ code: "custom", path: ["preSeconds"], message, input });
	}
	if (result.success) return ctx.issues.length > 0 ? z.NEVER : result.data;
	const isKnown = knownConditionSchema.safeParse(input).success;
	const { issues } = (isKnown ? undefined : unknown.safeParse(input).error) ?? result.error;
	for (const issue of issues) ctx.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
	return z.NEVER;
});

/** The body of `PATCH /v1/jobs/{id}`. */
export const changeJobBodySchema = changesSchema(jobNameSchema);
export type ChangeJob = z.output<typeof changeJobBodySchema>;

/** The creator of a job. */
export const creatorSchema = z.object({
	kind: z.enum(["user", "apiKey", "runner"]),
	id: idSchema,
	name: z.string(),
});

export const jobErrorSchema = z.object({ code: z.enum(FAILED_REASONS), message: z.string() });

export const jobRecordingSchema = z.object({
	id: idSchema,
	kind: recordingKindSchema,
	state: recordingStateSchema,
	url: z.string(),
	durationSeconds: z.number(),
	bytes: z.int(),
	width: z.int().nullable(),
	height: z.int().nullable(),
	/** Its format; null before its first frame, and if the runner did not report it. */
	video: videoFormatSchema.nullable(),
	verdict: verdictSchema,
	/** When it is deleted because its outcome is `passed`; null if it is kept. */
	deleteAt: timestampSchema.nullable(),
});

const jobShape = {
	id: idSchema,
	organizationId: idSchema,
	/** For a job with a selector, the first runner that fits until a runner takes it. The same goes for the display. */
	runnerId: idSchema,
	displayId: z
		.string()
		.describe(
			'"new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload.',
		),
	name: z.string(),
	/** Requirements of the job's runner; null for a job that names its runner. */
	selector: selectorSchema.nullable(),
	labels: storedLabelsSchema,
	outcome: outcomeSchema.nullable(),
	keep: keepSchema,
	/** Never deleted by retention. */
	pinned: z.boolean(),
	maxDurationSeconds: z.int().nullable(),
	/** Video options of the job or its organization. Options that both leave out are the runner's. */
	video: videoOptionsSchema,
	/** Requested length of the display's past; the recording may have less. */
	preSeconds: z.int(),
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
	/** Null unless it had a recording that was deleted. */
	deletedRecording: deletedOfJobSchema.nullable(),
	matchedLine: matchedLineSchema.optional(),
	display: newDisplaySchema
		.partial()
		.optional()
		.describe(
			"The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display.",
		),
};

const unconditionalShape = { ...jobShape, stopCondition: z.null(), stopConditionConfig: z.null() };

/** A job in responses. */
export const jobSchema = z.union([
	...stopConditionUnion("publicConfig", { ...jobShape, type: z.literal("recording") }).options,
	z.object({ ...unconditionalShape, type: z.literal("screenshot") }),
	z.object({
		...unconditionalShape,
		type: z.literal("file_upload"),
		path: z.string().describe("The file, on its runner."),
	}),
]);
export type Job = z.infer<typeof jobSchema>;
export const jobPageSchema = pageOf(jobSchema);

export const listJobsQuerySchema = z.object({
	type: repeatable(
		z.enum(JOB_TYPES, { error: `Send type as one of ${JOB_TYPES.join(", ")}; repeat it for several.` }),
	).describe("The types to list; repeat it for several. Without it, only recordings are listed."),
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
	order: orderParam,
	limit: limitParam,
	cursor: cursorParam,
});
export type ListJobsQuery = z.output<typeof listJobsQuerySchema>;

export const countJobsQuerySchema = listJobsQuerySchema.omit({ status: true, order: true, limit: true, cursor: true });
export type CountJobsQuery = z.output<typeof countJobsQuerySchema>;

/** Maximum count of the jobs of one status. */
export const MAX_COUNTED_JOBS = 1_000;
const countSchema = z.int().nonnegative().max(MAX_COUNTED_JOBS);
const countsOf = <K extends string>(keys: readonly K[]) =>
	z.object(Object.fromEntries(keys.map((key) => [key, countSchema])) as Record<K, typeof countSchema>);
/** Number of jobs of each status and each outcome; at most 1,000 of each are counted. */
export const jobCountsSchema = z.object({
	/** Null for a search that would have to look at each job: one with words, labels or what else has no index. */
	byStatus: countsOf(JOB_STATUSES).nullable(),
	/** Counts by any current outcome; null with any filter other than `outcome:`, because no index has both. */
	byOutcome: countsOf(OUTCOMES).nullable(),
});
export type JobCounts = z.infer<typeof jobCountsSchema>;

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
