/** A stored video as ffmpeg can read it: a file, or for as long as it is needed a URL of this machine. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ByteSource } from "@tapedeck/media/byte-source.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { assertVideo, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { findVideo, playableOf } from "../playback/find-video.ts";
import { isInBucket, objectBytes, openObject, type StoredRow } from "../playback/open-object.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { ProgramInput } from "../run-ffmpeg.ts";

/**
 * @param work gets the path or the URL, which nobody else knows.
 * @throws not_found for a file without frames.
 */
export async function withVideoInput<T>(
	ctx: RecordingContext,
	row: RecordingRow,
	work: (input: string) => Promise<T>,
): Promise<T> {
	// An image is a video of one frame to ffmpeg.
	if (row.kind !== "image") assertVideo(row);
	if (!isInBucket(row)) return work(ctx.videoFiles.pathOf(row.uploadId));
	return withUrl(objectSource(ctx, row), row.contentType, work);
}

/**
 * A recording as it is played, and so with its index at the beginning: ffmpeg reads no more than it needs, however long
 * the video is. Of a recording in progress, what there is by now.
 * @param work gets the video, how long it plays, and its row.
 * @throws not_found if it doesn't exist, or nothing is playable yet.
 */
export function withPlayableInput<T>(
	ctx: RecordingContext,
	recordingId: number,
	work: (input: ProgramInput, durationSeconds: number, row: RecordingRow) => Promise<T>,
): Promise<T> {
	return withPlayableSource(ctx, recordingId, (source, durationSeconds, row) => {
		assertVideo(row);
		const { contentType } = row;
		return withUrl(source, contentType, (video) => work({ video, contentType }, durationSeconds, row));
	});
}

/** The bytes of a recording as it is played. @throws like `withPlayableInput`. */
export function withPlayableSource<T>(
	ctx: RecordingContext,
	recordingId: number,
	work: (source: ByteSource, durationSeconds: number, row: RecordingRow) => Promise<T>,
): Promise<T> {
	return findVideo(ctx, recordingId, {
		inBucket: (row) => work(objectSource(ctx, row), row.durationSeconds, row),
		onDisk: async (row, video) => {
			const durationSeconds = row.state === "live" ? video.index.durationSeconds : row.durationSeconds;
			const playable = playableOf(row, video);
			const handle = await video.open();
			try {
				return await work({ ...playable, handle }, durationSeconds, row);
			} finally {
				await handle.close();
			}
		},
	});
}

const objectSource = (ctx: RecordingContext, row: StoredRow): ByteSource => ({
	head: Buffer.alloc(0),
	fileBytes: objectBytes(row),
	handle: openObject(ctx, row),
});

/** @param source stays open. @param work gets the URL, which nobody else knows. */
export async function withUrl<T>(
	source: ByteSource,
	contentType: string,
	work: (input: string) => Promise<T>,
): Promise<T> {
	const path = `/${randomBytes(16).toString("hex")}`;
	const { handle } = source;
	const kept = {
		read: handle.read.bind(handle),
		prepare: handle.prepare?.bind(handle),
		// Several requests read it.
		close: async () => undefined,
	};
	const server = createServer((req, res) => {
		if (req.url !== path) return void res.writeHead(404).end();
		serveBytes(req, res, { ...source, handle: kept }, { etag: '"video"', contentType }).catch(() => res.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(0, "127.0.0.1", resolve);
	});
	try {
		return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
	} finally {
		server.close();
		server.closeAllConnections();
	}
}
