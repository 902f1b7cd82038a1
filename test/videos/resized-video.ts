/** A recording of a display that was resized: each of its parts has its own size, as runners record them. */
import { readFile } from "node:fs/promises";
import { joinVideos } from "./join-videos.ts";
import { keptVideo, RECORDER } from "./make-video.ts";

/** Black and 160x120 for two seconds, which the last frame of lasts until 2.5 s, then white and 120x200 for two. */
export async function resizedVideo(): Promise<Buffer> {
	const before = await part("black", "160x120");
	return joinVideos(before, await part("white", "120x200"), 2.5);
}

async function part(color: string, size: string): Promise<Buffer> {
	const source = ["-f", "lavfi", "-i", `color=${color}:size=${size}:rate=15:duration=2`];
	return readFile(await keptVideo(`${color}-${size}.mp4`, [...source, ...RECORDER, "-bsf:v", "dump_extra"]));
}
