/** Reads with ffprobe how a video is encoded, and when its frames around a moment are shown. */
import * as z from "zod";
import { inputArguments, type ProgramInput, runFfmpeg, VIDEO_DECODERS } from "../run-ffmpeg.ts";

/** ffprobe refuses a file with any other codec, in whichever stream. */
const SOUNDS = "aac,mp3,mp3float,opus,libopus,vorbis,libvorbis,flac,ac3,eac3,alac,pcm_s16le,pcm_s16be,pcm_f32le";
const DECODERS = `${VIDEO_DECODERS},${SOUNDS},webvtt,mov_text`;
const LIMITS = { cpuSeconds: 10, timeoutMs: 60_000 };
/** Rounding of times in seconds with six decimals. */
const SAME_SECONDS = 0.001;
/** Used if the video states no valid frame rate. */
const USUAL_FPS = 15;
const MAX_FPS = 240;

export interface ProbedVideo {
	codec: string;
	pixelFormat: string;
	/** Whether frames are stored in another order than they are shown in. */
	isReordered: boolean;
	width: number;
	height: number;
	framesPerSecond: number;
	/** When the frame begins that is shown at the moment, in seconds from the beginning. */
	frameAt: number;
	/** When the key frame begins from which that frame is decoded. */
	keyFrameAt: number;
}

const probedSchema = z.object({
	packets: z.array(z.object({ pts_time: z.coerce.number().catch(Number.NaN), flags: z.string().catch("") })),
	streams: z.array(
		z.object({
			codec_name: z.string().catch(""),
			pix_fmt: z.string().catch(""),
			has_b_frames: z.int().catch(1),
			width: z.int().positive(),
			height: z.int().positive(),
			r_frame_rate: z.string().catch(""),
		}),
	),
	format: z.object({ start_time: z.coerce.number().catch(0) }),
});

/**
 * Reads the packets between the key frame before a moment and the moment, and no others.
 * @param atSeconds from the beginning.
 * @returns null without ffprobe, if it finds no video, and when it takes too long.
 */
export async function probeVideo(
	input: ProgramInput,
	atSeconds: number,
	signal?: AbortSignal,
): Promise<ProbedVideo | null> {
	const [limits, video] = inputArguments(input, DECODERS);
	const stream = "stream=codec_name,pix_fmt,has_b_frames,width,height,r_frame_rate";
	// Frames of a video begin up to half a second before it does where others are stored ahead of them.
	const interval = `${atSeconds.toFixed(3)}%${(atSeconds + 0.5).toFixed(3)}`;
	const args = [
		...["-v", "error", ...limits, "-select_streams", "v:0", "-read_intervals", interval],
		...["-show_entries", `packet=pts_time,flags:${stream}:format=start_time`, "-of", "json", ...video],
	];
	const { stdout, reason } = await runFfmpeg("ffprobe", args, { ...LIMITS, signal });
	if (reason !== null) return null;
	const { success, data } = probedSchema.safeParse(JSON.parse(stdout.toString()));
	const found = data?.streams[0];
	if (!success || found === undefined) return null;
	const start = data.format.start_time;
	const packets = data.packets
		.map(({ pts_time, flags }) => ({ at: pts_time - start, isKey: flags.startsWith("K") }))
		.filter(({ at }) => Number.isFinite(at) && at <= atSeconds + SAME_SECONDS)
		.sort((a, b) => a.at - b.at);
	return {
		codec: found.codec_name,
		pixelFormat: found.pix_fmt,
		isReordered: found.has_b_frames > 0,
		width: found.width,
		height: found.height,
		framesPerSecond: rateOf(found.r_frame_rate),
		frameAt: Math.max(0, packets.at(-1)?.at ?? 0),
		keyFrameAt: Math.max(0, packets.findLast(({ isKey }) => isKey)?.at ?? 0),
	};
}

/** @param text such as `30000/1001`. */
function rateOf(text: string): number {
	const [frames, seconds] = text.split("/").map(Number);
	const rate = (frames ?? 0) / (seconds ?? 0);
	return rate > 0 && rate <= MAX_FPS ? rate : USUAL_FPS;
}
