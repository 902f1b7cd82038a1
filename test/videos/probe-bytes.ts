/** Reads ffprobe's description of a video or a picture. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { framesOf } from "./make-video.ts";

const run = promisify(execFile);

export interface ProbedBytes {
	codec: string;
	profile: string;
	pixelFormat: string;
	width: number;
	height: number;
	seconds: number;
	/** A hash of the pixels of each frame. */
	frames: string[];
}

export async function probeBytes(bytes: Buffer): Promise<ProbedBytes> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-probe-"));
	try {
		const path = join(folder, "video");
		await writeFile(path, bytes);
		const entries = "stream=codec_name,profile,pix_fmt,width,height:format=duration";
		const { stdout } = await run("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "json", path]);
		const { streams, format } = JSON.parse(stdout);
		const [{ codec_name, profile, pix_fmt, width, height }] = streams;
		const frames = (await framesOf(path)).map((line) => line.split(",").at(-1)?.trim() ?? "");
		return {
			...{ codec: codec_name, profile: profile ?? "", pixelFormat: pix_fmt, width, height },
			...{ seconds: Number(format.duration), frames },
		};
	} finally {
		await rm(folder, { recursive: true });
	}
}
