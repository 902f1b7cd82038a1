/** A recording's poster: the runner's, or the video's own frame, made once when someone first asks. */
import { randomBytes } from "node:crypto";
import { access, type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "../../core/context.ts";
import { notFound, TapedeckError } from "../../core/errors.ts";
import { readJpeg } from "../../core/read-jpeg.ts";
import { serveBytes } from "../../media/serve-bytes.ts";
import { roomOf } from "../disk-room.ts";
import { grabFrame, oneAtATime } from "./grab-frame.ts";
import { findRecording, publishRecording, type RecordingRow } from "../../lifecycle/recording-store.ts";
import { mediaSafety } from "../playback/serve-video.ts";
import { addToStoryboard } from "./storyboard.ts";
import { type RunnerCall, uploadIdOfJob } from "../upload/owner.ts";
import { shelfOf } from "../playback/video-files.ts";

/** Wider videos are not decoded either. */
const MAX_WIDTH = 8_192;
export const MAX_POSTER_BYTES = 2 ** 20;

/** Paths of pictures that could not be made, so that it is not tried at every look. */
const hopeless = new Set<string>();
const MAX_HOPELESS = 10_000;

/**
 * `PUT /v1/runner/jobs/{jobId}/poster`: replaces the poster of a job's recording. One that says where on the
 * timeline it was taken is for the storyboard too.
 * @throws forbidden unless the caller holds the job; unsupported_media_type; payload_too_large; invalid JPEGs are
 *   validation_failed; insufficient_storage.
 */
export async function putPoster(
	ctx: Context,
	call: RunnerCall & { jobId: number; at?: number; req: IncomingMessage },
): Promise<void> {
	await assertHolds(ctx, call, call.jobId);
	const bytes = await readJpeg(call.req, MAX_POSTER_BYTES);
	await roomOf(ctx).take(bytes.length);
	const uploadId = uploadIdOfJob(call.jobId);
	const path = shelfOf(ctx).posterPathOf(uploadId);
	await replaceFile(path, bytes);
	hopeless.delete(path);
	if (call.at !== undefined) await addToStoryboard(ctx, uploadId, call.at, bytes);
	const row = await ctx.db
		.selectFrom("recording")
		.select(["id", "organizationId", "jobId"])
		.where("uploadId", "=", uploadId)
		.executeTakeFirst();
	if (row !== undefined) await publishRecording(ctx, row);
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
	const fresh = `${path}.${randomBytes(4).toString("hex")}.new`;
	try {
		await writeFile(fresh, bytes, { mode: 0o600 });
		await rename(fresh, path);
	} finally {
		await rm(fresh, { force: true });
	}
}

async function assertHolds(ctx: Context, { sessionId, jobKey }: RunnerCall, jobId: number): Promise<void> {
	const held = await ctx.db
		.selectFrom("job")
		.innerJoin("runner", "runner.id", "job.runnerId")
		.select("job.id")
		.where("job.id", "=", jobId)
		.where("job.organizationId", "=", ctx.actor.organizationId)
		.where("runner.sessionId", "=", sessionId)
		.$if(jobKey !== null, (query) => query.where("job.key", "=", jobKey))
		.executeTakeFirst();
	if (held === undefined) {
		throw new TapedeckError("forbidden", "This job is not one of this runner's session. Sign in again.");
	}
}

/** What is served: where it lies, and of which frame it is made. */
interface Still {
	path: string;
	atSeconds: number;
	width?: number;
}

/** For cards: the runner's newest picture, or else the frame at 1 s, or at the middle of what is shorter. */
const smallPoster = (ctx: Context, { uploadId, durationSeconds }: RecordingRow): Still => ({
	path: shelfOf(ctx).posterPathOf(uploadId),
	atSeconds: durationSeconds > 2 ? 1 : durationSeconds / 2,
});

/** For players: what the video shows at 0:00, as large as the video. */
const firstFrame = (ctx: Context, { uploadId }: RecordingRow): Still => ({
	path: shelfOf(ctx).firstFramePathOf(uploadId),
	atSeconds: 0,
	width: MAX_WIDTH,
});

/**
 * `GET /v1/recordings/{id}/poster`.
 * @param call.full the first frame in the video's own size; the small picture while there is none.
 * @throws not_found when there is none and none can be made.
 */
export async function servePoster(
	ctx: Context,
	call: { recordingId: number; full: boolean; req: IncomingMessage; res: ServerResponse },
): Promise<void> {
	const row = await findRecording(ctx, call.recordingId);
	const full = call.full && row.state !== "live" ? await openStill(ctx, row, firstFrame(ctx, row)) : null;
	const handle = full ?? (await openStill(ctx, row, smallPoster(ctx, row)));
	if (handle === null) throw notFound("poster");
	const { size, mtimeMs } = await handle.stat();
	await serveBytes(
		call.req,
		call.res,
		{ head: Buffer.alloc(0), fileBytes: size, handle },
		{
			etag: `"${row.id}-${size}-${Math.round(mtimeMs)}"`,
			contentType: "image/jpeg",
			headers: mediaSafety(ctx),
		},
	);
}

/** @returns null when it is not there and cannot be made. */
async function openStill(ctx: Context, row: RecordingRow, still: Still): Promise<FileHandle | null> {
	const there = await openFile(still.path);
	if (there !== null) return there;
	return (await makeStill(ctx, row, still)) ? openFile(still.path) : null;
}

async function openFile(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, "r");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

const isThere = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);

/** @returns whether it is there now. */
function makeStill(ctx: Context, row: RecordingRow, { path, atSeconds, width }: Still): Promise<boolean> {
	// Of a live one the runner sends posters; its file is still being written.
	if (row.state === "live" || hopeless.has(path)) return Promise.resolve(false);
	return oneAtATime(async () => {
		if (hopeless.has(path)) return false;
		// Several asked at once, and the first of them has made it.
		if (await isThere(path)) return true;
		const { contentType, uploadId } = row;
		const jpeg = await grabFrame(ctx.log, shelfOf(ctx).pathOf(uploadId), { contentType, atSeconds, width });
		if (jpeg === null) {
			if (hopeless.size >= MAX_HOPELESS) hopeless.clear();
			hopeless.add(path);
			return false;
		}
		await replaceFile(path, jpeg);
		return true;
	});
}
