/** Markers: named moments of a recording. */
import * as z from "zod";
import { pageOf } from "./page.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";
import { MARKER_KINDS, SESSION_MARKER, STALL_MARKER } from "./recording-kinds.ts";

const named = {
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS, { error: `Send kind as one of ${MARKER_KINDS.join(", ")}.` }).default("note"),
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

export const markerSchema = z.object({
	id: idSchema,
	/** Null for a marker in an uploaded video. */
	jobId: idSchema.nullable(),
	label: z.string(),
	kind: z.enum([...MARKER_KINDS, STALL_MARKER, SESSION_MARKER]),
	/** Null when the recording time of the video is unknown. */
	at: timestampSchema.nullable(),
	/** Seconds from the first frame; null before the first frame is captured. */
	offsetSeconds: z.number().nullable(),
});
export type Marker = z.infer<typeof markerSchema>;
export const markerPageSchema = pageOf(markerSchema);
/** Those of one call, in its order. */
export const markerListSchema = z.object({ data: z.array(markerSchema) });
