/** Recordings on the wire. */
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
	timestampSchema,
} from "./page.ts";
import { ORDERS, RECORDING_SORTS, RECORDING_STATES, VERDICTS } from "./recording-kinds.ts";

export type { Order, RecordingSort, RecordingState, Verdict } from "./recording-kinds.ts";

export const recordingStateSchema = z.enum(RECORDING_STATES);
/** Null while it is not known. */
export const verdictSchema = z.enum(VERDICTS).nullable();

export const recordingSchema = z.object({
	id: idSchema,
	organizationId: idSchema,
	jobId: idSchema.nullable(),
	/** The runner that made it; null for a video that was made elsewhere. */
	runnerId: idSchema.nullable(),
	name: z.string(),
	state: recordingStateSchema,
	/** Media type of the stored file: `video/mp4` or `video/webm`. */
	contentType: z.string(),
	durationSeconds: z.number(),
	/** Of a download: `Content-Length` of `/video`. Of a live one: what has arrived so far, a second ago. */
	bytes: z.int(),
	width: z.int().nullable(),
	height: z.int().nullable(),
	createdAt: timestampSchema,
	verdict: verdictSchema,
	pinned: z.boolean(),
	url: z.string(),
	videoUrl: z.string(),
	posterUrl: z.string(),
});
export type Recording = z.infer<typeof recordingSchema>;
export const recordingPageSchema = pageOf(recordingSchema);

export const listRecordingsQuerySchema = z.object({
	q: searchParam,
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
	order: z.enum(ORDERS, { error: "Send order as desc or asc, or leave it out for desc." }).default("desc"),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListRecordingsQuery = z.output<typeof listRecordingsQuerySchema>;

export const MAX_NAME_LENGTH = 200;
export const uploadRecordingQuerySchema = z.object({
	name: nameSchema({ max: MAX_NAME_LENGTH, how: " as ?name=…" }),
});
export const VIDEO_TYPES = ["video/mp4", "video/webm"] as const;
export type VideoType = (typeof VIDEO_TYPES)[number];

/** Of the answer that ends a tus upload without a job: the id of the recording that it made. */
export const RECORDING_HEADER = "Tapedeck-Recording";

/** What can be changed of a recording: a pinned one is kept whatever the retention says. */
export const pinRecordingBodySchema = z.strictObject({
	pinned: z.boolean({ error: "Send pinned as true or false." }),
});

const secondsOnTimeline = z
	.string()
	.regex(/^\d{1,9}(\.\d{1,9})?$/, { error: "Send at as seconds from the beginning, such as 12.5." })
	.transform(Number);
/** A picture of a recording under way, and where on its timeline it was taken. */
/** Of a picture: small, or the first frame of a whole recording in the video's own size. */
export const posterSizeQuerySchema = z.object({
	size: z.enum(["full"], { error: "Send size as full, or leave it out." }).optional(),
});
export const posterQuerySchema = z.object({ at: secondsOnTimeline.optional() });
export const frameQuerySchema = z.object({ at: secondsOnTimeline });
/** The times, in seconds, that there are pictures of: ask for each by `frame?at=`. */
export const storyboardSchema = z.object({ data: z.array(z.object({ at: z.number() })) });
export type Storyboard = z.infer<typeof storyboardSchema>;

/** A switch in a query: `?download=1`. */
export const videoQuerySchema = z.object({
	download: z.enum(["0", "1"], { error: "Send download as 1, or leave it out." }).optional(),
});
const FROM = "Send from as now, start or seconds from the beginning such as 12.5, or leave it out for now.";
export const liveQuerySchema = z.object({
	from: z
		.string({ error: FROM })
		.regex(/^(now|start|\d{1,9}(\.\d{1,9})?)$/, { error: FROM })
		.transform((from) => (from === "now" || from === "start" ? from : Number(from)))
		.default("now"),
});
/** Where following begins: a number is seconds from the first frame. */
export type LiveFrom = z.output<typeof liveQuerySchema>["from"];
