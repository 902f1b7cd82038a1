/** Links to one recording: signed ones for scripts, shared pages for people. */
import * as z from "zod";
import { markerSchema } from "./marker.ts";
import { idSchema, secondsParam, timestampSchema } from "./page.ts";
import { recordingSchema } from "./recording.ts";

export const MAX_SIGNED_SECONDS = 7 * 86_400;
export const signedUrlQuerySchema = z.object({
	expiresInSeconds: secondsParam("expiresInSeconds", 1, MAX_SIGNED_SECONDS).default(3_600),
});
/** Addresses of the video and its picture that need no credentials until they expire. */
export const signedUrlSchema = z.object({ url: z.string(), posterUrl: z.string(), expiresAt: timestampSchema });
export type SignedUrl = z.infer<typeof signedUrlSchema>;

/** What a signed address carries; all of it is covered by the signature. */
export const signatureParams = {
	expires: z.string().max(20).optional(),
	signature: z.string().max(100).optional(),
};

export const createShareLinkBodySchema = z.strictObject({
	/** Asked for, so that nobody opens a recording for ever without meaning to. */
	expiresAt: z.iso
		.datetime({ offset: true, error: "Send expiresAt as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
		.nullable(),
});

/** A public page that plays one recording, as those see it who may end it. */
export const shareLinkSchema = z.object({
	id: idSchema,
	recordingId: idSchema,
	/** The first characters of its token, enough to recognise it. */
	prefix: z.string(),
	createdBy: z.string(),
	createdAt: timestampSchema,
	expiresAt: timestampSchema.nullable(),
});
export type ShareLink = z.infer<typeof shareLinkSchema>;
export const shareLinkListSchema = z.object({ data: z.array(shareLinkSchema), nextCursor: z.null() });
/** The answer to making one: the only time that its address is shown. */
export const newShareLinkSchema = shareLinkSchema.extend({ url: z.string() });
export type NewShareLink = z.infer<typeof newShareLinkSchema>;

export const SHARE_TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** All that a shared page tells of its recording. */
export const sharedRecordingSchema = recordingSchema
	.pick({ name: true, contentType: true, durationSeconds: true, width: true, height: true })
	.extend({
		markers: z.array(markerSchema.pick({ id: true, label: true, kind: true, offsetSeconds: true })),
	})
	.extend({ expiresAt: timestampSchema.nullable(), videoUrl: z.string(), posterUrl: z.string() });
export type SharedRecording = z.infer<typeof sharedRecordingSchema>;
