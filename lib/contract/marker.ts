/** Markers: named moments of a recording. */
import * as z from "zod";
import { idSchema, PLAIN_TEXT, pageOf, timestampSchema } from "./page.ts";

export const MARKER_KINDS = ["step", "pass", "fail", "note"] as const;
export const createMarkerBodySchema = z.strictObject({
	label: z
		.string({ error: "Send a label as a string." })
		.trim()
		.min(1, { error: "Send a label of 1 to 200 characters." })
		.max(200, { error: "Send a label of 1 to 200 characters." })
		.regex(PLAIN_TEXT, { error: "Send a label without line breaks and other control characters." }),
	kind: z.enum(MARKER_KINDS, { error: `Send kind as one of ${MARKER_KINDS.join(", ")}.` }).default("note"),
	at: z.iso.datetime({ offset: true, error: "Send at as an RFC 3339 time, or leave it out for now." }).optional(),
});
export const markerSchema = z.object({
	id: idSchema,
	jobId: idSchema,
	label: z.string(),
	kind: z.enum(MARKER_KINDS),
	at: timestampSchema,
	/** Seconds from the first frame; null while nothing is captured. */
	offsetSeconds: z.number().nullable(),
});
export type Marker = z.infer<typeof markerSchema>;
export const markerPageSchema = pageOf(markerSchema);
