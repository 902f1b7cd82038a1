/** Encodes a stretch of a video, or of two side by side, within a number of bytes. */
import type { ClipFormat } from "@tapedeck/contract/clip.ts";
import { type ByteSource, sourceLength } from "@tapedeck/media/byte-source.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { inputArguments, ONE_FILTER, type ProgramInput, TOO_MUCH_OUTPUT } from "../run-ffmpeg.ts";
import type { ExcerptFile } from "./excerpt-file.ts";

/** The limits of all attempts of a clip together. */
const TIME_LIMIT_MS = 180_000;
const CPU_SECONDS = 300;
/** Share of all bytes that the container needs, and by which encoders exceed their rate. */
const RESERVE = 0.06;
/** Below this number of bits per pixel, a smaller or slower video looks better. */
const BITS_PER_PIXEL = 0.015;
/** ffmpeg leaves out frames that begin before the moment it is given, and is given it in milliseconds. */
const SLACK_SECONDS = 0.001;

interface Step {
	width: number;
	framesPerSecond: number;
	crf: number;
}
/** From the best to the smallest: one that fits is taken. */
const STEPS: Readonly<Record<ClipFormat, readonly Step[]>> = {
	mp4: [
		{ width: 1_920, framesPerSecond: 30, crf: 24 },
		{ width: 1_280, framesPerSecond: 15, crf: 28 },
		{ width: 960, framesPerSecond: 10, crf: 32 },
		{ width: 640, framesPerSecond: 5, crf: 36 },
		{ width: 320, framesPerSecond: 3, crf: 42 },
	],
	gif: [
		{ width: 800, framesPerSecond: 10, crf: 0 },
		{ width: 640, framesPerSecond: 8, crf: 0 },
		{ width: 480, framesPerSecond: 5, crf: 0 },
		{ width: 320, framesPerSecond: 3, crf: 0 },
		{ width: 160, framesPerSecond: 1, crf: 0 },
	],
};

/** A stretch of a video. */
export interface Stretch {
	input: ProgramInput;
	/** When the first frame begins, in seconds; below 0, black comes first. */
	from: number;
}

export interface EncodeOptions {
	/** The one that the clip is of, and what is shown on its right. */
	stretches: readonly [Stretch, ...Stretch[]];
	seconds: number;
	/** Width of the first video. */
	width: number;
	height: number;
	framesPerSecond: number;
	/** The clip's width, if it is asked for: then it is no other. */
	size?: number;
	format: ClipFormat;
	maxBytes: number;
	signal: AbortSignal;
	/** Receives the clip. */
	file: ExcerptFile;
}

/**
 * @returns a progressive MP4 (H.264 Main, 4:2:0) or a GIF of at most `maxBytes`.
 * @throws validation_failed at `maxBytes` if it cannot be as small; unavailable if it cannot be encoded, or takes too
 *   long; the signal's reason.
 */
export async function encodeClip(options: EncodeOptions): Promise<ByteSource> {
	const { format, maxBytes, signal, file } = options;
	const deadline = performance.now() + TIME_LIMIT_MS;
	for (const picture of picturesOf(options)) {
		const timeoutMs = Math.max(1, deadline - performance.now());
		const limits = { cpuSeconds: CPU_SECONDS, timeoutMs, maxOutputBytes: maxBytes, signal };
		const { reason, stderr } = await file.fill(argumentsFor(options, picture), limits);
		signal.throwIfAborted();
		if (reason === TOO_MUCH_OUTPUT) continue;
		if (reason !== null || file.bytes === 0) throw notEncoded(`${reason}: ${stderr}`);
		const clip = format === "mp4" ? await file.progressiveMp4() : file.source();
		if (sourceLength(clip) <= maxBytes) return clip;
	}
	throw invalid({
		path: "maxBytes",
		code: "too_small",
		message: "Send more maxBytes or a shorter stretch: this one does not fit, however small its picture.",
	});
}

const notEncoded = (cause: string): TapedeckError =>
	new TapedeckError(
		"unavailable",
		"The dashboard could not make this clip. Try again, with a shorter stretch if the video is large; its operator finds out by `tapedeck doctor` whether ffmpeg is complete.",
		{ headers: { "retry-after": "10" }, cause },
	);

interface Picture extends Step {
	height: number;
	/** In bits a second; of a GIF, unknown. */
	rate: number;
}

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);

/** The pictures to try, the best first. Those for which there are too few bits are left out. */
function picturesOf(options: EncodeOptions): Picture[] {
	const { stretches, format, maxBytes, seconds, size } = options;
	const asked = size === undefined ? options.width : Math.min(size / stretches.length, options.width);
	const rate = Math.floor((maxBytes * 8 * (1 - RESERVE)) / (seconds + 1));
	const pictures = STEPS[format].map((step) => {
		const width = even(size === undefined ? Math.min(asked, step.width / Math.sqrt(stretches.length)) : asked);
		const height = even((width * options.height) / options.width);
		const framesPerSecond = Math.min(step.framesPerSecond, Math.ceil(options.framesPerSecond));
		return { ...step, width, height, framesPerSecond, rate };
	});
	if (format === "gif") return pictures;
	const pixelsOf = (picture: Picture) => picture.width * picture.height * stretches.length * picture.framesPerSecond;
	const enough = pictures.filter((picture) => rate / pixelsOf(picture) >= BITS_PER_PIXEL);
	return enough.length > 0 ? enough : pictures.slice(-1);
}

function argumentsFor({ stretches, seconds, format }: EncodeOptions, picture: Picture): string[] {
	const inputs = stretches.flatMap(({ input, from }) => {
		const [limits, video] = inputArguments(input);
		return [...limits, ...ONE_FILTER, "-ss", Math.max(0, from - SLACK_SECONDS).toFixed(3), ...video];
	});
	return [
		...["-v", "error", "-nostdin", ...inputs],
		...["-filter_complex", filters(stretches, format, picture), "-map", "[clip]", "-an", "-t", seconds.toFixed(3)],
		...["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"],
		...(format === "mp4" ? h264(picture) : ["-f", "gif"]),
		"pipe:1",
	];
}

function filters(stretches: readonly Stretch[], format: ClipFormat, picture: Picture): string {
	const { width, height, framesPerSecond } = picture;
	const scaled = stretches.map(({ from }, index) =>
		[
			`[${index}:v:0]setpts=PTS-STARTPTS`,
			`fps=${framesPerSecond}`,
			`scale=${width}:${height}:force_original_aspect_ratio=decrease`,
			`pad=${width}:${height}:-1:-1:eval=frame,setsar=1`,
			...(from < 0 ? [`tpad=start_duration=${(-from).toFixed(3)}`] : []),
			// The last frame stays.
			`tpad=stop=-1:stop_mode=clone[v${index}]`,
		].join(","),
	);
	const names = stretches.map((_, index) => `[v${index}]`).join("");
	const beside = stretches.length > 1 ? `${names}hstack=inputs=${stretches.length}` : `${names}null`;
	// A palette for each frame: one for all would keep all of them in memory.
	const colors =
		"split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=5:diff_mode=rectangle";
	return [...scaled, `${beside},${format === "gif" ? colors : "format=yuv420p"}[clip]`].join(";");
}

function h264({ crf, rate, framesPerSecond }: Picture): string[] {
	return [
		...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-bf", "0", "-threads", "2"],
		...["-crf", String(crf), "-maxrate", String(rate), "-bufsize", String(rate), "-g", String(framesPerSecond * 2)],
		...FRAGMENTED,
	];
}

/** ffmpeg writes to a pipe, and the index comes first afterwards (media/progressive-mp4.ts). No edit lists: they confuse players. */
export const FRAGMENTED = [
	...["-use_editlist", "0", "-avoid_negative_ts", "make_zero"],
	...["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4"],
];
