/** Measures the effect of a busy machine on the start of an encoder. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { requireProgram } from "../processes/programs.ts";

/** The time that another ffmpeg currently takes to its first frame of a display, in seconds. */
export async function ffmpegStart(displayId: string): Promise<number> {
	const startedAt = performance.now();
	const grab = ["-v", "error", "-f", "x11grab", "-i", displayId, "-frames:v", "1", "-c:v", "libx264"];
	await promisify(execFile)(requireProgram("ffmpeg"), [...grab, "-f", "null", "-"]);
	return (performance.now() - startedAt) / 1_000;
}
