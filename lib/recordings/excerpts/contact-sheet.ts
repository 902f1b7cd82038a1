/** Frames of a recording side by side in one picture. */
import { TapedeckError } from "#lib/core/errors.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, runFfmpeg, TOO_MUCH_OUTPUT } from "../run-ffmpeg.ts";

/** Models scale down what is larger. */
const WIDTH = 1_500;
const MAX_BYTES = 2 ** 20;
/** ffmpeg's, from the best. */
const QUALITIES = [4, 8, 16, 31];
const LIMITS = { cpuSeconds: 60, timeoutMs: 120_000 };
/** Recorders leave out frames that equal the one before, but for three a second. */
const LONGEST_FRAME_SECONDS = 1;

/**
 * @param times in seconds; the picture has their frames from left to right and from top to bottom, in rows as long as the
 *   columns.
 * @returns a JPEG of at most 1 MiB.
 * @throws not_found; unavailable if it cannot be made; too_many_requests; the signal's reason.
 */
export async function makeContactSheet(
	ctx: RecordingContext,
	recordingId: number,
	times: readonly number[],
	signal: AbortSignal,
): Promise<Buffer> {
	const columns = Math.ceil(Math.sqrt(times.length));
	const rows = Math.ceil(times.length / columns);
	const width = Math.floor(WIDTH / columns / 2) * 2 - 4;
	const cells = times.map(
		// The last frame that has begun: ffmpeg's first one begins at that time or later, and shows what came after.
		(_, index) => `[${index}:v:0]scale=${width}:-2,setsar=1,reverse,trim=end_frame=1,setpts=PTS-STARTPTS[f${index}]`,
	);
	const names = times.map((_, index) => `[f${index}]`).join("");
	const tiled = `${names}concat=n=${times.length}:v=1,tile=${columns}x${rows}:padding=4:margin=2,format=yuvj420p[sheet]`;
	return ctx.excerpts.take(ctx.actor, signal, () =>
		withPlayableInput(ctx, recordingId, async (input, durationSeconds) => {
			const [limits, video] = inputArguments(input);
			const inputs = times.flatMap((time) => {
				const at = Math.min(time, durationSeconds);
				const from = Math.max(0, at - LONGEST_FRAME_SECONDS);
				// Times have milliseconds, and frames begin between them.
				const stretch = ["-ss", from.toFixed(3), "-t", (at - from + 0.001).toFixed(3)];
				return [...limits, ...stretch, ...video];
			});
			for (const quality of QUALITIES) {
				const output = ["-map", "[sheet]", "-frames:v", "1", "-c:v", "mjpeg", "-q:v", String(quality)];
				const { stdout, reason, stderr } = await runFfmpeg(
					"ffmpeg",
					[
						...["-v", "error", "-nostdin", ...inputs, "-filter_complex", [...cells, tiled].join(";")],
						...[...output, "-f", "image2pipe", "pipe:1"],
					],
					{ ...LIMITS, maxOutputBytes: MAX_BYTES, signal },
				);
				signal.throwIfAborted();
				if (reason === null && stdout.length > 0) return stdout;
				if (reason !== TOO_MUCH_OUTPUT) ctx.log.warn({ recordingId, reason, stderr }, "ffmpeg could not make a sheet");
			}
			throw new TapedeckError(
				"unavailable",
				"The dashboard could not extract the frames of this recording. Try again.",
			);
		}),
	);
}
