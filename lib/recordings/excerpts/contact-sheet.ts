/** Frames of a recording side by side in one picture. */
import { readAt } from "@tapedeck/media/file-io.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { ONE_FILTER, runFfmpeg, TOO_MUCH_OUTPUT } from "../run-ffmpeg.ts";
import { ExcerptFile } from "./excerpt-file.ts";

/** The longest side in pixels: models scale down what is larger. */
const LONGEST_SIDE = 1_500;
/** As base64 it fits into an answer of an MCP server, of which clients read at most 1 MiB. */
const MAX_BYTES = 600_000;
/** Around each frame. */
const PADDING = 4;
/** ffmpeg's, from the best. */
const QUALITIES = [4, 8, 16, 31];
/** Quality of each frame before the sheet is encoded. */
const FRAME_QUALITY = 2;
const LIMITS = { cpuSeconds: 60, timeoutMs: 120_000 };

/**
 * @param times in seconds; the picture has their frames from left to right and from top to bottom, in rows as long as the
 *   columns.
 * @returns a JPEG of at most 600,000 bytes and 1,500 × 1,500 pixels. Frames are never larger than in the video.
 * @throws not_found; unavailable if it cannot be created; the errors of Excerpts.
 */
export function makeContactSheet(
	ctx: RecordingContext,
	{ id, createdAt, bytes, state }: RecordingRow,
	times: readonly number[],
	signal: AbortSignal,
): Promise<Buffer> {
	const key = state === "live" ? null : `sheet ${id} ${createdAt} ${bytes} ${times.join()}`;
	return ctx.excerpts.use(
		ctx,
		{ kind: "long", key, maxBytes: MAX_BYTES, signal },
		(signal) =>
			ExcerptFile.create(ctx, async (file) => {
				await file.write(await createSheet(ctx, id, times, signal));
				return file.source();
			}),
		({ handle, fileBytes }) => readAt(handle, 0, fileBytes),
	);
}

function createSheet(
	ctx: RecordingContext,
	recordingId: number,
	times: readonly number[],
	signal: AbortSignal,
): Promise<Buffer> {
	const columns = Math.ceil(Math.sqrt(times.length));
	const rows = Math.ceil(times.length / columns);
	const tiled = `setsar=1,tile=${columns}x${rows}:padding=${PADDING}:margin=${PADDING / 2},format=yuvj420p`;
	return withPlayableInput(ctx, recordingId, async ({ video, contentType }, durationSeconds, row) => {
		const { width, height } = tileSize(row, columns, rows);
		const frames: Buffer[] = [];
		for (const time of times) {
			const atSeconds = Math.min(time, durationSeconds);
			const options = { contentType, atSeconds, width, quality: FRAME_QUALITY, ...LIMITS, signal };
			const jpeg = await ctx.frameGrabber.grab(video, options);
			signal.throwIfAborted();
			if (jpeg === null) throw notMade();
			frames.push(jpeg);
		}
		const input = Buffer.concat(frames);
		// All in the shape of the video, because those of a resized display have their own.
		const shape = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1:eval=frame`;
		for (const quality of QUALITIES) {
			const args = [
				...["-v", "error", "-threads", "1", "-protocol_whitelist", "pipe", "-f", "mjpeg"],
				...[...ONE_FILTER, "-i", "pipe:0", "-vf", `${shape},${tiled}`, "-frames:v", "1"],
				...["-c:v", "mjpeg", "-q:v", String(quality), "-f", "image2pipe", "pipe:1"],
			];
			const { stdout, reason, stderr } = await runFfmpeg("ffmpeg", args, {
				...LIMITS,
				maxOutputBytes: MAX_BYTES,
				signal,
				input,
			});
			signal.throwIfAborted();
			if (reason === null && stdout.length > 0) return stdout;
			if (reason !== TOO_MUCH_OUTPUT) ctx.log.warn({ recordingId, reason, stderr }, "ffmpeg could not make a sheet");
		}
		throw notMade();
	});
}

/** The size of each frame in the sheet, in the shape of the video. */
export function tileSize({ width, height }: Pick<RecordingRow, "width" | "height">, columns: number, rows: number) {
	const [wide, high] = [width ?? 1_280, height ?? 720];
	const scale = Math.min(1, (LONGEST_SIDE / columns - PADDING) / wide, (LONGEST_SIDE / rows - PADDING) / high);
	// Chroma is coded for two by two pixels.
	const even = (side: number) => Math.max(2, Math.floor((side * scale) / 2) * 2);
	return { width: even(wide), height: even(high) };
}

const notMade = (): TapedeckError =>
	new TapedeckError("unavailable", "The dashboard could not extract the frames of this recording. Try again.");
