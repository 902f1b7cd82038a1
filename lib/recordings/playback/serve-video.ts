/** Playback: `GET /v1/recordings/{id}/video` and `…/live`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { PDF, servedAs, shownAs } from "@tapedeck/contract/attachment-kinds.ts";
import { type LiveFrom, VIDEO_TYPES } from "@tapedeck/contract/recording.ts";
import { followLive } from "@tapedeck/media/follow-live.ts";
import type { GrowingVideo } from "@tapedeck/media/growing-video.ts";
import { type ServeOptions, serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { publishRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { RecordingContext } from "../recording-context.ts";
import { fileNameOf } from "./file-name.ts";
import { findVideo, nothingPlayable, playableOf } from "./find-video.ts";
import { indexObject, objectBytes, openObject } from "./open-object.ts";

/** Uploads must never run as a page of ours. Links are meant to be embedded in other sites. */
export const mediaSecurityHeaders = (ctx: RecordingContext) => ({
	"Content-Security-Policy": "default-src 'none'; sandbox",
	"Cross-Origin-Resource-Policy": ctx.actor.kind === "link" ? "cross-origin" : "same-origin",
});

/**
 * Serves a recording's file: a fragmented MP4 as a progressive one, anything else unchanged. For a live recording,
 * serves the complete fragments so far.
 * @throws not_found if it doesn't exist, or nothing is playable yet.
 */
export async function serveVideo(
	ctx: RecordingContext,
	call: { recordingId: number; download: boolean; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	await findVideo(ctx, call.recordingId, {
		inBucket: async (row) => {
			const source = { head: Buffer.alloc(0), fileBytes: objectBytes(row), handle: openObject(ctx, row) };
			await serveBytes(call.req, call.res, source, optionsFor(ctx, row, row.bytes, call.download));
		},
		onDisk: (row, video) => serveFile(ctx, row, video, call),
	});
}

async function serveFile(
	ctx: RecordingContext,
	row: RecordingRow,
	video: GrowingVideo,
	call: { download: boolean; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	const { head, fileBytes } = playableOf(row, video);
	if (row.state !== "live") await keepDownloadBytes(ctx, row, head.length + fileBytes);
	const handle = await video.open();
	await serveBytes(call.req, call.res, { head, fileBytes, handle }, optionsFor(ctx, row, fileBytes, call.download));
}

/** Stores the download size, so that responses report it without reading the file. Older recordings lack it. */
async function keepDownloadBytes(ctx: RecordingContext, row: RecordingRow, downloadBytes: number): Promise<void> {
	if ((row.downloadBytes ?? row.bytes) === downloadBytes) return;
	await ctx.db
		.updateTable("recording")
		.set({ downloadBytes })
		.where("id", "=", row.id)
		.where("state", "=", row.state)
		.execute();
	await publishRecording(ctx, row, { withJob: true });
}

const videoType = ({ contentType }: RecordingRow): string =>
	(VIDEO_TYPES as readonly string[]).includes(contentType) ? contentType : "video/mp4";

/** A PDF opens in a frame of our pages. Chromium's viewer, which runs apart from our origin, refuses a sandbox around it. */
const pdfHeaders = (ctx: RecordingContext) => ({
	...mediaSecurityHeaders(ctx),
	"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
	"X-Frame-Options": "SAMEORIGIN",
});

function optionsFor(ctx: RecordingContext, row: RecordingRow, fileBytes: number, download: boolean): ServeOptions {
	const isPdf = row.kind !== "video" && row.contentType === PDF;
	return {
		etag: `"${row.id}-${fileBytes}"`,
		contentType: isPdf ? PDF : row.kind === "video" ? videoType(row) : servedAs(row.contentType),
		cacheControl: row.state === "ready" ? "private, no-cache" : "private, no-store",
		fileName: fileNameOf(row),
		download: download || (row.kind !== "video" && !isPdf && shownAs(row.contentType) === "file"),
		headers: isPdf ? pdfHeaders(ctx) : mediaSecurityHeaders(ctx),
		rangeError: (length) =>
			new TapedeckError(
				"range_not_satisfiable",
				`The file has ${length} bytes. Request a range from 0 to ${length - 1}.`,
				{
					headers: { "content-range": `bytes */${length}` },
				},
			),
	};
}

/**
 * Streams a recording while it grows; a complete one is sent from the same position to its end.
 * @throws not_found if it doesn't exist, or cannot be streamed.
 */
export async function serveLive(
	ctx: RecordingContext,
	call: {
		recordingId: number;
		from: LiveFrom;
		req: IncomingMessage;
		res: ServerResponse;
		/** Ends the stream. */
		signal: AbortSignal;
	},
): Promise<void> {
	const follow = async (row: RecordingRow, video: GrowingVideo) => {
		if (row.state !== "live" && !video.final) video.finish();
		const { from, signal } = call;
		if (!(await followLive(call.req, call.res, video, { from, signal, headers: mediaSecurityHeaders(ctx) })))
			throw nothingPlayable();
	};
	await findVideo(ctx, call.recordingId, {
		inBucket: async (row) => follow(row, await indexObject(ctx, row)),
		onDisk: follow,
	});
}
