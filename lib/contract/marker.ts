/** Markers: named moments of a recording. */
import * as z from "zod";
import { MARKER_KINDS, STALL_MARKER } from "./marker-kinds.ts";
import { idSchema, nameSchema, pageOf, timestampSchema } from "./page.ts";

const named = {
	label: nameSchema({ max: 200, what: "label" }),
	kind: z.enum(MARKER_KINDS, { error: `Send kind as one of ${MARKER_KINDS.join(", ")}.` }).default("note"),
};
/** Of a job: scripts know what the clock says. */
export const createMarkerBodySchema = z.strictObject({
	...named,
	at: z.iso.datetime({ offset: true, error: "Send at as an RFC 3339 time, or leave it out for now." }).optional(),
});
const OFFSET = "Send offsetSeconds as seconds from the beginning, such as 12.5.";
/** Of a recording: who looks at it knows where in it they are. */
export const createRecordingMarkerBodySchema = z.strictObject({
	...named,
	offsetSeconds: z.number({ error: OFFSET }).min(0, { error: OFFSET }).max(1_000_000_000, { error: OFFSET }),
});
export const markerSchema = z.object({
	id: idSchema,
	/** Null for a marker in a video that was made elsewhere. */
	jobId: idSchema.nullable(),
	label: z.string(),
	kind: z.enum([...MARKER_KINDS, STALL_MARKER]),
	/** Null where nobody knows when the video was made. */
	at: timestampSchema.nullable(),
	/** Seconds from the first frame; null while nothing is captured. */
	offsetSeconds: z.number().nullable(),
});
export type Marker = z.infer<typeof markerSchema>;
export const markerPageSchema = pageOf(markerSchema);
