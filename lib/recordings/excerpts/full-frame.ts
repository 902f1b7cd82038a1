/** `GET /v1/recordings/{id}/frame?at=…&width=…`: the frame that the video shows at a moment, up to its own size. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ByteSource } from "@tapedeck/media/byte-source.ts";
import { matchesEtag } from "@tapedeck/media/http-range.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { notFound } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import { mediaSecurityHeaders } from "../playback/serve-video.ts";
import type { RecordingContext } from "../recording-context.ts";
import { MAX_OUTPUT_BYTES } from "../run-ffmpeg.ts";
import { ExcerptFile } from "./excerpt-file.ts";
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
	const headers = mediaSecurityHeaders(ctx);
	await withFullFrame(ctx, { ...call, key: isLive ? null : etag }, (jpeg) =>
		serveBytes(req, res, jpeg, { etag, contentType: "image/jpeg", cacheControl, headers }),
	);
}

/**
 * Runs `work` with a JPEG.
 * @param key the same for calls that get the same frame; null if it must not be kept.
 * @throws like serveFullFrame; the errors of Excerpts.
 */
export function withFullFrame<R>(
	ctx: RecordingContext,
	call: FrameCall & { key: string | null },
	work: (jpeg: ByteSource) => Promise<R>,
): Promise<R> {
	const { recordingId, at, width, key, signal } = call;
	const create = (signal: AbortSignal) =>
		ExcerptFile.create(ctx, async (file) => {
			const jpeg = await withPlayableInput(ctx, recordingId, async ({ video, contentType }, durationSeconds) => {
				const probed = await probeVideo({ video, contentType }, Math.min(at, durationSeconds), signal);
				if (probed === null) return null;
				const atSeconds = probed.frameAt;
				return ctx.frameGrabber.grab(video, { contentType, atSeconds, width, quality: QUALITY, ...LIMITS, signal });
			});
			signal.throwIfAborted();
			// The recording may have been deleted meanwhile.
			if (jpeg === null) throw notFound("frame");
			await file.write(jpeg);
			return file.source();
		});
	return ctx.excerpts.use(ctx, { kind: "frame", key, maxBytes: MAX_OUTPUT_BYTES, signal }, create, work);
}
