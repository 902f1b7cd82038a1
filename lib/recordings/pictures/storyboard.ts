/** A recording's storyboard: its pictures by time, for looking through it without playing it. */
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Storyboard } from "../../contract/recording.ts";
import type { Context } from "../../core/context.ts";
import { notFound } from "../../core/errors.ts";
import { roundedSeconds } from "../../core/rounded-seconds.ts";
import { serveBytes } from "../../media/serve-bytes.ts";
import { roomOf } from "../disk-room.ts";
import { appendFrame, type Frame, framesOfFile, readFrame } from "./storyboard-file.ts";
import { grabFrame, oneAtATime } from "./grab-frame.ts";
import { findRecording, type RecordingRow } from "../../lifecycle/recording-store.ts";
import { shelfOf } from "../playback/video-files.ts";

const MIN_STEP_SECONDS = 2;
/** A longer recording has longer steps: about this many a length, so that its storyboard stays small. */
const STEPS = 300;
/** A picture that comes a little early still counts for its step. */
const SLACK_SECONDS = 0.5;
/** Of a video without a storyboard so many pictures are made at most, each when it is first asked for. */
const STILLS = 60;
const MIN_STILL_STEP_SECONDS = 0.5;
const STILL_WIDTH = 480;
const SAME_SECONDS = 0.001;
/** Videos that no picture could be made of, so that it is not tried again at every look. */
const hopeless = new Set<string>();
const MAX_HOPELESS = 10_000;

/**
 * Keeps a picture of a recording under way when it is far enough behind the last one. One that comes again, or
 * late, changes nothing.
 * @param at seconds on the recording's timeline.
 */
export function addToStoryboard(ctx: Context, uploadId: string, at: number, jpeg: Buffer): Promise<boolean> {
	const isWanted = (frames: readonly Frame[]) => {
		const last = frames.at(-1);
		return last === undefined || at - last.at >= Math.max(MIN_STEP_SECONDS, at / STEPS) - SLACK_SECONDS;
	};
	return appendFrame(shelfOf(ctx).storyboardPathOf(uploadId), { at, jpeg }, isWanted);
}

/** `GET /v1/recordings/{id}/storyboard`: the times that there are pictures of. @throws not_found */
export async function getStoryboard(ctx: Context, recordingId: number): Promise<Storyboard> {
	const row = await findRecording(ctx, recordingId);
	const kept = await framesOfFile(shelfOf(ctx).storyboardPathOf(row.uploadId));
	const times = kept.length > 0 ? kept.map((frame) => frame.at) : stillTimes(row);
	return { data: times.map((at) => ({ at: roundedSeconds(at) })) };
}

/**
 * `GET /v1/recordings/{id}/frame?at=…`: the last picture at or before that time, the first one where there is none
 * before.
 * @throws not_found when there is none and none can be made.
 */
export async function serveFrame(
	ctx: Context,
	call: { recordingId: number; at: number; req: IncomingMessage; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	const shelf = shelfOf(ctx);
	const path = shelf.storyboardPathOf(row.uploadId);
	const kept = lastBefore(await framesOfFile(path), call.at);
	const found = kept === null ? await findStill(ctx, row, call) : { path, frame: kept };
	const jpeg = found === null ? null : await readFrame(found.path, found.frame);
	// The recording may be deleted at any moment, this one too.
	const handle = found === null ? null : await open(found.path, "r").catch(nullIfGone);
	if (found === null || jpeg === null || handle === null) {
		await handle?.close();
		throw notFound("picture of this recording");
	}
	await serveBytes(
		call.req,
		call.res,
		{ head: jpeg, fileBytes: 0, handle },
		{
			etag: `"${row.id}-${found.frame.offset}-${jpeg.length}"`,
			contentType: "image/jpeg",
			// The picture of its very own time stays; what was asked from in between may get a closer one.
			cacheControl: isSame(found.frame.at, call.at) ? "private, max-age=3600" : "private, no-cache",
			headers: {
				"Content-Security-Policy": "default-src 'none'; sandbox",
				"Cross-Origin-Resource-Policy": "same-origin",
			},
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

/** The times at which stills can be made of a video that has no storyboard. */
function stillTimes(row: RecordingRow): number[] {
	// The pictures of a live one come from its runner; its file is still being written.
	if (row.state === "live" || row.durationSeconds <= 0) return [];
	const step = Math.max(MIN_STILL_STEP_SECONDS, row.durationSeconds / STILLS);
	const count = Math.max(1, Math.min(STILLS, Math.floor(row.durationSeconds / step)));
	return Array.from({ length: count }, (_, index) => roundedSeconds(index * step));
}

async function findStill(ctx: Context, row: RecordingRow, call: { at: number; signal: AbortSignal }) {
	const times = stillTimes(row);
	const at = times.findLast((time) => time <= call.at + SAME_SECONDS) ?? times[0];
	if (at === undefined) return null;
	const shelf = shelfOf(ctx);
	const path = shelf.stillsPathOf(row.uploadId);
	const find = async () => (await framesOfFile(path)).find((frame) => isSame(frame.at, at));
	const known = await find();
	if (known !== undefined) return { path, frame: known };
	await oneAtATime(async () => {
		// Someone who moves on along the timeline no longer waits for this one; others may have made it.
		if (call.signal.aborted || hopeless.has(row.uploadId) || (await find()) !== undefined) return;
		await roomOf(ctx).take(0);
		const { contentType } = row;
		const video = shelf.pathOf(row.uploadId);
		const jpeg = await grabFrame(ctx.log, video, { contentType, atSeconds: at, width: STILL_WIDTH });
		if (jpeg !== null) await appendFrame(path, { at, jpeg }, () => true);
		else if (at === 0) {
			if (hopeless.size >= MAX_HOPELESS) hopeless.clear();
			hopeless.add(row.uploadId);
		}
	});
	const made = await find();
	return made === undefined ? null : { path, frame: made };
}
