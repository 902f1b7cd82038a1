/** One frame of a stored video as a JPEG, by the machine's own ffmpeg where there is one. */
import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";

const TIMEOUT_MS = 10_000;
const WIDTH = 640;

/** One encoder at a time: pages ask for many pictures at once. */
let last: Promise<unknown> = Promise.resolve();

/** Runs `work` when everything that was asked for before it is done. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
	const turn = last.then(work);
	last = turn.catch(() => undefined);
	return turn;
}

/**
 * Writes the frame at `atSeconds` of `video` to `target`.
 * @returns whether it did: false without ffmpeg, for what it cannot decode, and after 10 s.
 */
export async function grabFrame(
	video: string,
	target: string,
	options: { contentType: string; atSeconds: number; width?: number },
): Promise<boolean> {
	// The format is stated, not guessed: some formats are lists of other files and addresses.
	const format = options.contentType === "video/webm" ? "matroska" : "mov";
	const input = [
		"-protocol_whitelist",
		"file",
		"-f",
		format,
		"-ss",
		options.atSeconds.toFixed(3),
		"-i",
		`file:${video}`,
	];
	const output = [
		"-an",
		"-frames:v",
		"1",
		"-vf",
		`scale='min(${options.width ?? WIDTH},iw)':-2`,
		"-q:v",
		"4",
		"-f",
		"mjpeg",
		"-y",
	];
	const status = await run(["-v", "error", "-nostdin", "-threads", "1", ...input, ...output, `file:${target}`]);
	if (status !== 0) return false;
	try {
		return (await stat(target)).size > 0;
	} catch {
		return false;
	}
}

/** @returns ffmpeg's exit status, null when it could not be started or was killed. */
function run(args: string[]): Promise<number | null> {
	return new Promise((resolve) => {
		const child = spawn("ffmpeg", args, { stdio: "ignore" });
		const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
		const settle = (status: number | null) => {
			clearTimeout(timer);
			resolve(status);
		};
		child.once("error", () => settle(null));
		child.once("close", settle);
	});
}
