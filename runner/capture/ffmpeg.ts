/**
 * One ffmpeg that captures one display into one spool file. It stands on its own: its own process group, no
 * pipe to the runner, its words in a file. So it survives the runner's death and can be taken up again.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { firstFrameAt } from "../ffmpeg-reason.ts";
import { isAlive, type ProcessId, parseStat, signalProcess } from "../base/process-id.ts";
import { pause } from "../base/wait.ts";

export const FRAMES_PER_SECOND = 15;
const POSTER_SECONDS = 2;
/** In seconds, longer than any stall or jump of a clock: ffmpeg is to believe all timestamps. */
const NEVER_DOUBTED = 1_000_000_000;
/** A still picture or a sample is repeated for at most that long, whatever a clock that is set makes of the time. */
const LONGEST_REPEAT_SECONDS = 60;
export const SAMPLE_WIDTH = 32;
export const SAMPLE_HEIGHT = 18;

/** The files of one capture, inside its job's spool folder. */
export interface CaptureFiles {
	video: string;
	stderr: string;
	pid: string;
	poster: string;
	/** Small grey pictures, one a second, that tell black and frozen videos (picture-verdict.ts). */
	samples: string;
}

/** The last still picture of a recording. */
export const posterFile = (folder: string): string => join(folder, "poster.jpg");

export const captureFiles = (folder: string, part: number): CaptureFiles => ({
	video: join(folder, `part-${part}.mp4`),
	stderr: join(folder, `part-${part}.log`),
	pid: join(folder, `part-${part}.pid`),
	poster: posterFile(folder),
	samples: join(folder, `part-${part}.gray`),
});

export interface CaptureOrder {
	program: string;
	env: NodeJS.ProcessEnv;
	/** As X programs take it: `:99.0`. */
	xName: string;
	width: number;
	height: number;
	/** Frames, at a full rate, after which it ends by itself; null for until it is stopped. */
	frames: number | null;
	/** Size of the video that the picture is fitted into; null for its own. */
	fit: { width: number; height: number } | null;
	files: CaptureFiles;
}

/** H.264 with 4:2:0 colour has even sizes only: an odd last row or column is left out. */
export const evenSize = (size: number): number => Math.max(2, size & ~1);

/** A picture of another size, as large as it can be, in the middle of the first one's size: one file, one geometry. */
const fitInto = ({ width, height }: { width: number; height: number }): string =>
	`scale=${width}:${height}:force_original_aspect_ratio=decrease:flags=bicubic,` +
	`pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=0`;

/**
 * Ends after `frames`, whatever happened before: the first frame that comes then or later is put right there, so that
 * the one before it is held until the end and not longer. It is one too many, and left out when the file is read.
 */
function endAfter(frames: number): string[] {
	const end = frames / FRAMES_PER_SECOND;
	// Once the end is there (`st`), every further frame lies a second behind it, which is cut off.
	return [`setpts='if(gte(T,${end}),(${end}+ld(0)+0*st(0,1))/TB,PTS)'`, `trim=end=${end + 0.5}`];
}

/** For outputs that repeat pictures where none came: not for the years that a clock may be set ahead. */
const CALM_TIME = `setpts='if(isnan(PREV_OUTPTS),PTS,PREV_OUTPTS+clip(PTS-PREV_INPTS,0,${LONGEST_REPEAT_SECONDS}/TB))'`;

/** The whole command line. */
export function captureArguments(order: CaptureOrder): string[] {
	const { frames, files, fit } = order;
	const end = frames === null ? [] : endAfter(frames);
	const fitted = fit === null ? [] : [fitInto(fit)];
	const chain = (...filters: string[]) => filters.join(",");
	const gray = `scale=${SAMPLE_WIDTH}:${SAMPLE_HEIGHT}:flags=area+accurate_rnd,format=gray`;
	const sample = chain(...end, CALM_TIME, "fps=1:eof_action=pass", gray);
	const still = chain(...end, CALM_TIME, `fps=1/${POSTER_SECONDS}:eof_action=pass`, "scale=480:-2:flags=fast_bilinear");
	return [
		...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "info", "-y"],
		// Every frame at the moment of its capture, and none where none was captured: whoever plays the file then sees the
		// frame before. (Older ones do not know -fps_mode, and all know -vsync.)
		...["-dts_error_threshold", String(NEVER_DOUBTED), "-vsync", "vfr"],
		// What x11grab sends is known from its first frame. Looking at more takes 5 MB of them before anything is written:
		// a second of a small display, which a stop in that second would lose.
		...["-probesize", "32", "-analyzeduration", "0"],
		// x11grab reads the clock before it captures: after a pause between the two, a frame would show what came later than
		// its timestamp. Stamped after its capture, it can only show what came before.
		...[
			"-use_wallclock_as_timestamps",
			"1",
			"-f",
			"x11grab",
			"-draw_mouse",
			"1",
			"-framerate",
			String(FRAMES_PER_SECOND),
		],
		...["-video_size", `${evenSize(order.width)}x${evenSize(order.height)}`, "-i", order.xName],
		...(end.length + fitted.length === 0 ? [] : ["-filter:v:0", chain(...end, ...fitted)]),
		...["-map", "0:v", "-an", "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-crf", "28"],
		...["-pix_fmt", "yuv420p", "-g", "30", "-r", String(FRAMES_PER_SECOND)],
		// What is in a fragment is safe: a third of a second is the most that a crash can take.
		...["-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer", "-frag_duration", "333333"],
		...["-flush_packets", "1", "-f", "mp4", files.video],
		// The other outputs, of a frame a second or less, cost nothing that can be measured.
		...["-map", "0:v", "-an", "-vf", still],
		// With threads, a picture would be written when the next one is captured, two seconds late.
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

/** How a capture ended; `code` and `signal` are unknown (null) for one that an earlier runner started. */
export interface CaptureEnd {
	code: number | null;
	signal: NodeJS.Signals | null;
	/** Instant at which the end was seen, in ms since 1970. */
	at: number;
}

const ADOPTED_POLL_MS = 100;
const START_POLL_MS = 20;

export class Capture {
	readonly process: ProcessId;
	readonly files: CaptureFiles;
	/** Resolves when the process is gone. */
	readonly ended: Promise<CaptureEnd>;
	#isEnded = false;
	#stopping = false;

	private constructor(id: ProcessId, files: CaptureFiles, ended: Promise<CaptureEnd>) {
		this.process = id;
		this.files = files;
		this.ended = ended.finally(() => {
			this.#isEnded = true;
		});
	}

	/**
	 * Starts ffmpeg. A shell first writes the line of /proc that names the process into the pid file and then
	 * becomes ffmpeg: whatever is killed when, no ffmpeg ever runs that nobody can find again.
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

	/** Takes up an ffmpeg that an earlier runner started; null when it runs no more. */
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

	/** What it has said so far. */
	async stderr(): Promise<string> {
		return readFile(this.files.stderr, "utf8").catch(() => "");
	}

	/** The instant of the first frame in ms since 1970; null when it ended without one. */
	async firstFrame(): Promise<number | null> {
		for (;;) {
			const wasEnded = this.#isEnded;
			const at = firstFrameAt(await this.stderr());
			if (at !== null || wasEnded) return at;
			await pause(START_POLL_MS);
		}
	}

	/** Asks it to finish its file; ends it by force after the grace. Safe to call twice. */
	async stop(graceMs: number): Promise<CaptureEnd> {
		if (!this.#stopping) {
			this.#stopping = true;
			signalProcess(this.process, "SIGINT");
		}
		const enough = new AbortController();
		const killer = pause(graceMs, enough.signal).then(() => {
			if (!enough.signal.aborted) signalProcess(this.process, "SIGKILL");
		});
		const end = await this.ended;
		enough.abort();
		await killer;
		return end;
	}

	/** Ends it at once; what it wrote up to now stays. */
	kill(): void {
		signalProcess(this.process, "SIGKILL");
	}
}

async function readProcessId(file: string): Promise<ProcessId | null> {
	const stat = parseStat(await readFile(file, "utf8").catch(() => ""));
	return stat === null ? null : { pid: stat.pid, startTicks: stat.startTicks };
}
