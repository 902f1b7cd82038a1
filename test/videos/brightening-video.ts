/** A video that says by its brightness which second it shows. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { decodePicture } from "./decode-picture.ts";
import { keptVideo, RECORDER } from "./make-video.ts";

const run = promisify(execFile);
const SECONDS = 8;
const FIRST = 20;
const STEP = 25;

/** @returns 8 s of 320 × 180 at 15 frames a second, each second brighter than the one before. */
export async function brighteningVideo(name: string, output: readonly string[] = RECORDER): Promise<Buffer> {
	const luma = `lum='${FIRST}+floor(T)*${STEP}':cb=128:cr=128`;
	// One pixel, scaled up, because geq computes each pixel separately.
	const source = `color=black:size=2x2:rate=15:duration=${SECONDS},geq=${luma},scale=320:180:flags=neighbor`;
	return readFile(await keptVideo(name, ["-f", "lavfi", "-i", source, ...output]));
}

/** @param jpeg a frame of such a video, in full range. @returns its second in the video. */
export async function secondOf(jpeg: Buffer): Promise<number> {
	const luma = (await decodePicture(jpeg)).brightness * (219 / 255) + 16;
	return Math.round((luma - FIRST) / STEP);
}

/**
 * @param height of the parts, from the top.
 * @returns the second that each part of a video's first frame shows, from left to right.
 */
export async function firstSecondsOf(video: string, parts: number, height = 1): Promise<number[]> {
	return Promise.all(
		Array.from({ length: parts }, async (_, index) => {
			const crop = `crop=iw/${parts}-8:ih*${height}-8:${index}*iw/${parts}+4:4`;
			const output = ["-frames:v", "1", "-vf", crop, "-c:v", "mjpeg", "-q:v", "2", "-f", "image2pipe", "pipe:1"];
			const { stdout } = await run("ffmpeg", ["-v", "error", "-i", video, ...output], { encoding: "buffer" });
			return secondOf(stdout);
		}),
	);
}
