/** Request and response headers with a meaning of their own, as the OpenAPI document describes them. */
import * as z from "zod";
import { ATTACHMENT_HEADER } from "./attachment-kinds.ts";
import { CLIP_HEADER } from "./clip.ts";
import { onTheWire } from "./on-the-wire.ts";
import { RECORDING_HEADER } from "./recording.ts";
import { RECTANGLE_HEADER } from "./runner.ts";

const count = () => z.string().register(onTheWire, { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const idempotencyHeaders = z.object({
	"Idempotency-Key": z
		.string()
		.regex(/^[\x20-\x7e]{1,200}$/)
		.describe("Repeated within 24 hours, the call returns its first response again instead of creating another job.")
		.optional(),
});

export const locationHeader = z.object({ Location: z.string().describe("The path of what was created.") });

export const conditionalHeaders = z.object({
	"If-None-Match": z.string().max(200).describe("The ETag of a copy: 304 when it is still current.").optional(),
});
export const rangeHeaders = conditionalHeaders.extend({
	Range: z.string().max(200).describe("Part of the file, such as `bytes=0-1023`.").optional(),
});
export const fileHeaders = z.object({ ETag: z.string().describe("Changes with the file.") });

export const clipHeaders = fileHeaders.extend({
	[CLIP_HEADER]: z.string().describe("The seconds of the recording that the clip shows, such as `118.000-130.500`."),
});

export const pictureHeaders = fileHeaders.extend({
	[RECTANGLE_HEADER]: z
		.string()
		.describe("Only with `since`: the part of the picture that this is, as `x,y,width,height` in pixels.")
		.optional(),
});

const tusVersion = z.literal("1.0.0").describe("The version of the tus protocol.");

export const tusHeaders = z.object({ "Tus-Resumable": tusVersion });
export const createUploadHeaders = tusHeaders.extend({
	"Upload-Length": count().describe("The size of the file in bytes, unless it is still growing.").optional(),
	"Upload-Defer-Length": z.literal("1").describe("Instead of Upload-Length, while the size is unknown.").optional(),
	"Upload-Metadata": z
		.string()
		.max(4_000)
		.describe(
			'Pairs of a key and a Base64 value, joined by commas: `name`, or `filename`, and `filetype` (a media type, such as video/mp4); `labels` (JSON, such as {"build": "123"}), `outcome` and `keep` of a video without a job; `testResultId`, and `startedAt`, of the result that the video shows; `testResultId` or `testRunId` of an attachment, with `as` attachment for a video.',
		)
		.optional(),
});
export const appendHeaders = tusHeaders.extend({
	"Upload-Offset": count().describe("The number of bytes that the server has, as HEAD returned it."),
	"Upload-Length": count().describe("Once, when a deferred length is known.").optional(),
});
export const uploadFeaturesHeaders = z.object({
	"Tus-Version": z.string(),
	"Tus-Extension": z.string(),
	"Tus-Max-Size": count().optional(),
});
export const uploadCreatedHeaders = tusHeaders.extend({
	Location: z.string().describe("The URL of the upload, for HEAD, PATCH and DELETE."),
	"Upload-Offset": count().optional(),
	...finishedHeaders(),
});
export const uploadOffsetHeaders = tusHeaders.extend({
	"Upload-Offset": count(),
	"Upload-Length": count().optional(),
	"Upload-Defer-Length": z.literal("1").optional(),
	...finishedHeaders(),
});
export const appendedHeaders = tusHeaders.extend({ "Upload-Offset": count(), ...finishedHeaders() });

/**
 * When the dashboard answered, by its clock, and how many milliseconds it had the call, such as
 * `2026-11-25T10:00:00.000Z; dur=12`: clients on machines with a wrong clock correct their times by it.
 */
export const TIME_HEADER = "Tapedeck-Time";

/** Headers that pages of other origins may read, in addition to those that browsers always expose. */
export const EXPOSED_HEADERS = [
	...["Accept-Ranges", "Content-Disposition", "Content-Range", "ETag", "Location", "RateLimit", "RateLimit-Policy"],
	...["Retry-After", CLIP_HEADER, TIME_HEADER, "WWW-Authenticate", "X-Request-Id"],
	...["Tus-Resumable", "Upload-Defer-Length", "Upload-Length", "Upload-Metadata", "Upload-Offset", RECORDING_HEADER],
	ATTACHMENT_HEADER,
];

function finishedHeaders() {
	const id = (of: string) =>
		z
			.string()
			.register(onTheWire, { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
			.describe(`When the upload is complete: the id of its ${of}.`)
			.optional();
	return { [RECORDING_HEADER]: id("recording"), [ATTACHMENT_HEADER]: id("attachment") };
}
