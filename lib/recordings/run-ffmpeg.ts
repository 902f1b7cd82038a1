/**
 * Runs the machine's ffmpeg or ffprobe on a video. Videos are untrusted, so the program gets none of our secrets, opens no
 * other file, and has limits on time, memory and output. This is the only place where the dashboard starts them.
 */
import { spawn } from "node:child_process";

const TIMEOUT_MS = 10_000;
/**
 * Recording goes first. Beside a busy program of normal priority on its core, a value of 10 leaves a tenth of the core, and 19 a
 * seventieth: callers wait for most of these programs, and a frame of 0.2 s would take 14 s, longer than its limit.
 */
const NICENESS = 10;
/** A JPEG of 8192 × 4320 takes half of this, a small one a hundredth. */
export const MAX_OUTPUT_BYTES = 16 * 2 ** 20;
const MAX_STDERR_CHARACTERS = 2_000;
/** Enough for a frame of 8192 × 4320, which takes about 0.9 GiB. */
const MEMORY_KIB = 2 * 2 ** 20;
/** The only environment variables that it gets. */
const ENVIRONMENT = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"];

export const TOO_SLOW = "too slow";
export const TOO_MUCH_OUTPUT = "too much output";

/** The codecs that browsers play. */
export const VIDEO_DECODERS = "h264,hevc,vp8,vp9,av1,libvpx,libvpx-vp9,libaom-av1,libdav1d";

/** The limits hold even if the dashboard dies first. Some shells lack `ulimit -v`, which is not worth failing for. */
const limited = (program: Program, seconds: number): string =>
	[
		`ulimit -v ${MEMORY_KIB} 2>/dev/null`,
		`ulimit -t ${seconds}`,
		"ulimit -f 0",
		`exec nice -n ${NICENESS} ${program} "$@"`,
	].join("; ");

type Program = "ffmpeg" | "ffprobe";

export interface RunLimits {
	/** Limit of processor time. */
	cpuSeconds: number;
	timeoutMs?: number;
	maxOutputBytes?: number;
	/** Standard input. */
	input?: Buffer;
	/** Ends the program when nobody wants its output any more. */
	signal?: AbortSignal;
}

/** A video as the program reads it. */
export interface ProgramInput {
	/** A path, or a URL of this machine (video-input). */
	video: string;
	contentType: string;
}

const MAX_PIXELS = 8192 * 4320;

/** The images that are stored as recordings. */
const IMAGE_FORMATS: Readonly<Record<string, { format: string; decoder: string }>> = {
	"image/png": { format: "png_pipe", decoder: "png" },
	"image/jpeg": { format: "jpeg_pipe", decoder: "mjpeg" },
	"image/gif": { format: "gif", decoder: "gif" },
	"image/webp": { format: "webp_pipe", decoder: "webp" },
};

export const isImage = (contentType: string): boolean => contentType in IMAGE_FORMATS;

function formatOf(contentType: string): string[] {
	const image = IMAGE_FORMATS[contentType];
	if (image !== undefined) return ["-f", image.format];
	return contentType === "video/webm" ? ["-f", "matroska"] : ["-f", "mov", "-enable_drefs", "0"];
}

export const isUrl = (video: string): boolean => video.startsWith("http://127.0.0.1:");

/**
 * Arguments that name a video and what may be done with it. Options of the input, such as `-ss`, come between both.
 * @returns the arguments before its options, and those after them.
 */
export const inputArguments = (
	{ video, contentType }: ProgramInput,
	decoders = VIDEO_DECODERS,
): [limits: string[], input: string[]] => [
	[
		...["-threads", "1", "-max_alloc", String(2 ** 29), "-max_pixels", String(MAX_PIXELS)],
		...[
			"-codec_whitelist",
			IMAGE_FORMATS[contentType]?.decoder ?? decoders,
			"-protocol_whitelist",
			isUrl(video) ? "http,tcp" : "file",
		],
		// The format is fixed, not probed: some formats are lists of other files and URLs.
		...formatOf(contentType),
	],
	["-i", isUrl(video) ? video : `file:${video}`],
];

/**
 * An option of the input for filters that go on when the video changes its size, as a recording of a resized display does:
 * ffmpeg would otherwise begin anew with all of them, and lose what they hold and their times. Only filters from `scale` to one
 * size on may depend on the size.
 */
export const ONE_FILTER = ["-reinit_filter", "0"];

/** The result of a run. */
interface RunResult {
	stdout: Buffer;
	/** The failure, such as `exit status 1`; null if it succeeded. */
	reason: string | null;
	/** Its end, as far as it is short. */
	stderr: string;
}

/** Whether the program found a fault in the video: it started, and neither time nor memory ran out. */
export const hasFoundFault = ({ reason, stderr }: RunResult): boolean =>
	// A shell exits with 126 or 127 if it cannot start the program.
	reason !== null && /^exit status (?!12[67]$)/.test(reason) && !/Cannot allocate memory/i.test(stderr);

/**
 * Never rejects.
 * @param onOutput gets the output instead of the result, of any length unless `maxOutputBytes` is given. The program waits for
 *   its promise, and ends if it is rejected.
 */
export function runFfmpeg(
	program: Program,
	args: readonly string[],
	{ cpuSeconds, timeoutMs = TIMEOUT_MS, maxOutputBytes, input, signal }: RunLimits,
	onOutput?: (chunk: Buffer) => void | Promise<void>,
): Promise<RunResult> {
	const { promise, resolve } = Promise.withResolvers<RunResult>();
	// biome-ignore lint/style/noProcessEnv: passed to another program, not read as settings
	const given = process.env;
	const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, given[name]])) as NodeJS.ProcessEnv;
	// Not detached: where the kernel groups processes by session, nice has an effect only within the session.
	const child = spawn("sh", ["-c", limited(program, cpuSeconds), program, ...args], {
		env,
		stdio: ["pipe", "pipe", "pipe"],
	});
	// It may end before it has read all.
	child.stdin.on("error", () => undefined).end(input);
	const mostBytes = maxOutputBytes ?? (onOutput === undefined ? MAX_OUTPUT_BYTES : Number.POSITIVE_INFINITY);
	const chunks: Buffer[] = [];
	let bytes = 0;
	let taken = Promise.resolve();
	let stderr = "";
	const settle = (reason: string | null) => {
		clearTimeout(timer);
		signal?.removeEventListener("abort", leave);
		child.stdout.destroy();
		child.stderr.destroy();
		resolve({ stdout: Buffer.concat(chunks), reason, stderr });
	};
	const kill = (reason: string) => {
		child.kill("SIGKILL");
		settle(reason);
	};
	const timer = setTimeout(() => kill(TOO_SLOW), timeoutMs);
	const leave = () => kill("nobody waits for it");
	signal?.addEventListener("abort", leave, { once: true });
	if (signal?.aborted) leave();
	child.stdout.on("data", (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > mostBytes) return kill(TOO_MUCH_OUTPUT);
		if (onOutput === undefined) return void chunks.push(chunk);
		child.stdout.pause();
		taken = taken
			.then(() => onOutput(chunk))
			.then(
				() => void child.stdout.resume(),
				(error: unknown) => kill(`its output was not taken: ${error}`),
			);
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
	});
	child.once("error", (error) => settle(error.message));
	child.once("close", async (status, signal) => {
		await taken;
		settle(status === 0 ? null : signal === null ? `exit status ${status}` : signal);
	});
	return promise;
}
