/** Recordings on the wire. */
import * as z from "zod";
import { changesSchema, keepSchema, labelParams, outcomeSchema, storedLabelsSchema } from "./labels.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";
import { privateStretchSchema } from "./privacy.ts";
import {
	idParam,
	instantParam,
	intParam,
	MAX_SECONDS,
	matchedLineSchema,
	momentParam,
	orderParam,
	repeatable,
	searchParam,
} from "./query-params.ts";
import {
	MAX_NAME_LENGTH,
	MAX_ZIPPED_RECORDINGS,
	RECORDING_KINDS,
	RECORDING_SORTS,
	RECORDING_STATES,
	VERDICTS,
} from "./recording-kinds.ts";
import { recordingSessionSchema } from "./session.ts";
import { videoFormatSchema } from "./video-options.ts";

export type { Order, RecordingSort, RecordingState, Verdict } from "./recording-kinds.ts";

const KINDS = `Send kind as one of ${RECORDING_KINDS.join(", ")}`;
export const recordingKindSchema = z.enum(RECORDING_KINDS, { error: `${KINDS}.` });
export const recordingStateSchema = z.enum(RECORDING_STATES);
/** Null while unknown. */
export const verdictSchema = z.enum(VERDICTS).nullable();

export const recordingSchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	jobId: idSchema.nullable(),
	/** The runner that recorded it; null for an uploaded video. */
	runnerId: idSchema.nullable(),
	name: z.string(),
	/** Only a `video` has a length, frames and a player. */
	kind: recordingKindSchema,
	state: recordingStateSchema,
	/** Media type of the stored file: `video/mp4` or `video/webm` for a video. */
	contentType: z.string(),
	durationSeconds: z.number(),
	/** For a complete recording, the `Content-Length` of `/video`. For a live one, what had arrived a second ago. */
	bytes: z.int(),
	width: z.int().nullable(),
	height: z.int().nullable(),
	/** The format in which its runner encoded it; null for an uploaded video, and if the runner did not report it. */
	video: videoFormatSchema.nullable(),
	createdAt: timestampSchema,
	verdict: verdictSchema,
	pinned: z.boolean(),
	/** The labels of its job, or of the upload. */
	labels: storedLabelsSchema,
	outcome: outcomeSchema.nullable(),
	keep: keepSchema,
	/** When it is deleted because its outcome is `passed`; null if it is kept. */
	deleteAt: timestampSchema.nullable(),
	/** Until when retention spares it, because it was restored; null if it never was. */
	keptUntil: timestampSchema.nullable(),
	url: z.string(),
	/** The file, of any kind. */
	videoUrl: z.string(),
	posterUrl: z.string(),
	/** The sessions of the grid during the recording, by time, at most 500. Only in the response for one recording. */
	sessions: z.array(recordingSessionSchema).optional(),
	/** Its private stretches, in which it is black. Only in the response for one recording. */
	privacy: z.array(privateStretchSchema).optional(),
	matchedLine: matchedLineSchema.optional(),
});
export type Recording = z.infer<typeof recordingSchema>;
export const recordingPageSchema = pageOf(recordingSchema);

export const listRecordingsQuerySchema = z.object({
	q: searchParam,
	kind: repeatable(z.enum(RECORDING_KINDS, { error: `${KINDS}; repeat it for several.` })).describe(
		"The kinds to list; repeat it for several. Without it, only videos are listed.",
	),
	state: repeatable(
		z.enum(RECORDING_STATES, { error: `Send state as one of ${RECORDING_STATES.join(", ")}; repeat it for several.` }),
	),
	verdict: repeatable(
		z.enum(VERDICTS, { error: `Send verdict as one of ${VERDICTS.join(", ")}; repeat it for several.` }),
	),
	runnerId: idParam("runnerId").optional(),
	createdAfter: instantParam("createdAfter"),
	createdBefore: instantParam("createdBefore"),
	sort: z
		.enum(RECORDING_SORTS, {
			error: `Send sort as one of ${RECORDING_SORTS.join(", ")}, or leave it out for createdAt.`,
		})
		.default("createdAt"),
	order: orderParam,
	limit: limitParam,
	cursor: cursorParam,
});
export type ListRecordingsQuery = z.output<typeof listRecordingsQuerySchema>;

export const uploadRecordingQuerySchema = z.object({
	name: nameSchema({ max: MAX_NAME_LENGTH, how: " as ?name=…" }),
	label: labelParams,
	outcome: outcomeSchema.optional(),
	keep: keepSchema.optional(),
	kind: z
		.enum(RECORDING_KINDS, { error: `${KINDS}, or leave it out for a video.` })
		.default("video")
		.describe(
			"What the body is. A video must be playable, and an image a PNG, JPEG, GIF or WebP. Other files keep the Content-Type of the request.",
		),
	testResultId: idParam("testResultId")
		.describe(
			"The result of a test run that the video shows. The recording gets the labels of its run, and its outcome, also one that is reported later, unless the recording was given another one.",
		)
		.optional(),
	startedAt: instantParam("startedAt").describe(
		"When the first frame was captured; by default now, or when the test began. Its age counts from then.",
	),
});
export type UploadQuery = z.output<typeof uploadRecordingQuerySchema>;
export const VIDEO_TYPES = ["video/mp4", "video/webm"] as const;

/** Sent when a tus upload without a job is complete: the id of the new recording. */
export const RECORDING_HEADER = "Tapedeck-Recording";

/** The body of `PATCH /v1/recordings/{id}`; of a job's recording, it changes the job too. */
export const changeRecordingBodySchema = changesSchema(nameSchema({ max: MAX_NAME_LENGTH }));
export type ChangeRecording = z.output<typeof changeRecordingBodySchema>;

/** Recordings per call that changes many: each is a short transaction of its own. */
const MAX_UNPINNED = 200;
/** The body of `POST /v1/recordings/unpin`: these recordings, or all that are pinned, the oldest first. */
export const unpinBodySchema = z
	.strictObject({
		recordingIds: z.array(idSchema).min(1).max(MAX_UNPINNED).optional(),
		all: z.literal(true).optional(),
	})
	.refine(({ recordingIds, all }) => (recordingIds === undefined) !== (all === undefined), {
		error: "Send either recordingIds or all.",
	});
export type UnpinRecordings = z.output<typeof unpinBodySchema>;
export const unpinnedSchema = z.object({
	/** Recordings that were pinned. */
	recordingIds: z.array(idSchema),
	/** Whether others are still pinned, after a call with `all`: send it again. */
	hasMore: z.boolean(),
});
export type Unpinned = z.infer<typeof unpinnedSchema>;

/** Size of a poster frame: small, or the first frame of a complete recording in the video's own size. */
export const posterSizeQuerySchema = z.object({
	size: z.enum(["full"], { error: "Send size as full, or leave it out." }).optional(),
});
export const posterQuerySchema = z.object({ at: momentParam("at") });
export const MAX_FRAME_WIDTH = 8_192;
/**
 * One of both: a time, or `failure` for the frame at the first marker of the kind `fail`, else at the first failure that was
 * reported as a test result, else at the last change.
 */
export const frameQuerySchema = z.object({
	at: momentParam("at"),
	of: z.enum(["failure"], { error: "Send of as failure, or a time as at." }).optional(),
	width: intParam("width", 16, MAX_FRAME_WIDTH)
		.describe(
			"The very frame of the video at that time, so many pixels wide, or as wide as the video if that is less. Without it, a frame of the storyboard.",
		)
		.optional(),
});
export type FrameQuery = z.output<typeof frameQuerySchema>;
export const storyboardSchema = z.object({
	/** The times in seconds for which frames exist: fetch each from `frame?at=`. */
	data: z.array(z.object({ at: z.number() })),
	/** When a frame of a complete recording last differed from the one before it; null while it is live. */
	lastChangeAt: z.number().nullable(),
});
export type Storyboard = z.infer<typeof storyboardSchema>;

/** A flag in a query: `?download=1`. */
export const videoQuerySchema = z.object({
	download: z.enum(["0", "1"], { error: "Send download as 1, or leave it out." }).optional(),
});

const IDS = `Send id once for each of 1 to ${MAX_ZIPPED_RECORDINGS} recordings: ?id=1&id=2.`;
export const downloadRecordingsQuerySchema = z.object({
	id: z.preprocess(
		(value) => (value === undefined || Array.isArray(value) ? value : [value]),
		z.array(idParam("id"), { error: IDS }).min(1, { error: IDS }).max(MAX_ZIPPED_RECORDINGS, { error: IDS }),
	),
});

const FROM = "Send from as now, start or seconds from the beginning such as 12.5, or leave it out for now.";
export const liveQuerySchema = z.object({
	from: z
		.string({ error: FROM })
		.max(400, { error: FROM })
		.regex(/^(now|start|\d+(\.\d*)?([eE][+-]?\d+)?)$/, { error: FROM })
		.transform((from) => (from === "now" || from === "start" ? from : Number(from)))
		.refine((from) => typeof from === "string" || Number.isFinite(from), { error: FROM })
		.transform((from) => (typeof from === "string" ? from : Math.min(from, MAX_SECONDS)))
		.default("now"),
});
/** The start of live playback; a number is seconds from the first frame. */
export type LiveFrom = z.output<typeof liveQuerySchema>["from"];
