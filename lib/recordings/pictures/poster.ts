/** A recording's poster: sent by the runner, or extracted from the video on first request. */
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { isTapedeckError, notFound, TapedeckError } from "#lib/core/errors.ts";
import { type RequestBody, readJpeg } from "#lib/core/read-jpeg.ts";
import { findRecording, publishRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { failMarkerOf, reportedFailureOf } from "../fail-markers.ts";
import { mediaSecurityHeaders } from "../playback/serve-video.ts";
import type { RecordingContext } from "../recording-context.ts";
import { findHeldJob, NOT_HELD, type RunnerCall, uploadIdOfJob } from "../upload/owner.ts";
import { isThere, replaceFile } from "./stored-pictures.ts";
import { addToStoryboard, serveFrame } from "./storyboard.ts";
import { withVideoInput } from "./video-input.ts";

/** Wider videos are not decoded. */
const MAX_WIDTH = 8_192;
export const MAX_POSTER_BYTES = 2 ** 20;

/**
 * `PUT /v1/runner/jobs/{jobId}/poster`: replaces the poster of a job's recording. A poster with its time on the
 * timeline is added to the storyboard too.
 * @throws forbidden unless the caller holds the job; unsupported_media_type; payload_too_large; validation_failed for
 *   an invalid JPEG; insufficient_storage.
 */
export async function storePoster(
	ctx: RecordingContext,
	call: RunnerCall & { jobId: number; at?: number; body: RequestBody },
): Promise<void> {
	if ((await findHeldJob(ctx, call, call.jobId)) === undefined) throw new TapedeckError("forbidden", NOT_HELD);
	const bytes = await readJpeg(call.body, MAX_POSTER_BYTES);
	await ctx.diskSpace.claim(bytes.length);
	const uploadId = uploadIdOfJob(call.jobId);
	const path = ctx.videoFiles.posterPathOf(uploadId);
	const rowOf = () =>
		ctx.db
			.selectFrom("recording")
			.select(["id", "organizationId", "jobId", "uploadId", "objectKey"])
			.where("uploadId", "=", uploadId)
			.executeTakeFirst();
	const before = await rowOf();
	if (before !== undefined) await ctx.storedPictures.fetchStoryboard(ctx.bucket, ctx.videoFiles, before);
	await replaceFile(path, bytes);
	ctx.frameGrabber.forgetFailure(path);
	if (call.at !== undefined) await addToStoryboard(ctx, uploadId, call.at, bytes);
	// Read again: its video may have been stored meanwhile.
	const row = await rowOf();
	if (row === undefined) return;
	await ctx.storedPictures.store(ctx.bucket, ctx.videoFiles, row);
	await publishRecording(ctx, row);
}

/** A file to serve, and the frame it is extracted from if it doesn't exist. */
interface Still {
	path: string;
	atSeconds: number;
	width?: number;
	/** Fetches the file if it is stored elsewhere. */
	fetch?: () => Promise<void>;
}

/** For cards: the runner's latest poster, otherwise the frame at 1 s, or at the middle of a shorter video. */
const smallPoster = (ctx: RecordingContext, row: RecordingRow): Still => ({
	path: ctx.videoFiles.posterPathOf(row.uploadId),
	atSeconds: row.durationSeconds > 2 ? 1 : row.durationSeconds / 2,
	fetch: () => ctx.storedPictures.fetchPoster(ctx.bucket, ctx.videoFiles, row),
});

/** For players: the first frame at full size. */
const firstFrame = (ctx: RecordingContext, { uploadId }: RecordingRow): Still => ({
	path: ctx.videoFiles.firstFramePathOf(uploadId),
	atSeconds: 0,
	width: MAX_WIDTH,
});

/**
 * `GET /v1/recordings/{id}/poster`: of a failed recording, the frame of its failure.
 * @param call.full requests the first frame at full size; falls back to the small poster.
 * @throws not_found if there is none and none can be extracted.
 */
export async function servePoster(
	ctx: RecordingContext,
	call: { recordingId: number; full: boolean; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	if (!call.full && (await servesFailure(ctx, row, call))) return;
	const open = (still: Still) => openStill(ctx, row, still, call.signal);
	const full = call.full && row.state !== "live" ? await open(firstFrame(ctx, row)) : null;
	const handle = full ?? (await open(smallPoster(ctx, row)));
	if (handle === null) throw notFound("poster");
	const { size, mtimeMs } = await handle.stat();
	await serveBytes(
		call.req,
		call.res,
		{ head: Buffer.alloc(0), fileBytes: size, handle },
		{
			etag: `"${row.id}-${size}-${Math.round(mtimeMs)}"`,
			contentType: "image/jpeg",
			headers: mediaSecurityHeaders(ctx),
		},
	);
}

/** The poster of a failed recording shows the failure. @returns false if nobody said when it was, or it has no frame. */
async function servesFailure(
	ctx: RecordingContext,
	row: RecordingRow,
	call: { recordingId: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<boolean> {
	if (!isFailure(row.outcome) || row.state === "live") return false;
	if ((await failMarkerOf(ctx, row)) === null && (await reportedFailureOf(ctx, row)) === null) return false;
	try {
		await serveFrame(ctx, { ...call, of: "failure" });
		return true;
	} catch (error) {
		if (!call.res.headersSent && isTapedeckError(error) && error.code === "not_found") return false;
		throw error;
	}
}

/** @returns null if it doesn't exist and cannot be extracted. */
async function openStill(
	ctx: RecordingContext,
	row: RecordingRow,
	still: Still,
	signal: AbortSignal,
): Promise<FileHandle | null> {
	await still.fetch?.();
	const there = await openFile(still.path);
	if (there !== null) return there;
	return (await makeStill(ctx, row, still, signal)) ? openFile(still.path) : null;
}

async function openFile(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

/** @returns whether the file exists now. */
async function makeStill(
	ctx: RecordingContext,
	row: RecordingRow,
	{ path, atSeconds, width }: Still,
	signal: AbortSignal,
): Promise<boolean> {
	const { frameGrabber } = ctx;
	// The file of a live recording is still being written; its runner sends posters.
	if (row.state === "live" || frameGrabber.failedFor(path)) return false;
	const work = async () => {
		if (frameGrabber.failedFor(path)) return false;
		// A concurrent request may have created it while this one was queued.
		if (await isThere(path)) return true;
		const { contentType } = row;
		const options = { path, contentType, atSeconds, width };
		const jpeg = await withVideoInput(ctx, row, (video) => frameGrabber.grab(video, options));
		if (jpeg === null) return false;
		await replaceFile(path, jpeg);
		return true;
	};
	return (await frameGrabber.queue(ctx, work, signal)) ?? false;
}
