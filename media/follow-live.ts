/** Live playback: streams a growing fragmented MP4 for Media Source Extensions. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { copyFile } from "./byte-source.ts";
import { readAt } from "./file-io.ts";
import type { GrowingVideo } from "./growing-video.ts";
import type { Mp4Index } from "./mp4-index.ts";
import { removeShownSizes } from "./mp4-movie.ts";

export interface FollowOptions {
	/** `start`: everything; `now`: from the last fragment that begins with a keyframe; a number: from that second. */
	from: "start" | "now" | number;
	/** Ends the response. */
	signal?: AbortSignal;
	headers?: Record<string, string>;
}

/**
 * Sends the initialization segment, without the sizes of its tracks, then complete fragments as they arrive, until the video
 * ends or the client disconnects. The response begins with the initialization segment, because `Content-Type` needs its codecs.
 * @returns false, without a response, if the file turns out to have no such segment.
 */
export async function followLive(
	req: IncomingMessage,
	res: ServerResponse,
	video: GrowingVideo,
	options: FollowOptions,
): Promise<boolean> {
	const gone = new AbortController();
	const leave = () => gone.abort();
	res.once("close", leave);
	options.signal?.addEventListener("abort", leave);
	try {
		while (video.index.initBytes === 0 && !video.final && video.index.fault === null && !gone.signal.aborted) {
			await video.change(gone.signal);
		}
		if (gone.signal.aborted) {
			res.destroy();
			return true;
		}
		if (video.index.initBytes === 0) return false;
		res.writeHead(200, {
			...options.headers,
			"Content-Type": `video/mp4; codecs="${video.index.codecs}"`,
			"Cache-Control": "no-store, no-transform",
			"X-Accel-Buffering": "no",
			"X-Content-Type-Options": "nosniff",
		});
		if (req.method === "HEAD") res.end();
		else await follow(res, video, options.from, gone.signal);
		return true;
	} finally {
		res.off("close", leave);
		options.signal?.removeEventListener("abort", leave);
	}
}

/** Offset of the first fragment to send: it must begin with a keyframe to be decodable. */
function firstByte({ initBytes, keyframeOffsets, keyframeSeconds }: Mp4Index, from: FollowOptions["from"]): number {
	if (from === "start") return initBytes;
	if (from === "now") return keyframeOffsets.at(-1) ?? initBytes;
	return keyframeOffsets.at(keyframeSeconds.lastUpTo(from)) ?? initBytes;
}

async function follow(res: ServerResponse, video: GrowingVideo, from: FollowOptions["from"], gone: AbortSignal) {
	const { index } = video;
	const handle = await video.open();
	try {
		const init = await readAt(handle, 0, index.initBytes);
		if (init.length < index.initBytes) return res.destroy();
		removeShownSizes(init);
		res.write(init);
		let sent = firstByte(index, from);
		while (!gone.aborted) {
			// Read before the size: what was complete at the end is still sent.
			const ended = video.final || index.fault !== null;
			const whole = index.completeBytes;
			if (whole > sent) {
				if (!(await copyFile(handle, sent, whole, res))) return res.destroy();
				sent = whole;
			} else if (ended) break;
			else await video.change(gone);
		}
		res.end();
	} catch (error) {
		res.destroy(error as Error);
	} finally {
		await handle.close();
	}
}
