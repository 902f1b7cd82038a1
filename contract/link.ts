/** Links to one recording: signed URLs for scripts, share links for people. */
import * as z from "zod";
import { attachmentSchema } from "./attachment.ts";
import { CLIP_FORMATS, MAX_GIF_SECONDS } from "./clip.ts";
import { markerSchema } from "./marker.ts";
import { pageOf } from "./page.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { intParam, secondsParam } from "./query-params.ts";
import { MAX_FRAME_WIDTH, recordingSchema } from "./recording.ts";
import { testResultSchema } from "./test-result.ts";
import { MAX_CLIP_SECONDS } from "./video-kinds.ts";

export const MAX_SIGNED_SECONDS = 7 * 86_400;
export const signedUrlQuerySchema = z.object({
	expiresInSeconds: secondsParam("expiresInSeconds", 1, MAX_SIGNED_SECONDS).default(3_600),
});
/** URLs of the video and its poster frame that need no credentials until they expire. */
export const signedUrlSchema = z.object({ url: z.string(), posterUrl: z.string(), expiresAt: timestampSchema });
export type SignedUrl = z.infer<typeof signedUrlSchema>;

/** The query of a signed URL; the signature covers all of it. */
export const signatureParams = {
	expires: plainText("expires").max(20).optional(),
	signature: plainText("signature").max(100).optional(),
};

/** The target of a share link: a page that plays the video, or nothing but one clip or one frame of it. */
export const LINK_TARGETS = ["page", "clip", "frame"] as const;
/** Parts that a shared page shows in addition to the video, its outcome and its markers. */
export const SHARED_PARTS = ["tests", "steps", "attachments", "tracks", "proof"] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

const moment = (name: string, more: string) => {
	const error = `Send ${name} as seconds from the beginning, such as 12.5, or leave it out.`;
	return z.number({ error }).min(0, { error }).max(1_000_000_000, { error }).nullish().describe(more);
};
const WIDTH = `Send width as a whole number of pixels from 64 to ${MAX_FRAME_WIDTH}, or leave it out.`;

export const createShareLinkBodySchema = z
	.strictObject({
		/** Required, so that nobody shares a recording forever by accident. */
		expiresAt: z.iso
			.datetime({ offset: true, error: "Send expiresAt as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
			.nullable(),
		opens: z
			.enum(LINK_TARGETS, { error: `Send opens as ${LINK_TARGETS.join(", ")}, or leave it out for page.` })
			.describe("The target of the link: a page with the whole video, or nothing but one clip or one frame.")
			.default("page"),
		at: moment("at", "The moment at which the page opens, or that of the frame."),
		from: moment("from", "Where the stretch begins that the page repeats, or that the clip has; with to."),
		to: moment("to", `Its end. Of a clip at most ${MAX_CLIP_SECONDS} s after from, or ${MAX_GIF_SECONDS} s for a GIF.`),
		include: z
			.array(z.enum(SHARED_PARTS), { error: `Send include as a list of ${SHARED_PARTS.join(", ")}, or leave it out.` })
			.max(20, { error: "Send each part once in include." })
			.transform((parts) => SHARED_PARTS.filter((part) => parts.includes(part)))
			.describe(
				"Further parts of the page: the tests with their outcomes and messages, their steps, their attachments, the tracks, and a review cut with its receipt, which name markers, steps, tests, labels and the runner. Parts that are left out cannot be fetched with the link.",
			)
			.default([]),
		format: z
			.enum(CLIP_FORMATS, { error: `Send format as ${CLIP_FORMATS.join(" or ")}, or leave it out for mp4.` })
			.nullish()
			.describe("The format of a clip."),
		width: z
			.int({ error: WIDTH })
			.min(64, { error: WIDTH })
			.max(MAX_FRAME_WIDTH, { error: WIDTH })
			.nullish()
			.describe("The width of a clip or a frame, in pixels. A narrower video keeps its own width."),
	})
	.superRefine((body, ctx) => {
		for (const { path, message } of shownFaults(body)) ctx.addIssue({ code: "custom", path: [path], message });
	});
export type CreateShareLink = z.output<typeof createShareLinkBodySchema>;

/** The target of a link, with the fields of all targets: those that do not apply are null. */
const shownByLink = {
	opens: z.enum(LINK_TARGETS),
	at: z.number().nullable(),
	from: z.number().nullable(),
	to: z.number().nullable(),
	include: z.array(z.enum(SHARED_PARTS)),
	format: z.enum(CLIP_FORMATS).nullable(),
	width: z.int().nullable(),
};
export const shownByLinkSchema = z.object(shownByLink);
export type ShownByLink = z.infer<typeof shownByLinkSchema>;

/** Finds fields that cannot be combined. */
function shownFaults({ opens, include, ...fields }: Pick<CreateShareLink, "opens" | "include"> & Partial<ShownByLink>) {
	const at = fields.at ?? null;
	const from = fields.from ?? null;
	const to = fields.to ?? null;
	const faults: { path: string; message: string }[] = [];
	const refuse = (path: string, message: string) => faults.push({ path, message });
	if ((from === null) !== (to === null)) refuse(from === null ? "from" : "to", "Send from and to together.");
	else if (from !== null && to !== null && to <= from) refuse("to", "Send to as more seconds than from.");
	if (at !== null && from !== null) refuse("at", "Send at for a moment, or from and to for a stretch, not both.");
	if (opens === "clip" && from === null) refuse("from", "Send from and to: the stretch of the clip.");
	if (opens === "frame" && at === null) refuse("at", "Send at: the moment of the frame.");
	if (opens === "page" && fields.width != null) refuse("width", "Leave width out: a page has no width of its own.");
	if (opens !== "clip" && fields.format != null) refuse("format", "Leave format out: only clips have one.");
	if (opens !== "page" && include.length > 0) refuse("include", `Leave include out: the link opens only the ${opens}.`);
	for (const part of ["steps", "attachments"] as const)
		if (include.includes(part) && !include.includes("tests"))
			refuse("include", `Send tests in include, too: ${part} are shown with their tests.`);
	return faults;
}

/** A link to a recording that works without signing in, as shown to those who may revoke it. */
export const shareLinkSchema = z.object({
	id: idSchema,
	recordingId: idSchema,
	/** The first characters of the token, enough to recognize it by. */
	prefix: z.string(),
	...shownByLink,
	createdBy: z.string(),
	createdAt: timestampSchema,
	expiresAt: timestampSchema.nullable(),
});
export type ShareLink = z.infer<typeof shareLinkSchema>;
export const shareLinkListSchema = pageOf(shareLinkSchema);
/** The response to creating a share link: its URL, that of the page, the clip or the frame, is never shown again. */
export const newShareLinkSchema = shareLinkSchema.extend({ url: z.string() });
export type NewShareLink = z.infer<typeof newShareLinkSchema>;

export const SHARE_TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** The parameters of the path of a share link. */
export const shareTokenParams = z.object({ token: z.string().regex(SHARE_TOKEN) });

/** The public part of a recording on a shared page, without the tests and tracks that it includes. */
export const sharedRecordingSchema = recordingSchema
	.pick({
		name: true,
		outcome: true,
		kind: true,
		contentType: true,
		durationSeconds: true,
		width: true,
		height: true,
		privacy: true,
	})
	.extend({
		markers: z.array(
			markerSchema.pick({ id: true, label: true, kind: true, message: true, offsetSeconds: true, clampedTo: true }),
		),
	})
	.extend({
		at: z.number().nullable().describe("The moment at which the page opens."),
		from: z.number().nullable().describe("The stretch that it repeats."),
		to: z.number().nullable(),
		include: z.array(z.enum(SHARED_PARTS)).describe("Further parts that can be fetched."),
		expiresAt: timestampSchema.nullable(),
		videoUrl: z.string(),
		posterUrl: z.string(),
		failureOffsetSeconds: z
			.number()
			.nullable()
			.describe("Where the video shows the failure: a page without at and from begins shortly before it."),
		/** The picture for a chat: the frame at the failure, or the poster of a video without one. */
		pictureUrl: z.string(),
	});
export type SharedRecording = z.infer<typeof sharedRecordingSchema>;

/** A test result, as a shared page shows it: nothing of its history, its code or its labels. */
export const sharedTestSchema = testResultSchema
	.pick({
		id: true,
		test: true,
		suite: true,
		project: true,
		attempt: true,
		outcome: true,
		flaky: true,
		startedAt: true,
		offsetSeconds: true,
		clampedTo: true,
		durationSeconds: true,
		failureOffsetSeconds: true,
		isApproximate: true,
		message: true,
		steps: true,
		stepsLeftOut: true,
	})
	.extend({ attachments: z.array(attachmentSchema) });
export type SharedTest = z.infer<typeof sharedTestSchema>;
export const sharedTestPageSchema = pageOf(sharedTestSchema);

/** The name and how it ended, such as `Checkout: failed`. */
export const sharedTitle = ({ name, outcome }: Pick<SharedRecording, "name" | "outcome">): string =>
	outcome === null ? name : `${name}: ${outcome}`;

const embedPixels = (name: string) => intParam(name, 1, 100_000).optional();
export const embedQuerySchema = z.object({
	url: plainText("url", "Send url as the address of a shared page.").max(2_048),
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
