/** Extracts a frame of a stored video as a JPEG, with the machine's ffmpeg if there is one. */
import { basename } from "node:path";
import { type Context, type Log, turnTakerOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { FairTurns } from "#lib/db/fair-turns.ts";
import { probeVideo } from "../excerpts/probe-video.ts";
import { hasFoundFault, inputArguments, isImage, isUrl, type RunLimits, runFfmpeg, TOO_SLOW } from "../run-ffmpeg.ts";

/** Limit of processor time of an upload's check, which only waits for other checks. */
const CHECK_SECONDS = 10;
/** Longer than for a picture: a video whose check takes too long is accepted, so a busy machine would accept any. */
const CHECK_TIMEOUT_MS = 60_000;
/** Limit of processor time. Seeking and decoding take a tenth of it, except in hostile videos. */
const FRAME_SECONDS = 3;
/** A page of cards, and the frames of a video that someone scrubs through. */
const MAX_WAITING = 200;
const ONE_AT_A_TIME = { all: 1, organization: 1, caller: 1 };
const WIDTH = 640;
const QUALITY = 4;
const MAX_FAILED = 10_000;
/** Faults that a later try may not have: a busy machine, or a bucket that did not answer. */
const AGAIN_MS = 60_000;

type Caller = Pick<Context, "actor" | "address">;

/** Starts one ffmpeg at a time for pictures, because pages request many at once, and one for the checks of uploads. */
export class FrameGrabber {
	readonly #log: Log;
	/** The files for which there were no frames, and until when, by performance.now(), nobody tries again. */
	readonly #failed = new Map<string, number>();
	readonly #pictures = new FairTurns({ ...ONE_AT_A_TIME, waiting: MAX_WAITING }, tooManyPictures);
	/** An upload waits for its check, however many there are. */
	readonly #checks = new FairTurns(ONE_AT_A_TIME, tooManyPictures);

	constructor(log: Log) {
		this.#log = log;
	}

	/**
	 * Runs `work`, which may call `grab`, when it is its turn.
	 * @param signal aborts when the caller does not want it any more.
	 * @returns what `work` returns; null for a caller who has gone.
	 * @throws too_many_requests when the caller has many waiting.
	 */
	async queue<T>(caller: Caller, work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
		try {
			const end = await this.#pictures.take(turnTakerOf(caller), signal);
			return await work().finally(end);
		} catch (error) {
			if (signal.aborted) return null;
			throw error;
		}
	}

	/**
	 * Extracts what a player shows at `atSeconds` of `video`, a path or a URL of this machine (video-input). Call it in `queue`.
	 * Failures are logged, and kept for `failedFor`.
	 * @returns a JPEG; null without ffmpeg, if the video is undecodable or has no such frame, and when it takes
	 *   too long.
	 */
	async grab(video: string, options: FrameOptions): Promise<Buffer | null> {
		const { stdout: jpeg, reason, stderr } = await extractShown(video, options);
		if (reason === null && jpeg.length > 0) return jpeg;
		if (options.signal?.aborted) return null;
		this.#log.warn(
			{ video: basename(video), reason: reason ?? "no frame", stderr },
			"ffmpeg could not extract a frame of a video",
		);
		if (this.#failed.size >= MAX_FAILED) this.#failed.clear();
		const mayPass = reason === TOO_SLOW || isUrl(video);
		const until = mayPass ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
		if (options.path !== undefined) this.#failed.set(options.path, until);
		return null;
	}

	/**
	 * A frame as 9 × 8 shades of grey, for a hash of what it shows. Call it in `queue`.
	 * @returns 72 bytes, row by row; null like `grab`.
	 */
	async grabGrey(video: string, options: FrameOptions): Promise<Buffer | null> {
		const { stdout, reason } = await extractShown(video, options, GREY);
		return reason === null && stdout.length === GREY_PIXELS ? stdout : null;
	}

	/**
	 * Whether ffmpeg finds nothing decodable in a video. False if that is unknown: without ffmpeg or the codec's
	 * decoder, or when time or memory run out.
	 */
	async isUndecodable(caller: Caller, video: string, contentType: string): Promise<boolean> {
		const options = { contentType, atSeconds: 0, cpuSeconds: CHECK_SECONDS, timeoutMs: CHECK_TIMEOUT_MS };
		const result = await this.check(caller, () => extractFrame(video, options));
		const { stdout: jpeg, reason, stderr } = result;
		if (reason === null && jpeg.length > 0) return false;
		this.#log.warn(
			{ video: basename(video), reason: reason ?? "no frame", stderr },
			"ffmpeg could not decode an uploaded video",
		);
		return reason === null || (hasFoundFault(result) && !/no decoder found/i.test(stderr));
	}

	/** Runs `work`, which checks an upload, when it is its turn. */
	async check<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
		const end = await this.#checks.take(turnTakerOf(caller));
		return work().finally(end);
	}

	/** Whether frames for this file could not be extracted before, so that not every request tries again. */
	failedFor(path: string): boolean {
		return (this.#failed.get(path) ?? Number.NEGATIVE_INFINITY) > performance.now();
	}

	forgetFailure(path: string): void {
		this.#failed.delete(path);
	}
}

const tooManyPictures = (): TapedeckError =>
	new TapedeckError(
		"too_many_requests",
		`${MAX_WAITING} of your calls for pictures are waiting. Try again when some of them are answered.`,
		{ headers: { "retry-after": "1" } },
	);

type FrameOptions = {
	/** The file that the frame is for. */
	path?: string;
	contentType: string;
	atSeconds: number;
	width?: number;
	/** ffmpeg's, from 2 on; lower is better. */
	quality?: number;
} & Partial<RunLimits>;

const GREY_PIXELS = 9 * 8;
/** ffmpeg's filter and output options for a frame. */
interface Form {
	filter: string;
	output: readonly string[];
}
const GREY: Form = { filter: "scale=9:8:flags=area,format=gray", output: ["-f", "rawvideo"] };
const jpegOf = ({ width = WIDTH, quality = QUALITY }: FrameOptions): Form => ({
	filter: `scale='min(${width},iw)':-2`,
	// The pixel format is required: since 7.1, ffmpeg fails if there is no frame to take it from.
	output: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", String(quality), "-f", "image2pipe"],
});

/** Recorders drop frames that equal the one before, except for three a second. */
const LONGEST_FRAME_SECONDS = 1;
/** Times have milliseconds, and frames begin between them. */
const ROUNDING_SECONDS = 0.001;

/**
 * The last frame that has begun at `atSeconds`. ffmpeg itself seeks to the next one, which often begins because the picture
 * has changed: of a failure it shows what came after. Where that frame is older, or the next one has another size, so that
 * ffmpeg begins anew with its filters, it is looked for by ffprobe.
 */
async function extractShown(video: string, options: FrameOptions, form = jpegOf(options)) {
	const { atSeconds } = options;
	// Its only frame. Its clock is too coarse for what follows.
	if (isImage(options.contentType)) return extractFrame(video, { ...options, atSeconds: 0 }, form);
	const from = Math.max(0, atSeconds - LONGEST_FRAME_SECONDS);
	const seconds = atSeconds - from + ROUNDING_SECONDS;
	// ffmpeg decodes one frame beyond the range that it reads.
	const last = { ...form, filter: `trim=end=${seconds.toFixed(3)},${form.filter},reverse` };
	const shown = await extractFrame(video, { ...options, atSeconds: from, seconds }, last);
	const isNone = shown.reason === null && shown.stdout.length === 0;
	if (!isNone || atSeconds === 0) return shown;
	const probed = await probeVideo({ video, contentType: options.contentType }, atSeconds, options.signal);
	const frameAt = probed?.frameAt ?? atSeconds;
	return extractFrame(video, { ...options, atSeconds: frameAt }, form);
}

/** The first frame that begins at `atSeconds` or later. @param options.seconds how much is read; all, if left out. */
function extractFrame(
	video: string,
	{ cpuSeconds = FRAME_SECONDS, timeoutMs, signal, seconds, ...options }: FrameOptions & { seconds?: number },
	{ filter, output } = jpegOf(options),
) {
	const [limits, input] = inputArguments({ video, contentType: options.contentType });
	const args = [
		...["-v", "error", "-nostdin", ...limits],
		...["-ss", options.atSeconds.toFixed(3), ...(seconds === undefined ? [] : ["-t", seconds.toFixed(3)]), ...input],
		...["-map", "0:v:0", "-frames:v", "1", "-vf", filter, "-noautoscale", ...output, "pipe:1"],
	];
	return runFfmpeg("ffmpeg", args, { cpuSeconds, timeoutMs, signal });
}
