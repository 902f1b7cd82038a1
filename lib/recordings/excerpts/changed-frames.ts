/** Finds the frames of a recording that differ most from the frames before them. */
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, ONE_FILTER, runFfmpeg } from "../run-ffmpeg.ts";

/** Size of the frames that are compared, in gray. */
const WIDTH = 32;
const HEIGHT = 18;
const PIXELS = WIDTH * HEIGHT;
const MAX_COMPARED = 120;
/** All key frames of a longer video would take too long to read. */
const MAX_DECODED_SECONDS = 600;
const MIN_STEP_SECONDS = 0.5;
const LIMITS = { cpuSeconds: 30, timeoutMs: 120_000 };
const GREY = [
	...["-vf", `scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`, "-fps_mode", "passthrough"],
	...["-f", "rawvideo", "pipe:1"],
];

/** A frame, and how much it differs from the one before: the mean difference of its pixels, 0 to 255. */
export interface ChangedFrame {
	at: number;
	change: number;
}

/**
 * Compares the frames that its runner sent during the recording; without them, those of the video. A long video
 * without them has frames at equal distances, of which nothing is known.
 * @returns them by time, the first one with a change of 0.
 */
export async function changedFrames(
	ctx: RecordingContext,
	row: RecordingRow,
	signal: AbortSignal,
): Promise<ChangedFrame[]> {
	const key = row.state === "live" ? null : `changed ${row.id} ${row.createdAt} ${row.bytes}`;
	return ctx.excerpts.use(
		ctx,
		{ kind: "long", key, maxBytes: 0, signal },
		async (signal) => ({
			value: (await ofStoryboard(ctx, row, signal)) ?? (await ofVideo(ctx, row, signal)),
			bytes: 0,
		}),
		async (frames) => frames,
	);
}

async function ofStoryboard(
	ctx: RecordingContext,
	row: RecordingRow,
	signal: AbortSignal,
): Promise<ChangedFrame[] | null> {
	const path = ctx.videoFiles.storyboardPathOf(row.uploadId);
	await ctx.storedPictures.fetchStoryboard(ctx.bucket, ctx.videoFiles, row);
	const all = await ctx.storyboards.framesOf(path);
	const step = Math.ceil(all.length / MAX_COMPARED);
	const kept = all.filter((_, index) => index % step === 0);
	const jpegs = await Promise.all(kept.map((frame) => ctx.storyboards.read(path, frame)));
	if (jpegs.length < 2 || jpegs.includes(null)) return null;
	const input = Buffer.concat(jpegs as Buffer[]);
	const args = ["-v", "error", "-threads", "1", "-protocol_whitelist", "pipe", "-f", "mjpeg", "-i", "pipe:0", ...GREY];
	const { stdout, reason } = await runFfmpeg("ffmpeg", args, { ...LIMITS, signal, input });
	signal.throwIfAborted();
	// One that cannot be decoded would move the times of all behind it.
	if (reason !== null || stdout.length !== kept.length * PIXELS) return null;
	return compared(
		kept.map(({ at }) => at),
		stdout,
	);
}

function ofVideo(ctx: RecordingContext, row: RecordingRow, signal: AbortSignal): Promise<ChangedFrame[]> {
	return withPlayableInput(ctx, row.id, async (input, durationSeconds) => {
		const step = Math.max(MIN_STEP_SECONDS, durationSeconds / MAX_COMPARED);
		const count = Math.max(1, Math.floor(durationSeconds / step));
		const times = Array.from({ length: count }, (_, index) => index * step);
		if (durationSeconds > MAX_DECODED_SECONDS) return times.map((at) => ({ at, change: 0 }));
		const [limits, video] = inputArguments(input);
		const [, scale = "", ...rest] = GREY;
		const filter = `fps=1/${step.toFixed(3)}:round=down,${scale}`;
		const args = [
			...["-v", "error", "-nostdin", ...limits, ...ONE_FILTER, ...video],
			...["-map", "0:v:0", "-vf", filter, ...rest],
		];
		const { stdout } = await runFfmpeg("ffmpeg", args, { ...LIMITS, signal });
		signal.throwIfAborted();
		// ffmpeg leaves out the only frame of a video that is shorter than a step.
		return compared(times.slice(0, Math.max(1, Math.floor(stdout.length / PIXELS))), stdout);
	});
}

function compared(times: readonly number[], grey: Buffer): ChangedFrame[] {
	return times.map((at, index) => {
		if (index === 0) return { at, change: 0 };
		let sum = 0;
		for (let pixel = index * PIXELS; pixel < (index + 1) * PIXELS; pixel += 1) {
			sum += Math.abs((grey[pixel] as number) - (grey[pixel - PIXELS] as number));
		}
		return { at, change: sum / PIXELS };
	});
}
