/** Links to one recording: signed URLs for scripts, share links for people. */
import * as z from "zod";
import { markerSchema } from "./marker.ts";
import { pageOf } from "./page.ts";
import { idSchema, timestampSchema } from "./primitives.ts";
import { intParam, secondsParam } from "./query-params.ts";
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
	.pick({
		...{ name: true, outcome: true, contentType: true, durationSeconds: true, width: true, height: true },
		privacy: true,
	})
	.extend({
		markers: z.array(
			markerSchema.pick({ id: true, label: true, kind: true, message: true, offsetSeconds: true, clampedTo: true }),
		),
	})
	.extend({
		expiresAt: timestampSchema.nullable(),
		videoUrl: z.string(),
		posterUrl: z.string(),
		/** What stands for the video in a chat: the frame at its failure, or the poster of one that did not fail. */
		pictureUrl: z.string(),
	});
export type SharedRecording = z.infer<typeof sharedRecordingSchema>;

/** The name and how it ended, such as `Checkout: failed`. */
export const sharedTitle = ({ name, outcome }: Pick<SharedRecording, "name" | "outcome">): string =>
	outcome === null ? name : `${name}: ${outcome}`;

const embedPixels = (name: string) => intParam(name, 1, 100_000).optional();
export const embedQuerySchema = z.object({
	url: z.string({ error: "Send url as the address of a shared page." }).max(2_048),
	maxwidth: embedPixels("maxwidth"),
	maxheight: embedPixels("maxheight"),
	format: z.enum(["json"], { error: "Send format as json, or leave it out." }).optional(),
});

const embedBase = {
	version: z.literal("1.0"),
	title: z.string(),
	provider_name: z.literal("Tapedeck"),
	provider_url: z.string(),
	/** Seconds for which the answer may be kept. */
	cache_age: z.int(),
	thumbnail_url: z.string(),
	thumbnail_width: z.int(),
	thumbnail_height: z.int(),
};
/** A shared page as oEmbed 1.0 describes it: a `video` where pages of other origins may show it, else a `link`. */
export const embedSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("video"), ...embedBase, html: z.string(), width: z.int(), height: z.int() }),
	z.object({ type: z.literal("link"), ...embedBase }),
]);
export type Embed = z.infer<typeof embedSchema>;
