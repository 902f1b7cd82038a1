/** What a busy machine makes of the start of an encoder. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { requireProgram } from "../processes/programs.ts";

/** How long another ffmpeg takes to its first frame of a display while the machine is as busy as now, in seconds. */
export async function ffmpegStart(displayId: string): Promise<number> {
	const startedAt = performance.now();
	const grab = ["-v", "error", "-f", "x11grab", "-i", displayId, "-frames:v", "1", "-c:v", "libx264"];
	await promisify(execFile)(requireProgram("ffmpeg"), [...grab, "-f", "null", "-"]);
	return (performance.now() - startedAt) / 1_000;
}
