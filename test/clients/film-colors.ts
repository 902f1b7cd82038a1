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

/** @param folder for the video. @returns frames, each WIDTH by HEIGHT pixels of three bytes, at FRAMES_PER_SECOND. */
export async function framesOf(project: { client: Tapedeck; folder: string }, job: Job): Promise<Buffer[]> {
	return (await decode(project, job, `fps=${FRAMES_PER_SECOND}`)).map(({ pixels }) => pixels);
}

/** @param filter the first one for the frames; `null` leaves them as they were captured. */
async function decode(
	{ client, folder }: { client: Tapedeck; folder: string },
	job: Job,
	filter: string,
): Promise<{ at: number; pixels: Buffer }[]> {
	const file = join(folder, `${job.id}.mp4`);
	await writeFile(file, (await client.recordings.download(job.recording?.id ?? 0)).body);
	const filters = `${filter},scale=${WIDTH}:${HEIGHT}:flags=neighbor,format=rgb24,showinfo`;
	const words = [
		"-v",
		"info",
		"-nostats",
		"-i",
		file,
		"-vf",
		filters,
		"-fps_mode",
		"passthrough",
		"-f",
		"rawvideo",
		"-",
	];
	const { stdout, stderr } = await promisify(execFile)(requireProgram("ffmpeg"), words, {
		encoding: "buffer",
		maxBuffer: 1 << 30,
	});
	const size = WIDTH * HEIGHT * 3;
	return [...stderr.toString().matchAll(/ pts_time:([\d.]+)/g)].map(([, at], index) => ({
		at: Number(at),
		pixels: stdout.subarray(index * size, (index + 1) * size),
	}));
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

/** Steps of 60 between the levels of a channel: encoded colors differ by less than TOLERANCE. */
const LEVELS = [40, 100, 160, 220];
/** A number for three levels. */
const codeOf = (red: number, green: number, blue: number): number =>
	(red * LEVELS.length + green) * LEVELS.length + blue;
const STEPS = LEVELS.map((_, step) => step);
/** Codes without grays, which browsers show anyway. */
const TEST_CODES = STEPS.flatMap((red) =>
	STEPS.flatMap((green) =>
		STEPS.flatMap((blue) => (red === green && green === blue ? [] : [codeOf(red, green, blue)])),
	),
);

/** The color of a numbered test, of which there are 60. */
export function colorOfTest(number: number): Color {
	const code = TEST_CODES[number] ?? 0;
	const level = (place: number) => LEVELS[Math.floor(code / LEVELS.length ** place) % LEVELS.length] ?? 0;
	return [level(2), level(1), level(0)];
}

/** The step of the nearest level of a channel; -1 if none is near. */
const STEP_OF = Int8Array.from({ length: 256 }, (_, value) =>
	LEVELS.findIndex((level) => Math.abs(level - value) < TOLERANCE),
);

/** A frame of a film. */
export interface Frame {
	/** The second at which it was captured. */
	at: number;
	/** The numbers of the tests whose color at least a twentieth of the display has. */
	tests: Set<number>;
}

/** @returns all frames, at the times at which they were captured. */
export async function framesByTest(
	project: { client: Tapedeck; folder: string },
	job: Job,
	tests: number,
): Promise<Frame[]> {
	return (await decode(project, job, "null")).map(({ at, pixels }) => {
		const counts = new Uint32Array(LEVELS.length ** 3);
		for (let offset = 0; offset < pixels.length; offset += 3) {
			const red = STEP_OF[pixels[offset] ?? 0] ?? -1;
			const green = STEP_OF[pixels[offset + 1] ?? 0] ?? -1;
			const blue = STEP_OF[pixels[offset + 2] ?? 0] ?? -1;
			if (red < 0 || green < 0 || blue < 0) continue;
			const code = codeOf(red, green, blue);
			counts[code] = (counts[code] ?? 0) + 1;
		}
		const isShown = (number: number) => (counts[TEST_CODES[number] ?? 0] ?? 0) > 0.05 * WIDTH * HEIGHT;
		return { at, tests: new Set(Array.from({ length: tests }, (_, number) => number).filter(isShown)) };
	});
}
