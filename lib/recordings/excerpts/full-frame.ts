/** `GET /v1/recordings/{id}/frame?at=…&width=…`: the frame that the video shows at a moment, up to its own size. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { memorySource } from "@tapedeck/media/byte-source.ts";
import { matchesEtag } from "@tapedeck/media/http-range.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { notFound } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import { mediaSecurityHeaders } from "../playback/serve-video.ts";
import type { RecordingContext } from "../recording-context.ts";
import { probeVideo } from "./probe-video.ts";

const LIMITS = { cpuSeconds: 10, timeoutMs: 60_000 };
/** Text stays readable. */
const QUALITY = 3;

export interface FrameCall {
	recordingId: number;
	/** Seconds from the beginning; after the end, the last frame is meant. */
	at: number;
	/** In pixels; a narrower video keeps its own. */
	width: number;
	signal: AbortSignal;
}

/**
 * Answers with a JPEG. A finished recording's frame never changes, so its ETag needs no video to be read.
 * @throws not_found if there is no such recording, and if its frame cannot be extracted.
 */
export async function serveFullFrame(
	ctx: RecordingContext,
	call: FrameCall & { req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	const { req, res } = call;
	const row = await findRecording(ctx, call.recordingId);
	const isLive = row.state === "live";
	const etag = `"${row.id}-${row.createdAt}-${row.bytes}-${Math.round(call.at * 1_000)}-${call.width}"`;
	const cacheControl = isLive ? "private, no-store" : "private, no-cache";
	if (!isLive && matchesEtag(req.headers["if-none-match"], etag)) {
		res.writeHead(304, { ETag: etag, "Cache-Control": cacheControl }).end();
		return;
	}
	const jpeg = await makeFullFrame(ctx, call);
	const headers = mediaSecurityHeaders(ctx);
	await serveBytes(req, res, memorySource(jpeg), { etag, contentType: "image/jpeg", cacheControl, headers });
}

/** @returns a JPEG. @throws like serveFullFrame; too_many_requests; the signal's reason. */
export async function makeFullFrame(ctx: RecordingContext, call: FrameCall): Promise<Buffer> {
	const { recordingId, at, width, signal } = call;
	const jpeg = await ctx.excerpts.take(ctx.actor, signal, () =>
		withPlayableInput(ctx, recordingId, async ({ video, contentType }, durationSeconds) => {
			const probed = await probeVideo({ video, contentType }, Math.min(at, durationSeconds), signal);
			if (probed === null) return null;
			return ctx.frameGrabber.grab(video, {
				contentType,
				atSeconds: probed.frameAt,
				width,
				quality: QUALITY,
				...LIMITS,
				signal,
			});
		}),
	);
	signal.throwIfAborted();
	// The recording may have been deleted meanwhile.
	if (jpeg === null) throw notFound("frame");
	return jpeg;
}
