/** The colors that the frames of a job's video show. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job, Tapedeck } from "@tapedeck/client-source/index.ts";
import { requireProgram } from "../processes/programs.ts";

export type Color = readonly [number, number, number];

/** A channel of a decoded pixel may differ by this much from the color that was shown. */
const TOLERANCE = 30;
const FRAMES_PER_SECOND = 10;
const [WIDTH, HEIGHT] = [160, 106];

/** @param folder for the video. @returns frames, each WIDTH by HEIGHT pixels of three bytes. */
export async function framesOf({ client, folder }: { client: Tapedeck; folder: string }, job: Job): Promise<Buffer[]> {
	const file = join(folder, `${job.id}.mp4`);
	await writeFile(file, (await client.recordings.download(job.recording?.id ?? 0)).body);
	const filter = `fps=${FRAMES_PER_SECOND},scale=${WIDTH}:${HEIGHT}:flags=neighbor,format=rgb24`;
	const words = ["-v", "error", "-i", file, "-vf", filter, "-f", "rawvideo", "-"];
	const { stdout } = await promisify(execFile)(requireProgram("ffmpeg"), words, {
		encoding: "buffer",
		maxBuffer: 1 << 30,
	});
	const size = WIDTH * HEIGHT * 3;
	return Array.from({ length: stdout.length / size }, (_, index) => stdout.subarray(index * size, (index + 1) * size));
}

/** The share of a frame's pixels that have the color. */
function shareOf(frame: Buffer, color: Color): number {
	let count = 0;
	for (let at = 0; at < frame.length; at += 3) {
		if (color.every((channel, index) => Math.abs((frame[at + index] ?? 0) - channel) <= TOLERANCE)) count += 1;
	}
	return count / (WIDTH * HEIGHT);
}

/** The seconds of the video in which at least a twentieth of the display has the color. */
export const secondsWith = (frames: readonly Buffer[], color: Color): number[] =>
	frames.flatMap((frame, index) => (shareOf(frame, color) > 0.05 ? [index / FRAMES_PER_SECOND] : []));
