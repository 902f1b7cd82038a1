/** The colors that a video shows. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { requireProgram } from "../processes/programs.ts";

/** @returns the average color of each frame, as red, green and blue. */
export async function colorsOf(video: Buffer): Promise<number[][]> {
	const file = join(tmpdir(), `tapedeck-colors-${process.pid}-${performance.now()}.mp4`);
	await writeFile(file, video);
	try {
		const average = ["-vf", "scale=1:1:flags=area,format=rgb24", "-fps_mode", "vfr", "-f", "rawvideo", "-"];
		const words = ["-v", "error", "-i", file, ...average];
		const { stdout } = await promisify(execFile)(requireProgram("ffmpeg"), words, { encoding: "buffer" });
		return Array.from({ length: stdout.length / 3 }, (_, frame) => [...stdout.subarray(3 * frame, 3 * frame + 3)]);
	} finally {
		await rm(file, { force: true });
	}
}

/** A color as in a video, with a tolerance for the encoder's rounding. */
export const near = (...color: number[]) => color.map((value) => expect.closeTo(value, -1));
