/** Playing: `GET /v1/recordings/{id}/video` and `…/live`. */
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type LiveFrom, VIDEO_TYPES } from "../../contract/recording.ts";
import type { Context } from "../../core/context.ts";
import { TapedeckError } from "../../core/errors.ts";
import { safeFileName } from "../../media/content-disposition.ts";
import { followLive } from "../../media/follow-live.ts";
import type { GrowingVideo } from "../../media/growing-video.ts";
import { type ServeOptions, serveBytes } from "../../media/serve-bytes.ts";
import { findRecording, publishRecording, type RecordingRow } from "../../lifecycle/recording-store.ts";
import { shelfOf } from "./video-files.ts";

/** What is uploaded must never run as a page of ours. A link was made to be put into other sites' pages. */
export const mediaSafety = (ctx: Context) => ({
	"Content-Security-Policy": "default-src 'none'; sandbox",
	"Cross-Origin-Resource-Policy": ctx.actor.kind === "link" ? "cross-origin" : "same-origin",
});

/**
 * Answers with a recording's video: a fragmented MP4 as a progressive one, anything else as it is. A live one is
 * answered with the whole fragments so far.
 * @throws not_found when there is none, or nothing that plays yet.
 */
export async function serveVideo(
	ctx: Context,
	call: { recordingId: number; download: boolean; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	await withVideo(ctx, row, async (video) => {
		const { index } = video;
		const asItIs = !index.playable && row.state === "ready";
		if (!index.playable && !asItIs) throw nothingYet();
		// Header and length are taken together: the file may grow while it is opened.
		const head = asItIs ? Buffer.alloc(0) : index.header();
		const fileBytes = asItIs ? video.bytes : index.completeBytes;
		if (row.state !== "live") await keepDownloadBytes(ctx, row, head.length + fileBytes);
		const handle = await open(video.path, "r");
		await serveBytes(call.req, call.res, { head, fileBytes, handle }, optionsFor(ctx, row, fileBytes, call.download));
	});
}

/** Answers tell the length of a download without reading the file; of older recordings nobody knows it yet. */
async function keepDownloadBytes(ctx: Context, row: RecordingRow, downloadBytes: number): Promise<void> {
	if ((row.downloadBytes ?? row.bytes) === downloadBytes) return;
	await ctx.db
		.updateTable("recording")
		.set({ downloadBytes })
		.where("id", "=", row.id)
		.where("state", "=", row.state)
		.execute();
	await publishRecording(ctx, row, { withJob: true });
}

function optionsFor(ctx: Context, row: RecordingRow, fileBytes: number, download: boolean): ServeOptions {
	const contentType = (VIDEO_TYPES as readonly string[]).includes(row.contentType) ? row.contentType : "video/mp4";
	return {
		etag: `"${row.id}-${fileBytes}"`,
		contentType,
		cacheControl: row.state === "ready" ? "private, no-cache" : "private, no-store",
		fileName: safeFileName(row.name, contentType === "video/webm" ? "webm" : "mp4"),
		download,
		headers: mediaSafety(ctx),
		rangeError: (length) =>
			new TapedeckError("range_not_satisfiable", `Ask for bytes 0 to ${length - 1}: that is all there is.`, {
				headers: { "content-range": `bytes */${length}` },
			}),
	};
}

/**
 * Follows a recording while it is made; one that is whole is sent from the same place to its end.
 * @throws not_found when there is none, or nothing of it can be followed.
 */
export async function serveLive(
	ctx: Context,
	call: {
		recordingId: number;
		from: LiveFrom;
		req: IncomingMessage;
		res: ServerResponse;
		/** Ends it from our side. */
		signal: AbortSignal;
	},
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	await withVideo(ctx, row, async (video) => {
		if (row.state !== "live" && !video.final) video.finish();
		const { from, signal } = call;
		if (!(await followLive(call.req, call.res, video, { from, signal, headers: mediaSafety(ctx) }))) throw nothingYet();
	});
}

async function withVideo(ctx: Context, row: RecordingRow, work: (video: GrowingVideo) => Promise<void>) {
	try {
		await shelfOf(ctx).use(row.uploadId, row.state === "live", work);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") throw nothingYet();
		throw error;
	}
}

const nothingYet = () =>
	new TapedeckError("not_found", "This recording has nothing to play yet, or its file is gone. Try again in a moment.");
