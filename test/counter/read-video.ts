/** Decodes a recording from end to end and reads the counter in every frame. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "#test/processes/programs.ts";
import { BLOCK, COLUMNS, ROWS, readBlocks } from "./counter.ts";

export interface Frame {
	/** Position on the recording's timeline, in ms. */
	at: number;
	/** The counter in the frame, in ms since the run began; null if it cannot be read. */
	counter: number | null;
}

export interface ReadVideo {
	frames: Frame[];
	/** Duration in ms; the last frame may be held. */
	lengthMs: number;
	/** The decoder's error messages; empty if there are none. */
	complaints: string;
}

/** @throws when ffmpeg cannot decode the file at all. */
export async function readVideo(file: string): Promise<ReadVideo> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-chaos-read-"));
	const shades = join(folder, "shades");
	const times = join(folder, "times");
	const picture = `crop=${COLUMNS * BLOCK}:${ROWS * BLOCK}:0:0,scale=${COLUMNS}:${ROWS}:flags=area,format=gray`;
	// Each frame of the file once, at the time that the file gives it: ffmpeg would round that to the rate that it takes the
	// video for, which is low where little of it changes, and complain of two frames at one time.
	const output = ["-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-c:v", "rawvideo"];
	try {
		const { stderr } = await promisify(execFile)(requireProgram("ffmpeg"), [
			...["-nostdin", "-v", "error", "-threads", "1", "-i", file],
			...["-filter_complex", `[0:v]${picture},split[a][b]`],
			...["-map", "[a]", ...output, "-f", "rawvideo", shades],
			...["-map", "[b]", ...output, "-f", "mkvtimestamp_v2", times],
		]);
		const bytes = await readFile(shades);
		const instants = (await readFile(times, "utf8")).split("\n").filter((line) => /^-?\d+$/.test(line));
		const size = COLUMNS * ROWS;
		if (bytes.length !== instants.length * size) {
			throw new Error(`${bytes.length / size} pictures have ${instants.length} instants`);
		}
		return {
			lengthMs: await lengthOf(file),
			complaints: stderr.trim(),
			frames: instants.map((at, index) => ({
				at: Number(at),
				counter: readBlocks(bytes.subarray(index * size, (index + 1) * size)),
			})),
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function lengthOf(file: string): Promise<number> {
	const asked = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), asked);
	return Number(stdout) * 1_000;
}
