/** Links to one recording: signed URLs for scripts, share links for people. */
import * as z from "zod";
import { markerSchema } from "./marker.ts";
import { pageOf } from "./page.ts";
import { idSchema, timestampSchema } from "./primitives.ts";
import { secondsParam } from "./query-params.ts";
import { recordingSchema } from "./recording.ts";

export const MAX_SIGNED_SECONDS = 7 * 86_400;
export const signedUrlQuerySchema = z.object({
	expiresInSeconds: secondsParam("expiresInSeconds", 1, MAX_SIGNED_SECONDS).default(3_600),
});
/** URLs of the video and its poster frame that need no credentials until they expire. */
export const signedUrlSchema = z.object({ url: z.string(), posterUrl: z.string(), expiresAt: timestampSchema });
export type SignedUrl = z.infer<typeof signedUrlSchema>;

/** The query of a signed URL; the signature covers all of it. */
export const signatureParams = {
	expires: z.string().max(20).optional(),
	signature: z.string().max(100).optional(),
};

export const createShareLinkBodySchema = z.strictObject({
	/** Required, so that nobody shares a recording forever by accident. */
	expiresAt: z.iso
		.datetime({ offset: true, error: "Send expiresAt as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
		.nullable(),
});

/** A public page that plays one recording, as shown to those who may revoke it. */
export const shareLinkSchema = z.object({
	id: idSchema,
	recordingId: idSchema,
	/** The first characters of the token, enough to recognize it by. */
	prefix: z.string(),
	createdBy: z.string(),
	createdAt: timestampSchema,
	expiresAt: timestampSchema.nullable(),
});
export type ShareLink = z.infer<typeof shareLinkSchema>;
export const shareLinkListSchema = pageOf(shareLinkSchema);
/** The response to creating a share link: its URL is never shown again. */
export const newShareLinkSchema = shareLinkSchema.extend({ url: z.string() });
export type NewShareLink = z.infer<typeof newShareLinkSchema>;

export const SHARE_TOKEN = /^[A-Za-z0-9_-]{32}$/;

/** Everything that a share link reveals about its recording. */
export const sharedRecordingSchema = recordingSchema
	.pick({ name: true, contentType: true, durationSeconds: true, width: true, height: true })
	.extend({
		markers: z.array(
			markerSchema.pick({ id: true, label: true, kind: true, message: true, offsetSeconds: true, clampedTo: true }),
		),
	})
	.extend({ expiresAt: timestampSchema.nullable(), videoUrl: z.string(), posterUrl: z.string() });
export type SharedRecording = z.infer<typeof sharedRecordingSchema>;
