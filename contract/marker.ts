/** Markers: named moments of a recording. */
import * as z from "zod";
import { pageOf } from "./page.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage } from "./plain-text.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";
import { MARKER_KINDS, SESSION_MARKER, STALL_MARKER } from "./recording-kinds.ts";

const MESSAGE = `Text of several lines, such as an error. Terminal sequences and control characters are removed; what is longer than ${MAX_MESSAGE_BYTES / 1024} KiB is cut, with a note.`;

const named = {
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS, { error: `Send kind as one of ${MARKER_KINDS.join(", ")}.` }).default("note"),
	/** Never refused for what it contains: the other markers of a call do not depend on it. */
	message: z
		.string({ error: "Send message as a string, or leave it out." })
		.nullable()
		.transform((text) => (text === null ? null : sanitizeMessage(text)))
		.optional()
		.describe(MESSAGE),
};
/** For a job, by time: scripts know the time of day. */
export const createMarkerBodySchema = z.strictObject({
	...named,
	at: z.iso.datetime({ offset: true, error: "Send at as an RFC 3339 time, or leave it out for now." }).optional(),
});
const OFFSET = "Send offsetSeconds as seconds from the beginning, such as 12.5.";
/** For a recording, by position: viewers know the position in the video. */
export const createRecordingMarkerBodySchema = z.strictObject({
	...named,
	offsetSeconds: z.number({ error: OFFSET }).min(0, { error: OFFSET }).max(1_000_000_000, { error: OFFSET }),
});

export const MAX_MARKERS_OF_A_CALL = 500;
const MARKERS = `Send markers as a list of 1 to ${MAX_MARKERS_OF_A_CALL} markers.`;
const many = <Marker extends z.ZodType>(marker: Marker) =>
	z.strictObject({
		markers: z
			.array(marker, { error: MARKERS })
			.min(1, { error: MARKERS })
			.max(MAX_MARKERS_OF_A_CALL, { error: MARKERS }),
	});
export const createMarkersBodySchema = many(createMarkerBodySchema);
export const createRecordingMarkersBodySchema = many(createRecordingMarkerBodySchema);

/** The end of the video at which a marker is shown whose time is outside of it. */
export const clampedToSchema = z
	.enum(["start", "end"])
	.nullable()
	.describe(
		"Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video.",
	);

export const markerSchema = z.object({
	id: idSchema,
	/** Null for a marker in an uploaded video. */
	jobId: idSchema.nullable(),
	label: z.string(),
	kind: z.enum([...MARKER_KINDS, STALL_MARKER, SESSION_MARKER]),
	/** Several lines, such as the error of a test. */
	message: z.string().nullable(),
	/** Null when the recording time of the video is unknown. */
	at: timestampSchema.nullable(),
	/** Seconds from the first frame; null before the first frame is captured. */
	offsetSeconds: z.number().nullable(),
	clampedTo: clampedToSchema,
});
export type Marker = z.infer<typeof markerSchema>;
export const markerPageSchema = pageOf(markerSchema);
/** Markers of one call, in its order. */
export const markerListSchema = z.object({ data: z.array(markerSchema) });
