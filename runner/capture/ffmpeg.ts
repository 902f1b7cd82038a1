/**
 * Runs one ffmpeg that captures one display into one spool file. It survives the runner's death and can be adopted by
 * the next runner process: it has its own process group, no pipe to the runner, and writes standard error to a file.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Region, VideoPreset } from "@tapedeck/contract/video-kinds.ts";
import type { VideoFormat } from "@tapedeck/contract/video-options.ts";
import { isAlive, type ProcessId, parseStat, signalProcess } from "../base/process-id.ts";
import { pause } from "../base/wait.ts";
import type { CaptureFiles } from "../spool/capture-files.ts";
import { evenSize, type Size, videoSize } from "../video/video-format.ts";
import { firstFrameAt } from "./capture-fault.ts";

const POSTER_SECONDS = 2;
/** In seconds, longer than any stall or clock jump, so that ffmpeg accepts all timestamps. */
const ACCEPT_ALL_SECONDS = 1_000_000_000;
/** Maximum gap to fill by repeating stills and samples, so that a clock jump does not produce years of them. */
const LONGEST_REPEAT_SECONDS = 60;
export const SAMPLE_WIDTH = 32;
export const SAMPLE_HEIGHT = 18;

export interface CaptureOrder {
	program: string;
	env: NodeJS.ProcessEnv;
	/** The display's name for X programs: `:99.0`. */
	xName: string;
	/** The captured area. */
	area: Region;
	/** Whether a pixel of its pictures is four bytes: blue, green, red and one without meaning. */
	isBgrx: boolean;
	/** Records black, at the display's size, without connecting to it. */
	isPrivate: boolean;
	video: VideoFormat;
	/** Number of frames after which ffmpeg ends by itself; null for no limit. */
	frames: number | null;
	/** The maximum interval of key frames, in seconds; LONGEST_WITHOUT_KEY_FRAME_SECONDS if omitted. */
	keyFrameSeconds?: number;
	files: CaptureFiles;
}

/** Scales the whole picture to a size of its own proportions. */
const scaleTo = ({ width, height }: Size): string => `scale=${width}:${height}:flags=bicubic,setsar=0`;

const isSame = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

/** The end of a recording, in seconds. `from` is the end of its last frame, with a tolerance for late frames. */
interface End {
	at: number;
	from: number;
}

/**
 * Ends at `end`, regardless of gaps: the first frame from there on is moved exactly to the end, so that the frame before
 * it is shown until then. The moved frame is surplus and dropped when the file is read.
 */
function endAfter({ at, from }: End): string[] {
	// Once the end is reached (`st`), further frames are moved a second past it, where `trim` cuts them off.
	return [`setpts='if(gte(T,${from}),(${at}+ld(0)+0*st(0,1))/TB,PTS)'`, `trim=end=${at + 0.5}`];
}

/**
 * The minimum number of frames a second that are kept, or all of them at a lower rate: players, uploads and the check
 * for stalls rely on it.
 */
export const KEPT_PER_SECOND = 3;

/**
 * Drops frames that are equal to the previous one, bit by bit: an unchanged screen then costs almost nothing. The score
 * of `select` is the lesser of two numbers: the difference of a frame from the previous one, and the change of that
 * difference since the last frame. So it is 0 for a change of constant speed, such as a spinner's. To avoid this, every
 * frame comes twice here: before each new frame, the last difference is that of an equal pair, which is 0, so both
 * numbers are the same.
 */
function dropEqual(framesPerSecond: number, end: End | null): string {
	const longestSameFrames = Math.max(1, Math.floor(framesPerSecond / KEPT_PER_SECOND));
	const wanted = [
		"eq(n,0)",
		"gt(scene,0)",
		`gte(n-prev_selected_n,${2 * longestSameFrames})`,
		// A display that is too large for the machine has fewer frames than requested.
		`gte(t-prev_selected_t,${(longestSameFrames + 1) / framesPerSecond})`,
		// The end needs a frame of its own.
		...(end === null ? [] : [`gte(t,${end.from})`]),
	];
	// `interleave` passes one frame on each time one arrives: both copies at once would leave one behind each time, and the
	// recording would fall behind. The second copy arrives by way of `null`, so after the first.
	const pairs = "split[first][copy];[first][second]interleave[pairs];[copy]null[second]";
	return `${pairs};[pairs]select='${wanted.join("+")}'`;
}

/** For outputs that fill gaps by repeating frames: limits each gap in case the clock is set far ahead. */
const LIMIT_GAPS = `setpts='if(isnan(PREV_OUTPTS),PTS,PREV_OUTPTS+clip(PTS-PREV_INPTS,0,${LONGEST_REPEAT_SECONDS}/TB))'`;

/**
 * The encoder's own preset, and the way colors are scaled to every second row: `neighbor` takes those of one row; the
 * others average two, which takes 50 % more processor time. Content on a screen moves by whole pixels: `subme=0` does
 * not search between them, which takes 9 % less processor time with much movement, for the same number of bytes.
 */
const ENCODERS: Record<VideoPreset, { speed: string; motion: string; scaler: string }> = {
	balanced: { speed: "superfast", motion: ":subme=0", scaler: "neighbor" },
	sharp: { speed: "superfast", motion: ":subme=0", scaler: "bicubic" },
	small: { speed: "veryfast", motion: "", scaler: "neighbor" },
};

/** The number of pixels a second that one thread encodes easily, even on a slow machine. */
const PIXELS_PER_THREAD = 1920 * 1080 * 30;
const MAX_THREADS = 8;

const encoderThreads = ({ width, height }: Size, framesPerSecond: number): number =>
	Math.min(MAX_THREADS, Math.ceil((width * height * framesPerSecond) / PIXELS_PER_THREAD));

/**
 * The maximum interval of key frames while the screen changes, so that players have little to decode when they seek.
 */
const KEY_FRAME_SECONDS = 2;
/** The maximum interval of key frames while the screen does not change, when few frames are kept. */
const LONGEST_WITHOUT_KEY_FRAME_SECONDS = 10;

/**
 * Gives every frame of an output its capture time, without duplicates. Players hold the previous frame in gaps. ffmpeg
 * 5.1 is the first version with this option, and 8 the last one that supports `-vsync`.
 */
const VARIABLE_RATE = ["-fps_mode", "vfr"];

/**
 * Places frames at multiples of a rate. Since 6.1, ffmpeg refuses `-r` with a variable rate. With that rate as the file's
 * time unit, the last frame lasts one unit: in a finer unit, ffmpeg 5.1 gives it no duration. (The video gets a finer one
 * when the file is read, see `fineTimescale`.)
 */
const placedAt = (rate: number): string[] => [
	...[...VARIABLE_RATE, "-enc_time_base", `1:${rate}`],
	...["-video_track_timescale", String(rate)],
];

function displayInput({ area, video, isBgrx, xName }: CaptureOrder): string[] {
	const { width, height } = evenSize(area);
	return [
		...["-f", "x11grab", "-draw_mouse", video.cursor ? "1" : "0"],
		...["-framerate", String(video.framesPerSecond)],
		// The same bytes under the name of a format that `select` compares without a conversion.
		...(isBgrx ? ["-tag:v", "BGRA"] : []),
		...["-grab_x", String(area.x), "-grab_y", String(area.y), "-video_size", `${width}x${height}`, "-i", xName],
	];
}

/**
 * Black frames instead of the display's, with the same size, rate (`realtime`) and precision of times (`settb`), so
 * that the rest of the pipeline is unchanged. Content that is never captured cannot leak.
 */
function blackInput({ area, video }: CaptureOrder): string[] {
	const { width, height } = evenSize(area);
	const black = `color=c=black:s=${width}x${height}:r=${video.framesPerSecond}`;
	return ["-f", "lavfi", "-i", `${black},format=bgra,setsar=0,realtime,settb=AVTB`];
}

/** All of ffmpeg's flags for a recording. */
export function captureArguments(order: CaptureOrder): string[] {
	const { area, files, video, keyFrameSeconds = LONGEST_WITHOUT_KEY_FRAME_SECONDS } = order;
	const { speed, motion, scaler } = ENCODERS[video.preset];
	const { maxBitrate, framesPerSecond } = video;
	const limited = maxBitrate === undefined ? [] : ["-maxrate", `${maxBitrate}`, "-bufsize", `${2 * maxBitrate}`];
	const { width, height } = evenSize(area);
	const end =
		order.frames === null ? null : { at: order.frames / framesPerSecond, from: (order.frames - 0.5) / framesPerSecond };
	const ending = end === null ? [] : endAfter(end);
	const size = videoSize(area, video);
	const scaled = isSame(size, { width, height }) ? [] : [scaleTo(size)];
	const chain = (...filters: string[]) => filters.join(",");
	const gray = `scale=${SAMPLE_WIDTH}:${SAMPLE_HEIGHT}:flags=area+accurate_rnd,format=gray`;
	const sample = chain(...ending, LIMIT_GAPS, "fps=1:eof_action=pass", gray);
	const still = chain(
		...ending,
		LIMIT_GAPS,
		`fps=1/${POSTER_SECONDS}:eof_action=pass`,
		"scale=480:-2:flags=fast_bilinear",
	);
	return [
		...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "info", "-y"],
		// The interval at which ffmpeg from 7.0 on looks for signals. By default, it captures up to half a second after a stop.
		...["-stats_period", "0.05"],
		...["-dts_error_threshold", String(ACCEPT_ALL_SECONDS)],
		// Probing the input consumes x11grab's first frame. By default, ffmpeg would read 5 MB before it writes anything: a
		// second of a small display, which would be lost if the recording stopped within it.
		...["-probesize", "32", "-analyzeduration", "0"],
		// x11grab reads the clock before it captures, so after a pause in between, a frame would show content later than its
		// timestamp. This option stamps frames after their capture.
		...["-use_wallclock_as_timestamps", "1"],
		...(order.isPrivate ? blackInput : displayInput)(order),
		...[
			"-filter:v:0",
			chain(dropEqual(framesPerSecond, end), ...ending, ...scaled, `scale=flags=${scaler},format=yuv420p`),
		],
		...["-map", "0:v", "-an", "-c:v", "libx264", "-preset", speed, "-tune", "zerolatency"],
		...["-crf", String(video.crf), ...limited],
		// Threads cost processor time that the recorded tests need; weighted prediction is for fades, and costs more than it saves.
		...["-threads", String(encoderThreads(size, framesPerSecond)), "-x264-params", `weightp=0${motion}`],
		...["-g", String(KEY_FRAME_SECONDS * framesPerSecond), ...placedAt(framesPerSecond)],
		...["-force_key_frames", `expr:gte(t-if(isnan(prev_forced_t),0,prev_forced_t),${keyFrameSeconds})`],
		// Each key frame contains its own size and decoder configuration, because the header of a recording is that of its
		// first part.
		...["-bsf:v", "dump_extra"],
		// Complete fragments survive a crash, so at most a third of a second is lost, or a frame where these are longer.
		...["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"],
		...["-flush_packets", "1", "-f", "mp4", files.video],
		// The other outputs, with one frame per second or less, have no measurable cost.
		...["-map", "0:v", "-an", "-vf", still, ...VARIABLE_RATE],
		// A second thread would delay each still until the next one, two seconds later.
		...[
			"-c:v",
			"mjpeg",
			"-threads",
			"1",
			"-pix_fmt",
			"yuvj420p",
			"-q:v",
			"5",
			"-f",
			"image2",
			"-update",
			"1",
			"-atomic_writing",
			"1",
		],
		files.poster,
		...[
			"-map",
			"0:v",
			"-an",
			"-vf",
			sample,
			...VARIABLE_RATE,
			"-c:v",
			"rawvideo",
			"-flush_packets",
			"1",
			"-f",
			"rawvideo",
			files.samples,
		],
	];
}

/** The end of a capture. `code` and `signal` are null if a previous runner started it. */
export interface CaptureEnd {
	code: number | null;
	signal: NodeJS.Signals | null;
	/** When the end was noticed, in ms since 1970. */
	at: number;
}

const ADOPTED_POLL_MS = 100;
const START_POLL_MS = 20;

export class Capture {
	/** When it was started, by performance.now(); for an adopted one, when it was adopted. */
	readonly since = performance.now();
	readonly process: ProcessId;
	readonly files: CaptureFiles;
	/** Resolves when the process has ended. */
	readonly ended: Promise<CaptureEnd>;
	#isEnded = false;
	#wasKilled = false;
	#stopping = false;

	private constructor(id: ProcessId, files: CaptureFiles, ended: Promise<CaptureEnd>) {
		this.process = id;
		this.files = files;
		this.ended = ended.finally(() => {
			this.#isEnded = true;
		});
	}

	/**
	 * Starts ffmpeg. A shell first writes its /proc/<pid>/stat line to the pid file and then becomes ffmpeg (exec), so
	 * that a running ffmpeg can always be found again, whichever process is killed at whatever moment.
	 * @throws when it cannot be started.
	 */
	static async start(order: CaptureOrder): Promise<Capture> {
		const stderr = openSync(order.files.stderr, "w");
		const script =
			'read -r stat < "/proc/$$/stat" && printf "%s\\n" "$stat" > "$0.new" && mv "$0.new" "$0" && exec "$@"';
		try {
			const child = spawn("/bin/sh", ["-c", script, order.files.pid, order.program, ...captureArguments(order)], {
				detached: true,
				stdio: ["ignore", "ignore", stderr],
				env: order.env,
			});
			const ended = new Promise<CaptureEnd>((resolve) => {
				child.on("exit", (code, signal) => resolve({ code, signal, at: Date.now() }));
			});
			await new Promise<void>((resolve, reject) => {
				child.on("spawn", resolve);
				child.on("error", reject);
			});
			child.unref();
			const id = (await readProcessId(`/proc/${child.pid}/stat`)) ?? { pid: child.pid ?? 0, startTicks: 0 };
			return new Capture(id, order.files, ended);
		} finally {
			closeSync(stderr);
		}
	}

	/** Adopts an ffmpeg that a previous runner started; null when it is no longer running. */
	static async adopt(files: CaptureFiles): Promise<Capture | null> {
		const id = await readProcessId(files.pid);
		if (id === null || !isAlive(id)) return null;
		const watch = async (): Promise<CaptureEnd> => {
			while (isAlive(id)) await pause(ADOPTED_POLL_MS);
			return { code: null, signal: null, at: Date.now() };
		};
		return new Capture(id, files, watch());
	}

	get isEnded(): boolean {
		return this.#isEnded;
	}

	/** Whether the runner killed it. */
	get wasKilled(): boolean {
		return this.#wasKilled;
	}

	/** Standard error so far. */
	async stderr(): Promise<string> {
		return readFile(this.files.stderr, "utf8").catch(() => "");
	}

	/** When the first frame was captured, in ms since 1970; null when ffmpeg ended without one. */
	async firstFrame(): Promise<number | null> {
		for (;;) {
			const wasEnded = this.#isEnded;
			const at = firstFrameAt(await this.stderr());
			if (at !== null || wasEnded) return at;
			await pause(START_POLL_MS);
		}
	}

	/** Asks ffmpeg to finish its file, and kills it after `graceMs`. Safe to call twice. */
	async stop(graceMs: number): Promise<CaptureEnd> {
		if (!this.#stopping) {
			this.#stopping = true;
			signalProcess(this.process, "SIGINT");
		}
		const gone = new AbortController();
		const killer = pause(graceMs, gone.signal).then(() => {
			if (!gone.signal.aborted) signalProcess(this.process, "SIGKILL");
		});
		const end = await this.ended;
		gone.abort();
		await killer;
		return end;
	}

	/** Kills ffmpeg; its output so far stays. */
	kill(): void {
		this.#wasKilled = true;
		signalProcess(this.process, "SIGKILL");
	}
}

async function readProcessId(file: string): Promise<ProcessId | null> {
	const stat = parseStat(await readFile(file, "utf8").catch(() => ""));
	return stat === null ? null : { pid: stat.pid, startTicks: stat.startTicks };
}
