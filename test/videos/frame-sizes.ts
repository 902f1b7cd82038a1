/** The sizes of a video's frames. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "../processes/programs.ts";

/**
 * @returns the size of the first frame, such as `640x360`, and then each different one that the decoder finds after it.
 */
export async function frameSizesOf(video: Buffer): Promise<string[]> {
	const file = join(tmpdir(), `tapedeck-sizes-${process.pid}-${performance.now()}.mp4`);
	await writeFile(file, video);
	try {
		const wanted = ["-select_streams", "v", "-show_entries", "frame=width,height", "-of", "csv=p=0:s=x"];
		const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), ["-v", "error", ...wanted, file]);
		const sizes = [...stdout.matchAll(/\d+x\d+/g)].map(([size]) => size);
		return sizes.filter((size, index) => size !== sizes[index - 1]);
	} finally {
		await rm(file, { force: true });
	}
}
