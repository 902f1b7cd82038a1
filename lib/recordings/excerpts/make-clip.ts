/** Makes a clip of a recording: copied from key frame to key frame where that is enough, encoded again where it is not. */
import type { ClipQuery } from "@tapedeck/contract/clip.ts";
import { progressiveMp4 } from "@tapedeck/media/progressive-mp4.ts";
import { isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, type ProgramInput, runFfmpeg } from "../run-ffmpeg.ts";
import { type ClipRange, clipRange } from "./clip-range.ts";
import { encodeClip, FRAGMENTED, type Stretch } from "./encode-clip.ts";
import { type ProbedVideo, probeVideo } from "./probe-video.ts";

const COPY_LIMITS = { cpuSeconds: 10, timeoutMs: 60_000 };
/** How much earlier than asked a clip may begin: recorders write a key frame every two seconds. */
const MAX_EARLY_SECONDS = 5;

export interface ClipCall extends Omit<ClipQuery, "against"> {
	recordingId: number;
	/** Without a stretch, the clip is around this moment. */
	failedAt: number | null;
	/** The recording on its right, and how many seconds later it is there. */
	beside: { recordingId: number; offset: number } | null;
	signal: AbortSignal;
}

export interface Clip extends ClipRange {
	bytes: Buffer;
}

/**
 * @returns the clip, and what it is of: it may begin a little earlier than was asked.
 * @throws not_found; validation_failed for a stretch that is none, or that does not fit into `maxBytes`; invalid_video if
 *   nothing can be decoded; unavailable; too_many_requests; the signal's reason.
 */
export async function makeClip(ctx: RecordingContext, call: ClipCall): Promise<Clip> {
	const { recordingId, signal } = call;
	try {
		return await ctx.excerpts.take(ctx.actor, signal, () =>
			withPlayableInput(ctx, recordingId, async (input, durationSeconds) => {
				const range = clipRange(call, durationSeconds, call.failedAt);
				const probed = await probeVideo(input, range.from, signal);
				signal.throwIfAborted();
				if (probed === null) {
					throw new TapedeckError("invalid_video", "The dashboard's ffmpeg finds no video in this recording.");
				}
				return (await copied(call, input, probed, range)) ?? (await encoded(ctx, call, input, probed, range));
			}),
		);
	} catch (error) {
		// Of a recording that was deleted meanwhile, whatever went wrong.
		await findRecording(ctx, recordingId);
		if (isTapedeckError(error) && error.cause !== undefined) {
			ctx.log.warn({ recordingId, cause: error.cause }, "ffmpeg could not make a clip");
		}
		throw error;
	}
}

/** @returns null if it cannot be copied, or would be too large. */
async function copied(
	call: ClipCall,
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
	const { signal, maxBytes } = call;
	const { stdout, reason } = await runFfmpeg("ffmpeg", args, { ...COPY_LIMITS, maxOutputBytes: maxBytes, signal });
	signal.throwIfAborted();
	if (reason !== null || stdout.length === 0) return null;
	const bytes = await progressiveMp4(stdout);
	return bytes.length > maxBytes ? null : { bytes, from: keyFrameAt, to };
}

async function encoded(
	ctx: RecordingContext,
	call: ClipCall,
	input: ProgramInput,
	probed: ProbedVideo,
	{ from, to }: ClipRange,
): Promise<Clip> {
	const { width, height, framesPerSecond, frameAt } = probed;
	const { size, format, maxBytes, signal, beside } = call;
	const encode = async (...others: Stretch[]): Promise<Clip> => {
		const bytes = await encodeClip({
			stretches: [{ input, from: frameAt }, ...others],
			seconds: to - from,
			...{ width, height, framesPerSecond, size, format, maxBytes, signal },
		});
		return { bytes, from, to };
	};
	if (beside === null) return encode();
	return withPlayableInput(ctx, beside.recordingId, (other, durationSeconds) =>
		// Where it has ended already, its last moment stays.
		encode({ input: other, from: Math.min(from + beside.offset, Math.max(0, durationSeconds - 0.5)) }),
	);
}
