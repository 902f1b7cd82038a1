/**
 * One frame of a stored video as a JPEG, by the machine's own ffmpeg where there is one. Videos come from strangers, so
 * ffmpeg is held: it sees no secret of ours, opens no other file, and has limits of time, memory and output. It is
 * started here and nowhere else in the dashboard.
 */
import { spawn } from "node:child_process";
import { basename } from "node:path";
import type { Log } from "../../core/context.ts";

const TIMEOUT_MS = 10_000;
const WIDTH = 640;
/** A JPEG of 8192 × 4320 takes half of this, a small one a hundredth. */
const MAX_JPEG_BYTES = 16 * 2 ** 20;
const MAX_STDERR_CHARACTERS = 2_000;
/** Enough for a frame of 8192 × 4320, which takes about 0.9 GiB. */
const MEMORY_KIB = 2 * 2 ** 20;
const MAX_PIXELS = 8192 * 4320;
/** What browsers play. A video in another codec has no picture. */
const DECODERS = "h264,hevc,vp8,vp9,av1,libvpx,libvpx-vp9,libaom-av1,libdav1d";
/** All that ffmpeg gets of the environment. */
const ENVIRONMENT = ["PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"];

/** The limits hold even if the dashboard dies first. `-v` is missing on some systems, and not worth a video's picture. */
const LIMITED = [
	`ulimit -v ${MEMORY_KIB} 2>/dev/null`,
	`ulimit -t ${TIMEOUT_MS / 1000}`,
	"ulimit -f 0",
	'exec nice -n 19 ffmpeg "$@"',
].join("; ");

/** One encoder at a time: pages ask for many pictures at once. */
let last: Promise<unknown> = Promise.resolve();

/** Runs `work` when everything that was asked for before it is done. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
	const turn = last.then(work);
	last = turn.catch(() => undefined);
	return turn;
}

/**
 * Takes the frame at `atSeconds` of `video`. Why it could not is logged.
 * @returns a JPEG; null without ffmpeg, for what it cannot decode, where the video has no frame, and after 10 s.
 */
export async function grabFrame(log: Log, video: string, options: FrameOptions): Promise<Buffer | null> {
	const { jpeg, reason, stderr } = await takeFrame(video, options);
	if (reason === null) return jpeg.length === 0 ? null : jpeg;
	log.warn({ video: basename(video), reason, stderr }, "ffmpeg could not take a frame of a video");
	return null;
}

/**
 * Whether ffmpeg finds nothing in a video that it can decode. False where it cannot tell: without ffmpeg, without the
 * codec's decoder, without enough time or memory.
 */
export async function isUndecodable(log: Log, video: string, contentType: string): Promise<boolean> {
	const { jpeg, reason, stderr } = await oneAtATime(() => takeFrame(video, { contentType, atSeconds: 0 }));
	if (reason === null) return jpeg.length === 0;
	log.warn({ video: basename(video), reason, stderr }, "ffmpeg could not decode an uploaded video");
	// A shell says 126 and 127 of what it cannot start.
	return /^exit status (?!12[67]$)/.test(reason) && !/no decoder found|Cannot allocate memory/i.test(stderr);
}

type FrameOptions = { contentType: string; atSeconds: number; width?: number; timeoutMs?: number };

function takeFrame(video: string, options: FrameOptions): Promise<Outcome> {
	const args = [
		...["-v", "error", "-nostdin"],
		...["-threads", "1", "-max_alloc", String(2 ** 29), "-max_pixels", String(MAX_PIXELS)],
		...["-codec_whitelist", DECODERS, "-protocol_whitelist", "file"],
		// The format is stated, not guessed: some formats are lists of other files and addresses.
		...(options.contentType === "video/webm" ? ["-f", "matroska"] : ["-f", "mov", "-enable_drefs", "0"]),
		...["-ss", options.atSeconds.toFixed(3), "-i", `file:${video}`],
		...["-map", "0:v:0", "-frames:v", "1", "-vf", `scale='min(${options.width ?? WIDTH},iw)':-2`],
		...["-c:v", "mjpeg", "-q:v", "4", "-f", "image2pipe", "pipe:1"],
	];
	return run(args, options.timeoutMs ?? TIMEOUT_MS);
}

type Outcome = { jpeg: Buffer /** What went wrong; null when nothing did. */; reason: string | null; stderr: string };

function run(args: string[], timeoutMs: number): Promise<Outcome> {
	const { promise, resolve } = Promise.withResolvers<Outcome>();
	// biome-ignore lint/style/noProcessEnv: handed on to another program, and no setting of ours
	const given = process.env;
	const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, given[name]])) as NodeJS.ProcessEnv;
	// In the dashboard's own session: nice counts only within one where the kernel groups by session.
	const child = spawn("sh", ["-c", LIMITED, "ffmpeg", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
	const chunks: Buffer[] = [];
	let bytes = 0;
	let stderr = "";
	const settle = (reason: string | null) => {
		clearTimeout(timer);
		child.stdout.destroy();
		child.stderr.destroy();
		resolve({ jpeg: Buffer.concat(chunks), reason, stderr });
	};
	const kill = (reason: string) => {
		child.kill("SIGKILL");
		settle(reason);
	};
	const timer = setTimeout(() => kill("too slow"), timeoutMs);
	child.stdout.on("data", (chunk: Buffer) => {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > MAX_JPEG_BYTES) kill("too much output");
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
	});
	child.once("error", (error) => settle(error.message));
	child.once("close", (status, signal) =>
		settle(status === 0 ? null : signal === null ? `exit status ${status}` : signal),
	);
	return promise;
}
