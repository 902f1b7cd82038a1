/** Makes a clip of a recording: copied from key frame to key frame where that is enough, encoded again where it is not. */
import type { ClipQuery } from "@tapedeck/contract/clip.ts";
import { type ByteSource, sourceLength } from "@tapedeck/media/byte-source.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, type ProgramInput } from "../run-ffmpeg.ts";
import { type ClipRange, clipRange } from "./clip-range.ts";
import { encodeClip, FRAGMENTED, type Stretch } from "./encode-clip.ts";
import { ExcerptFile } from "./excerpt-file.ts";
import { type ProbedVideo, probeVideo } from "./probe-video.ts";

const COPY_LIMITS = { cpuSeconds: 10, timeoutMs: 60_000 };
/** Maximum time by which a clip begins early: recorders write a key frame every two seconds. */
const MAX_EARLY_SECONDS = 5;

export interface ClipCall extends Omit<ClipQuery, "against"> {
	recordingId: number;
	/** Without a stretch, the clip is around this moment. */
	failedAt: number | null;
	/** The recording on its right, and how many seconds later it is there. */
	beside: { recordingId: number; offset: number } | null;
}

export interface Clip extends ClipRange {
	source: ByteSource;
}

/**
 * Runs `work` with a clip: it may begin a little earlier than was asked.
 * @param key the same for calls that get the same clip; null if it must not be kept.
 * @throws not_found; validation_failed for a stretch that is none, or that does not fit into `maxBytes`; invalid_video if
 *   nothing can be decoded; the errors of Excerpts.
 */
export async function withClip<R>(
	ctx: RecordingContext,
	call: ClipCall & { key: string | null; signal: AbortSignal },
	work: (clip: Clip) => Promise<R>,
): Promise<R> {
	const { recordingId, key, maxBytes, signal } = call;
	const create = (signal: AbortSignal) =>
		ExcerptFile.create(ctx, (file) =>
			withPlayableInput(ctx, recordingId, async (input, durationSeconds) => {
				const range = clipRange(call, durationSeconds, call.failedAt);
				const probed = await probeVideo(input, range.from, signal);
				signal.throwIfAborted();
				if (probed === null) {
					throw new TapedeckError("invalid_video", "The dashboard's ffmpeg finds no video in this recording.");
				}
				const making = { ...call, file, signal };
				return (await copied(making, input, probed, range)) ?? (await encoded(ctx, making, input, probed, range));
			}),
		).catch(async (error) => {
			// If the recording was deleted in the meantime, that is the answer, whatever else went wrong.
			await findRecording(ctx, recordingId);
			if (isTapedeckError(error) && error.cause !== undefined) {
				ctx.log.warn({ recordingId, cause: error.cause }, "ffmpeg could not make a clip");
			}
			throw error;
		});
	return ctx.excerpts.use(ctx, { kind: "long", key, maxBytes, signal }, create, work);
}

interface Making extends ClipCall {
	file: ExcerptFile;
	signal: AbortSignal;
}

/** @returns null if it cannot be copied, or would be too large. */
async function copied(
	call: Making,
	input: ProgramInput,
	probed: ProbedVideo,
	{ from, to }: ClipRange,
): Promise<Clip | null> {
	const { codec, pixelFormat, isReordered, keyFrameAt } = probed;
	const isPlain = call.format === "mp4" && call.size === undefined && call.exact !== "1" && call.beside === null;
	const playsEverywhere = codec === "h264" && pixelFormat === "yuv420p" && !isReordered;
	if (!isPlain || !playsEverywhere || from - keyFrameAt > MAX_EARLY_SECONDS) return null;
	const [limits, video] = inputArguments(input);
	const args = [
		// Rounded up: before its time, the key frame before it would be the first one.
		...["-v", "error", "-nostdin", ...limits, "-ss", (Math.ceil(keyFrameAt * 1_000) / 1_000).toFixed(3), ...video],
		...["-t", (to - keyFrameAt).toFixed(3), "-map", "0:v:0", "-c", "copy"],
		...["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", ...FRAGMENTED, "pipe:1"],
	];
	const { signal, maxBytes, file } = call;
	const { reason } = await file.fill(args, { ...COPY_LIMITS, maxOutputBytes: maxBytes, signal });
	signal.throwIfAborted();
	if (reason !== null || file.bytes === 0) return null;
	const source = await file.progressiveMp4();
	return sourceLength(source) > maxBytes ? null : { source, from: keyFrameAt, to };
}

async function encoded(
	ctx: RecordingContext,
	call: Making,
	input: ProgramInput,
	probed: ProbedVideo,
	{ from, to }: ClipRange,
): Promise<Clip> {
	const { width, height, framesPerSecond, frameAt } = probed;
	const { size, format, maxBytes, signal, beside, file } = call;
	const encode = async (...others: Stretch[]): Promise<Clip> => {
		const source = await encodeClip({
			stretches: [{ input, from: frameAt }, ...others],
			seconds: to - from,
			width,
			height,
			framesPerSecond,
			size,
			format,
			maxBytes,
			signal,
			file,
		});
		return { source, from, to };
	};
	if (beside === null) return encode();
	return withPlayableInput(ctx, beside.recordingId, (other, durationSeconds) =>
		// After its end, its last frame stays.
		encode({ input: other, from: Math.min(from + beside.offset, Math.max(0, durationSeconds - 0.5)) }),
	);
}
