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
/** Before this, a frame begins: recorders leave out frames that equal the one before, but for three a second. */
const LAST_FRAME_SECONDS = 0.4;

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
		(_, index) => `[${index}:v:0]trim=end_frame=1,setpts=PTS-STARTPTS,scale=${width}:-2,setsar=1[f${index}]`,
	);
	const names = times.map((_, index) => `[f${index}]`).join("");
	const tiled = `${names}concat=n=${times.length}:v=1,tile=${columns}x${rows}:padding=4:margin=2,format=yuvj420p[sheet]`;
	return ctx.excerpts.take(ctx.actor, signal, () =>
		withPlayableInput(ctx, recordingId, async (input, durationSeconds) => {
			const [limits, video] = inputArguments(input);
			const last = Math.max(0, durationSeconds - LAST_FRAME_SECONDS);
			const inputs = times.flatMap((at) => [...limits, "-ss", Math.min(at, last).toFixed(3), ...video]);
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
