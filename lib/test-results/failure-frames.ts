/**
 * A picture of each failure, which stays when the video is deleted: the frame at the moment at which the test failed. Taken
 * once the video is stored, by the process that has it.
 */
import { sql } from "kysely";
import { notFound } from "#lib/core/errors.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { isThere } from "#lib/recordings/pictures/stored-pictures.ts";
import { withVideoInput } from "#lib/recordings/pictures/video-input.ts";
import { isInBucket } from "#lib/recordings/playback/open-object.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { findResult } from "./list-results.ts";
import { publishResults, type TestResultRow, WITHOUT_FRAME } from "./store/result-store.ts";

const WIDTH = 480;
/** Maximum number of frames of one sweep. */
const AT_ONCE = 100;
/** Maximum number of frames of one recording: a run in which everything fails shows the same picture again and again. */
const MAX_FRAMES = 100;
/** No frame begins at the very end. */
const LAST_FRAME_SECONDS = 0.1;
/** On a busy machine ffmpeg may be too slow, and a bucket may be away. */
const TRIES = 3;
const AGAIN_MS = 60_000;
const HAS_FRAME = 1;

/** @returns a JPEG. @throws not_found */
export async function readFailureFrame(ctx: RecordingContext, resultId: number): Promise<Buffer> {
	const { id } = await findResult(ctx, resultId);
	const frame = await ctx.db.selectFrom("testFrame").select("jpeg").where("resultId", "=", id).executeTakeFirst();
	if (frame === undefined) throw notFound("frame");
	return Buffer.from(frame.jpeg);
}

interface Tries {
	count: number;
	/** When it is tried again, by performance.now(). */
	next: number;
}

type WaitingRow = Pick<TestResultRow, "id" | "organizationId" | "jobId" | "recordingId" | "testRunId" | "momentAt">;

/** @returns takes the frames of failures whose videos are stored, and stops when `signal` aborts. */
export function frameSweep(signal: AbortSignal): (ctx: RecordingContext) => Promise<void> {
	const failed = new Map<number, Tries>();
	return async (ctx) => {
		for (const row of await waiting(ctx)) {
			if (signal.aborted) return;
			if ((failed.get(row.id)?.next ?? 0) <= performance.now()) await takeFrame(ctx, row, failed, signal);
		}
	};
}

/** Failures without a frame whose jobs are over. Those that can never have one are few, and noted at once. */
async function waiting(ctx: RecordingContext): Promise<WaitingRow[]> {
	return (
		ctx.db
			.selectFrom("testResult")
			.leftJoin("job", "job.id", "testResult.jobId")
			.select(["testResult.id", "testResult.organizationId", "testResult.jobId"])
			.select(["testResult.recordingId", "testResult.testRunId", "testResult.momentAt"])
			// Literally, as in the index.
			.where(sql<boolean>`"testResult".outcome in ('failed', 'error') and "testResult"."hasFrame" = 0`)
			.where(({ or, eb }) =>
				or([eb("testResult.jobId", "is", null), eb("job.status", "in", ["completed", "failed", "cancelled"])]),
			)
			// Others' may wait for a dashboard that is away.
			.orderBy("testResult.id", "desc")
			.limit(AT_ONCE)
			.execute()
	);
}

async function takeFrame(
	ctx: RecordingContext,
	result: WaitingRow,
	failed: Map<number, Tries>,
	signal: AbortSignal,
): Promise<void> {
	const { id, jobId, recordingId } = result;
	const video = await ctx.db
		.selectFrom("recording")
		.selectAll()
		.where(jobId === null ? "id" : "jobId", "=", jobId ?? recordingId)
		.executeTakeFirst();
	if (video?.state === "live") return;
	const isGone = video === undefined || (video.deletedAt !== null && video.purgeAt === null);
	const hasNone = isGone || video.kind !== "video";
	if (hasNone || (await countFrames(ctx, result)) >= MAX_FRAMES) return settle(ctx, result, null);
	// Another dashboard may have it on its disk.
	if (!isInBucket(video) && !(await isThere(ctx.videoFiles.pathOf(video.uploadId)))) return;
	const taken = await grab(ctx, result, video, signal);
	// The server may be stopping, and the database closed.
	if (signal.aborted) return;
	if (taken !== null) return settle(ctx, result, taken);
	const count = (failed.get(id)?.count ?? 0) + 1;
	failed.set(id, { count, next: performance.now() + AGAIN_MS });
	if (count < TRIES) return;
	failed.delete(id);
	await settle(ctx, result, null);
}

async function countFrames(ctx: RecordingContext, { jobId, recordingId }: WaitingRow): Promise<number> {
	const { count } = await ctx.db
		.selectFrom("testResult")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where(jobId === null ? "recordingId" : "jobId", "=", jobId ?? recordingId)
		.where("hasFrame", "=", HAS_FRAME)
		.executeTakeFirstOrThrow();
	return Number(count);
}

interface Taken {
	jpeg: Buffer;
	screen: string | null;
}

async function grab(
	ctx: RecordingContext,
	{ organizationId, jobId, momentAt }: WaitingRow,
	video: RecordingRow,
	signal: AbortSignal,
): Promise<Taken | null> {
	const job =
		jobId === null
			? undefined
			: await ctx.db.selectFrom("job").select("startedAt").where("id", "=", jobId).executeTakeFirst();
	const startedAt = job?.startedAt ?? video.createdAt;
	const seconds = ((momentAt ?? startedAt) - startedAt) / 1_000;
	const atSeconds = Math.max(0, Math.min(seconds, video.durationSeconds - LAST_FRAME_SECONDS));
	const options = { contentType: video.contentType, atSeconds, width: WIDTH };
	const work = () =>
		withVideoInput(ctx, video, async (input) => {
			const jpeg = await ctx.frameGrabber.grab(input, options);
			const grey = jpeg === null ? null : await ctx.frameGrabber.grabGrey(input, options);
			return jpeg === null ? null : { jpeg, screen: grey === null ? null : screenHash(grey) };
		});
	return ctx.frameGrabber.queue({ actor: { kind: "system", organizationId } }, work, signal);
}

/** @param taken null if there will be none. */
async function settle(ctx: RecordingContext, { id, ...result }: WaitingRow, taken: Taken | null): Promise<void> {
	await ctx.db.transaction().execute(async (db) => {
		const { numUpdatedRows } = await db
			.updateTable("testResult")
			.set({ hasFrame: taken === null ? WITHOUT_FRAME : HAS_FRAME, screen: taken?.screen ?? null })
			.where("id", "=", id)
			.where("momentAt", "is not", null)
			// Another moment may have been reported since.
			.where("momentAt", "=", result.momentAt)
			.executeTakeFirst();
		if (taken === null || numUpdatedRows === 0n) return;
		await db
			.insertInto("testFrame")
			.values({ resultId: id, jpeg: taken.jpeg })
			.onConflict((conflict) => conflict.column("resultId").doUpdateSet({ jpeg: taken.jpeg }))
			.execute();
	});
	if (taken !== null)
		publishResults({ ...ctx, actor: { kind: "system", organizationId: result.organizationId } }, result);
}

/** Differences of brightness below this are noise of the video's compression. */
const CLEARLY = 3;
const HASHED = { width: 9, height: 8 } as const;

/**
 * A 64-bit hash of a failure's last frame: for each of 8 × 8 places whether it is clearly brighter than its right
 * neighbour. Two frames of the same screen differ in few bits, whatever small thing has changed in it.
 * @param grey 9 × 8 bytes, row by row.
 * @returns 16 hexadecimal digits.
 */
function screenHash(grey: Uint8Array): string {
	let hash = 0n;
	for (let y = 0; y < HASHED.height; y += 1) {
		for (let x = 0; x < HASHED.width - 1; x += 1) {
			const at = y * HASHED.width + x;
			const isBrighter = (grey[at] as number) > (grey[at + 1] as number) + CLEARLY;
			hash = (hash << 1n) | (isBrighter ? 1n : 0n);
		}
	}
	return hash.toString(16).padStart(16, "0");
}
