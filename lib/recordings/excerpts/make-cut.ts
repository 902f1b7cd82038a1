/** Makes a review cut of a recording: every piece is encoded by itself, so that ffmpeg never decodes what is left out. */
import { type ClipFormat, DEFAULT_CLIP_BYTES } from "@tapedeck/contract/clip.ts";
import { type ByteSource, sourceLength } from "@tapedeck/media/byte-source.ts";
import { invalid, isTapedeckError, TapedeckError } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { withPlayableInput, withUrl } from "../pictures/video-input.ts";
import type { RecordingContext } from "../recording-context.ts";
import { inputArguments, ONE_FILTER, type ProgramInput, TOO_MUCH_OUTPUT } from "../run-ffmpeg.ts";
import { captionFilter } from "./caption-filter.ts";
import { encodeClip, FRAGMENTED } from "./encode-clip.ts";
import { ExcerptFile } from "./excerpt-file.ts";
import { type FrameTimes, readFrameTimes } from "./frame-times.ts";
import { type CutPiece, type CutPlan, type CutPlanInput, planCut } from "./plan-cut.ts";

/** The limits of all attempts of a cut together. */
const TIME_LIMIT_MS = 170_000;
const PIECE_CPU_SECONDS = 120;
const JOIN_LIMITS = { cpuSeconds: 10, timeoutMs: 30_000 };
/** ffmpeg leaves out frames that begin before the moment it is given, and is given it in milliseconds. */
const SLACK_SECONDS = 0.001;
/** From this speed on, key frames are enough: recorders write one every two seconds of movement. */
const KEY_FRAMES_SPEED = 16;
/** Share of the bytes that the container needs, and by which encoders exceed their rate. */
const RESERVE = 0.08;

/** From the best to the smallest: one that fits is taken. */
const PICTURES = [
	{ width: 1_280, framesPerSecond: 15, crf: 26 },
	{ width: 960, framesPerSecond: 10, crf: 30 },
	{ width: 640, framesPerSecond: 6, crf: 36 },
	{ width: 320, framesPerSecond: 3, crf: 42 },
] as const;
type Picture = (typeof PICTURES)[number];

export interface CutCall extends Pick<CutPlanInput, "markers" | "steps" | "failure" | "maxSeconds"> {
	recordingId: number;
	maxBytes: number;
	format: ClipFormat;
}

export interface Cut {
	plan: CutPlan;
	source: ByteSource;
}

/**
 * Runs `work` with a review cut.
 * @param key the same for calls that get the same cut.
 * @throws not_found; validation_failed at `maxBytes` if it cannot be as small; invalid_video if it has no readable frames;
 *   the errors of Excerpts.
 */
export function withCut<R>(
	ctx: RecordingContext,
	call: CutCall & { key: string; signal: AbortSignal },
	work: (cut: Cut) => Promise<R>,
): Promise<R> {
	const { recordingId, key, maxBytes, format, signal } = call;
	const create = (signal: AbortSignal) =>
		ExcerptFile.create(ctx, (file) =>
			withPlayableInput(ctx, recordingId, async (input, durationSeconds, { width, height }) => {
				const size = { width: width ?? 1_280, height: height ?? 720 };
				const times = await readFrameTimes(input, size.width * size.height, signal);
				if (times === null || times.frames.length === 0) {
					throw new TapedeckError("invalid_video", "The dashboard's ffmpeg finds no frames in this recording.");
				}
				const plan = planCut({ ...call, changes: times.changes, durationSeconds });
				const encoding = { file, input, times, plan, size, maxBytes, signal };
				return { plan, source: await (format === "gif" ? encodeGif(ctx, encoding) : encode(ctx, encoding)) };
			}),
		).catch(async (error) => {
			// If the recording was deleted in the meantime, that is the answer, whatever else went wrong.
			await findRecording(ctx, recordingId);
			if (isTapedeckError(error) && error.cause !== undefined) {
				ctx.log.warn({ recordingId, cause: error.cause }, "ffmpeg could not make a review cut");
			}
			throw error;
		});
	// The pieces and their joined file are on the disk at the same time, and of a GIF its video.
	const mostBytes = format === "gif" ? maxBytes + 2 * videoBytes(maxBytes) : 2 * maxBytes;
	return ctx.excerpts.use(ctx, { kind: "long", key, maxBytes: mostBytes, signal }, create, work);
}

interface Encoding {
	file: ExcerptFile;
	input: ProgramInput;
	times: FrameTimes;
	plan: CutPlan;
	/** Size of the video in pixels. */
	size: { width: number; height: number };
	maxBytes: number;
	signal: AbortSignal;
}

/** A video that a small GIF is made of needs not be as small. */
const videoBytes = (gifBytes: number): number => Math.max(gifBytes, DEFAULT_CLIP_BYTES);

/** The cut as a GIF, with the captions of its video. */
async function encodeGif(ctx: RecordingContext, encoding: Encoding): Promise<ByteSource> {
	const { file, plan, size, maxBytes, signal } = encoding;
	const video = await ExcerptFile.open(ctx);
	try {
		const cut = await encode(ctx, { ...encoding, file: video, maxBytes: videoBytes(maxBytes) });
		const [{ width: most, framesPerSecond }] = PICTURES;
		const width = Math.min(most, size.width);
		const height = even((width * size.height) / size.width);
		return await withUrl(cut, "video/mp4", (url) =>
			encodeClip({
				stretches: [{ input: { video: url, contentType: "video/mp4" }, from: 0 }],
				seconds: plan.seconds,
				width,
				height,
				framesPerSecond,
				format: "gif",
				maxBytes,
				signal,
				file,
			}),
		);
	} finally {
		await video.handle.close();
	}
}

async function encode(ctx: RecordingContext, encoding: Encoding): Promise<ByteSource> {
	const { plan, maxBytes } = encoding;
	const deadline = performance.now() + TIME_LIMIT_MS;
	for (const picture of PICTURES) {
		const pieces = await ExcerptFile.open(ctx);
		try {
			if (!(await encodePieces(pieces, encoding, picture, deadline))) continue;
			await join(pieces, picture, encoding);
		} finally {
			await pieces.handle.close();
		}
		const cut = await encoding.file.progressiveMp4(plan.chapters);
		if (sourceLength(cut) <= maxBytes) return cut;
	}
	throw invalid({
		path: "maxBytes",
		code: "too_small",
		message: "Send more maxBytes or fewer maxSeconds: this cut does not fit, however small its picture.",
	});
}

/** @returns false if they exceed `maxBytes`. */
async function encodePieces(file: ExcerptFile, encoding: Encoding, picture: Picture, deadline: number) {
	const { plan, maxBytes, signal } = encoding;
	for (const [index, piece] of plan.pieces.entries()) {
		// The last frame stays for captions that are not over.
		const ends = index === plan.pieces.length - 1 ? plan.seconds : piece.ends;
		const frameAt = (at: number) => Math.round(at * picture.framesPerSecond);
		const frames = frameAt(ends) - frameAt(piece.begins);
		if (frames === 0) continue;
		const before = file.bytes;
		for (const onlyKeyFrames of piece.speed >= KEY_FRAMES_SPEED ? [true, false] : [false]) {
			const timeoutMs = Math.max(1, deadline - performance.now());
			const limits = { cpuSeconds: PIECE_CPU_SECONDS, timeoutMs, maxOutputBytes: maxBytes - file.bytes, signal };
			const args = pieceArguments(encoding, picture, { ...piece, ends }, frames, onlyKeyFrames);
			const { reason, stderr } = await file.append(args, limits);
			signal.throwIfAborted();
			if (reason === TOO_MUCH_OUTPUT) return false;
			if (reason !== null) throw notEncoded(`${reason}: ${stderr}`);
			if (file.bytes > before) break;
		}
		if (file.bytes === before) throw notEncoded(`no frames from ${piece.from} to ${piece.to}`);
	}
	return true;
}

const notEncoded = (cause: string): TapedeckError =>
	new TapedeckError(
		"unavailable",
		"The dashboard could not make this cut. Try again; its operator finds out by `tapedeck doctor` whether ffmpeg is complete.",
		{ headers: { "retry-after": "10" }, cause },
	);

function pieceArguments(
	{ input, times, plan, size, maxBytes }: Encoding,
	{ crf, framesPerSecond, ...picture }: Picture,
	piece: CutPiece,
	frames: number,
	onlyKeyFrames: boolean,
): string[] {
	const width = even(Math.min(picture.width, size.width));
	const height = even((width * size.height) / size.width);
	// The frame that is shown at the moment has begun before it.
	const from = times.frames.findLast((at) => at <= piece.from + SLACK_SECONDS) ?? times.frames[0] ?? 0;
	const [limits, video] = inputArguments(input);
	const place = { width, height };
	const captions = plan.captions
		.filter(({ from, to }) => from < piece.ends && to > piece.begins)
		.map(({ text, row, from, to }) =>
			captionFilter(text, { ...place, row, from: from - piece.begins, to: to - piece.begins }),
		);
	const filters = [
		`setpts=(PTS-STARTPTS)/${piece.speed}`,
		`fps=${framesPerSecond}`,
		`scale=${width}:${height}:force_original_aspect_ratio=decrease`,
		`pad=${width}:${height}:-1:-1:eval=frame,setsar=1`,
		"tpad=stop=-1:stop_mode=clone",
		captionFilter(piece.note, { ...place, row: "corner", from: 0, to: piece.ends - piece.begins }),
		...captions,
		"format=yuv420p",
	];
	const rate = Math.floor((maxBytes * 8 * (1 - RESERVE)) / (plan.seconds + 1));
	return [
		...["-v", "error", "-nostdin", ...limits, ...ONE_FILTER, ...(onlyKeyFrames ? ["-skip_frame", "nokey"] : [])],
		...["-ss", Math.max(0, from - SLACK_SECONDS).toFixed(3), "-t", (piece.to - from + SLACK_SECONDS).toFixed(3)],
		...[...video, "-map", "0:v:0", "-an", "-vf", filters.join(","), "-frames:v", String(frames)],
		...["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"],
		...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "main", "-bf", "0", "-threads", "2"],
		...["-crf", String(crf), "-maxrate", String(rate), "-bufsize", String(rate), "-g", String(framesPerSecond * 2)],
		...["-f", "h264", "pipe:1"],
	];
}

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);

/** Puts the pieces, which are nothing but frames, into a container. */
async function join(pieces: ExcerptFile, { framesPerSecond }: Picture, { file, signal, maxBytes }: Encoding) {
	await withUrl(pieces.source(), "video/h264", async (url) => {
		const args = [
			...["-v", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "http,tcp", "-fflags", "+genpts"],
			...["-f", "h264", "-framerate", String(framesPerSecond), "-i", url, "-map", "0:v:0", "-c", "copy"],
			...["-fflags", "+bitexact", ...FRAGMENTED, "pipe:1"],
		];
		const limits = { ...JOIN_LIMITS, maxOutputBytes: 2 * maxBytes, signal };
		const { reason, stderr } = await file.fill(args, limits);
		signal.throwIfAborted();
		if (reason !== null) throw notEncoded(`${reason}: ${stderr}`);
	});
}
