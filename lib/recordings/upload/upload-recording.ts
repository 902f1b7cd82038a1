/** `POST /v1/recordings`: a video that was made elsewhere. The body is the file. */
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { type Recording, VIDEO_TYPES } from "../../contract/recording.ts";
import { assertMayWrite } from "../../core/access.ts";
import type { Context } from "../../core/context.ts";
import { isTapedeckError, TapedeckError } from "../../core/errors.ts";
import { inTransaction } from "../../core/in-transaction.ts";
import { sniffVideo, type VideoFacts } from "../../media/sniff-video.ts";
import { writeAt } from "../../media/write-at.ts";
import { diskFull, isDiskFull, roomOf } from "../disk-room.ts";
import { auditUpload, syncFolder } from "./finish-upload.ts";
import { isUndecodable } from "../pictures/grab-frame.ts";
import { holdRoom, releaseRoom, roomTaker } from "../organization-room.ts";
import { publishRecording } from "../../lifecycle/recording-store.ts";
import { recordingView } from "../recording-view.ts";
import { assertFileSize } from "../upload-limit.ts";
import { shelfOf } from "../playback/video-files.ts";

const TAKEN_TYPES: readonly string[] = [...VIDEO_TYPES, "application/octet-stream"];
/** Ending of a file that is not judged yet; the sweep removes those that a crash left. */
export const UNJUDGED = ".part";

const UNDECODABLE =
	"No frame of this video can be decoded. Send an MP4 with H.264, H.265 or AV1, or a WebM with VP8, VP9 or AV1, that plays in a browser.";

/**
 * Stores the request's body when it is a video. An upload that breaks off or is no video leaves nothing.
 *
 * @throws forbidden; unsupported_media_type; invalid_video; bad_request for a body that broke off;
 *   payload_too_large; insufficient_storage; quota_exceeded.
 */
export async function uploadRecording(ctx: Context, name: string, req: IncomingMessage): Promise<Recording> {
	assertMayWrite(ctx);
	assertType(req.headers["content-type"]);
	const uploadId = randomBytes(16).toString("hex");
	const shelf = shelfOf(ctx);
	const part = `${shelf.pathOf(uploadId)}${UNJUDGED}`;
	try {
		await receiveBody(ctx, req, part, uploadId);
		const video = await judge(part);
		if (video === null) {
			throw new TapedeckError(
				"invalid_video",
				"The body is not an MP4 or WebM file with a video in it, or not all of it. Send the whole file as the body.",
			);
		}
		if (await isUndecodable(ctx.log, part, video.contentType)) throw new TapedeckError("invalid_video", UNDECODABLE);
		await rename(part, shelf.pathOf(uploadId));
		await syncFolder(shelf.dir);
		return await store(ctx, uploadId, name, video);
	} catch (error) {
		await rm(part, { force: true });
		throw error;
	} finally {
		await releaseRoom(ctx, uploadId);
	}
}

function assertType(header: string | undefined): void {
	const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
	if (TAKEN_TYPES.includes(type)) return;
	throw new TapedeckError(
		"unsupported_media_type",
		`Send the video with Content-Type ${TAKEN_TYPES.slice(0, -1).join(", ")} or ${TAKEN_TYPES.at(-1)}.`,
	);
}

async function receiveBody(ctx: Context, req: IncomingMessage, path: string, uploadId: string): Promise<void> {
	const room = roomOf(ctx);
	const announced = Number(req.headers["content-length"] ?? 0);
	assertFileSize(ctx, announced);
	await room.assertFits(announced);
	if (announced > 0) await holdRoom(ctx, uploadId, announced);
	const takeRoom = await roomTaker(ctx, uploadId);
	const handle = await open(path, "wx", 0o600);
	try {
		let at = 0;
		// The request stays whole when this ends early: it is still to be answered.
		for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			assertFileSize(ctx, at + chunk.length);
			await room.take(chunk.length);
			await takeRoom({ end: at + chunk.length, bytes: chunk.length });
			at += await writeAt(handle, at, chunk);
		}
	} catch (cause) {
		if (isDiskFull(cause)) throw diskFull(cause);
		if (isTapedeckError(cause)) throw cause;
		if (req.errored !== null || !req.complete) {
			throw new TapedeckError("bad_request", "The body broke off before its end. Send the file again.", { cause });
		}
		throw cause;
	} finally {
		await handle.close();
	}
}

async function judge(path: string): Promise<(VideoFacts & { bytes: number }) | null> {
	const handle = await open(path, "r+");
	try {
		const { size } = await handle.stat();
		const video = await sniffVideo(handle, size);
		if (video !== null) await handle.sync();
		return video === null ? null : { ...video, bytes: size };
	} finally {
		await handle.close();
	}
}

async function store(ctx: Context, uploadId: string, name: string, video: VideoFacts & { bytes: number }) {
	const now = ctx.clock.now();
	try {
		const row = await inTransaction(ctx, async (ctx) => {
			const row = await ctx.db
				.insertInto("recording")
				.values({
					organizationId: ctx.actor.organizationId,
					jobId: null,
					name,
					state: "ready",
					contentType: video.contentType,
					uploadId,
					durationSeconds: video.durationSeconds,
					bytes: video.bytes,
					downloadBytes: video.index?.downloadBytes ?? null,
					width: video.width,
					height: video.height,
					pinned: 0,
					createdAt: now,
					updatedAt: now,
				})
				.returningAll()
				.executeTakeFirstOrThrow();
			await auditUpload(ctx, row);
			return row;
		});
		await publishRecording(ctx, row);
		return recordingView(ctx, row);
	} catch (error) {
		await shelfOf(ctx).remove(uploadId);
		throw error;
	}
}
