/** A recording's storyboard: frames by time, for scrubbing without playing. */
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Storyboard } from "#lib/contract/recording.ts";
import { notFound } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { serveBytes } from "#lib/media/serve-bytes.ts";
import { mediaSecurityHeaders } from "../playback/serve-video.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { Frame } from "./storyboard-file.ts";
import { withVideoInput } from "./video-input.ts";

const MIN_STEP_SECONDS = 2;
/** About this many frames per recording: longer recordings have longer intervals, so storyboards stay small. */
const STEPS = 300;
/** A frame that arrives slightly early still counts for its interval. */
const SLACK_SECONDS = 0.5;
/** The most frames extracted from a video without a storyboard, each on its first request. */
const STILLS = 60;
const MIN_STILL_STEP_SECONDS = 0.5;
const STILL_WIDTH = 480;
const SAME_SECONDS = 0.001;

/**
 * Adds a frame of a recording in progress if it is far enough from the previous one. Repeated and late frames change
 * nothing.
 * @param at seconds on the recording's timeline.
 */
export function addToStoryboard(ctx: RecordingContext, uploadId: string, at: number, jpeg: Buffer): Promise<boolean> {
	const isWanted = (frames: readonly Frame[]) => {
		const last = frames.at(-1);
		return last === undefined || at - last.at >= Math.max(MIN_STEP_SECONDS, at / STEPS) - SLACK_SECONDS;
	};
	return ctx.storyboards.append(ctx.videoFiles.storyboardPathOf(uploadId), { at, jpeg }, isWanted);
}

/** `GET /v1/recordings/{id}/storyboard`: the times of the available frames. @throws not_found */
export async function getStoryboard(ctx: RecordingContext, recordingId: number): Promise<Storyboard> {
	const row = await findRecording(ctx, recordingId);
	await ctx.storedPictures.fetchStoryboard(ctx.bucket, ctx.videoFiles, row);
	const kept = await ctx.storyboards.framesOf(ctx.videoFiles.storyboardPathOf(row.uploadId));
	const times = kept.length > 0 ? kept.map((frame) => frame.at) : stillTimes(row);
	return { data: times.map((at) => ({ at: roundedSeconds(at) })) };
}

/**
 * `GET /v1/recordings/{id}/frame?at=…`: the last frame at or before that time, or the first one if there is none.
 * @throws not_found if there is none and none can be extracted.
 */
export async function serveFrame(
	ctx: RecordingContext,
	call: { recordingId: number; at: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	const files = ctx.videoFiles;
	const path = files.storyboardPathOf(row.uploadId);
	await ctx.storedPictures.fetchStoryboard(ctx.bucket, ctx.videoFiles, row);
	const kept = lastBefore(await ctx.storyboards.framesOf(path), call.at);
	const found = kept === null ? await findStill(ctx, row, call) : { path, frame: kept };
	const jpeg = found === null ? null : await ctx.storyboards.read(found.path, found.frame);
	// The recording may be deleted at any moment.
	const handle = found === null ? null : await open(found.path, "r").catch(nullIfGone);
	if (found === null || jpeg === null || handle === null) {
		await handle?.close();
		throw notFound("frame");
	}
	await serveBytes(
		call.req,
		call.res,
		{ head: jpeg, fileBytes: 0, handle },
		{
			etag: `"${row.id}-${found.frame.offset}-${jpeg.length}"`,
			contentType: "image/jpeg",
			// The frame at exactly this time never changes; for a time between frames, a closer one may be added later.
			cacheControl: isSame(found.frame.at, call.at) ? "private, max-age=3600" : "private, no-cache",
			headers: mediaSecurityHeaders(ctx),
		},
	);
}

function nullIfGone(error: NodeJS.ErrnoException): null {
	if (error.code !== "ENOENT") throw error;
	return null;
}

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_SECONDS;

function lastBefore(frames: readonly Frame[], at: number): Frame | null {
	let low = 0;
	let high = frames.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((frames[middle] as Frame).at <= at + SAME_SECONDS) low = middle + 1;
		else high = middle;
	}
	return frames[Math.max(0, low - 1)] ?? null;
}

/** The times at which frames can be extracted from a video without a storyboard. */
function stillTimes(row: RecordingRow): number[] {
	// The file of a live recording is still being written; its runner sends frames.
	if (row.state === "live" || row.durationSeconds <= 0) return [];
	const step = Math.max(MIN_STILL_STEP_SECONDS, row.durationSeconds / STILLS);
	const count = Math.max(1, Math.min(STILLS, Math.floor(row.durationSeconds / step)));
	return Array.from({ length: count }, (_, index) => roundedSeconds(index * step));
}

async function findStill(ctx: RecordingContext, row: RecordingRow, call: { at: number; signal: AbortSignal }) {
	const times = stillTimes(row);
	const at = times.findLast((time) => time <= call.at + SAME_SECONDS) ?? times[0];
	if (at === undefined) return null;
	const files = ctx.videoFiles;
	const path = files.stillsPathOf(row.uploadId);
	const find = async () => (await ctx.storyboards.framesOf(path)).find((frame) => isSame(frame.at, at));
	const known = await find();
	if (known !== undefined) return { path, frame: known };
	await ctx.frameGrabber.queue(async () => {
		// While this was queued, the caller may have moved on, or another request may have extracted the frame.
		if (call.signal.aborted || ctx.frameGrabber.failedFor(path) || (await find()) !== undefined) return;
		await ctx.diskSpace.claim(0);
		const { contentType } = row;
		const jpeg = await withVideoInput(ctx, row, (video) =>
			ctx.frameGrabber.grab(video, { contentType, atSeconds: at, width: STILL_WIDTH }),
		);
		if (jpeg !== null) await ctx.storyboards.append(path, { at, jpeg }, () => true);
		else if (at === 0) {
			ctx.frameGrabber.keepFailure(path);
		}
	});
	const made = await find();
	return made === undefined ? null : { path, frame: made };
}
