/** A recording's storyboard: frames by time, for scrubbing without playing. */
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FrameQuery, Storyboard } from "@tapedeck/contract/recording.ts";
import { serveBytes } from "@tapedeck/media/serve-bytes.ts";
import { invalid, notFound } from "#lib/core/errors.ts";
import { roundedSeconds } from "#lib/core/times.ts";
import { findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { serveFullFrame } from "../excerpts/full-frame.ts";
import { failMarkerOf, reportedFailureOf } from "../fail-markers.ts";
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
/** Longer than a frame of most videos. */
const LAST_FRAME_SECONDS = 0.1;

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
	const lastChangeAt = row.state === "live" ? null : await lastChangeOf(ctx, row, kept);
	return {
		data: times.map((at) => ({ at: roundedSeconds(at) })),
		lastChangeAt: lastChangeAt === null ? null : roundedSeconds(lastChangeAt),
	};
}

/** When a frame last differed from the one before it. Of a video without a storyboard, its last frame counts. */
async function lastChangeOf(ctx: RecordingContext, row: RecordingRow, kept: readonly Frame[]): Promise<number | null> {
	const path = ctx.videoFiles.storyboardPathOf(row.uploadId);
	let at = kept.length - 1;
	if (at < 0) return stillTimes(row).at(-1) ?? null;
	let frame = await ctx.storyboards.read(path, kept[at] as Frame);
	for (; at > 0; at -= 1) {
		const before = await ctx.storyboards.read(path, kept[at - 1] as Frame);
		// The same picture gives the same JPEG.
		if (frame === null || before === null || !frame.equals(before)) break;
		frame = before;
	}
	return (kept[at] as Frame).at;
}

/**
 * `GET /v1/recordings/{id}/frame?at=…`: the last frame at or before that time, or the first one if there is none. With
 * `of=failure`, the very frame at the first marker of the kind `fail`, or without one at the first reported failure, or the
 * last one that changed. With `width`, the very frame of the video in that size (full-frame).
 * @throws not_found if there is none and none can be extracted; validation_failed at `at` without a moment.
 */
export async function serveFrame(
	ctx: RecordingContext,
	call: FrameQuery & { recordingId: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	if ((call.at === undefined) === (call.of === undefined)) {
		throw invalid({ path: "at", code: "invalid", message: "Send at as seconds from the beginning, or of=failure." });
	}
	const row = await findRecording(ctx, call.recordingId);
	const files = ctx.videoFiles;
	const path = files.storyboardPathOf(row.uploadId);
	await ctx.storedPictures.fetchStoryboard(ctx.bucket, ctx.videoFiles, row);
	const frames = await ctx.storyboards.framesOf(path);
	const isFailure = call.at === undefined;
	const failedAt = isFailure
		? ((await failMarkerOf(ctx, row)) ?? (await reportedFailureOf(ctx, row))?.offsetSeconds ?? null)
		: null;
	const at = call.at ?? failedAt ?? (await lastChangeOf(ctx, row, frames)) ?? 0;
	if (call.width !== undefined) return serveFullFrame(ctx, { ...call, at, width: call.width });
	const exact = failedAt === null ? null : await findExact(ctx, row, failedAt, call.signal);
	const kept = exact === null ? lastBefore(frames, at) : null;
	const found = exact ?? (kept === null ? await findStill(ctx, row, at, call.signal) : { path, frame: kept });
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
			cacheControl: !isFailure && isSame(found.frame.at, at) ? "private, max-age=3600" : "private, no-cache",
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

function findStill(ctx: RecordingContext, row: RecordingRow, wanted: number, signal: AbortSignal) {
	const times = stillTimes(row);
	const at = times.findLast((time) => time <= wanted + SAME_SECONDS) ?? times[0];
	return at === undefined ? null : extract(ctx, row, at, signal);
}

/** The frame at the moment of a failure, which may lie between the frames of a storyboard. */
async function findExact(ctx: RecordingContext, row: RecordingRow, failedAt: number, signal: AbortSignal) {
	if (row.state === "live") return null;
	// No frame begins at the very end.
	return extract(ctx, row, Math.max(0, Math.min(failedAt, row.durationSeconds - LAST_FRAME_SECONDS)), signal);
}

/** Extracts a frame of the video once, and keeps it beside the video. */
async function extract(ctx: RecordingContext, row: RecordingRow, at: number, signal: AbortSignal) {
	const path = ctx.videoFiles.stillsPathOf(row.uploadId);
	const find = async () => (await ctx.storyboards.framesOf(path)).find((frame) => isSame(frame.at, at));
	const known = await find();
	if (known !== undefined) return { path, frame: known };
	if (ctx.frameGrabber.failedFor(path)) return null;
	const work = async () => {
		// While this was queued, another request may have extracted the frame, or failed.
		if (ctx.frameGrabber.failedFor(path) || (await find()) !== undefined) return;
		await ctx.diskSpace.claim(0);
		const { contentType } = row;
		const jpeg = await withVideoInput(ctx, row, (video) =>
			ctx.frameGrabber.grab(video, { path, contentType, atSeconds: at, width: STILL_WIDTH }),
		);
		if (jpeg !== null) await ctx.storyboards.append(path, { at, jpeg }, () => true);
	};
	await ctx.frameGrabber.queue(ctx, work, signal);
	const made = await find();
	return made === undefined ? null : { path, frame: made };
}
