/** Decodes a recording from end to end. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Dashboard } from "../stack.ts";

const run = promisify(execFile);

export interface DecodedVideo {
	/** The decoder's error messages; empty if there are none. */
	complaints: string;
	frames: number;
	seconds: number;
	/** The color at a time in seconds, left of the center, where the mouse pointer is. */
	colorAt(seconds: number): Promise<{ red: number; green: number; blue: number }>;
	/** The colors at the same place, at this rate, from the beginning. */
	colors(perSecond: number): Promise<{ red: number; green: number; blue: number }[]>;
	remove(): Promise<void>;
}

/** Fetches a recording's video and decodes it from end to end. */
export async function decodeRecording({ url, apiKey }: Dashboard, recordingId: number): Promise<DecodedVideo> {
	const answer = await fetch(`${url}/v1/recordings/${recordingId}/video`, {
		headers: { authorization: `Bearer ${apiKey}` },
	});
	if (!answer.ok) throw new Error(`The video of recording ${recordingId} answers ${answer.status}.`);
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-decoded-"));
	const file = join(folder, "video.mp4");
	await writeFile(file, Buffer.from(await answer.arrayBuffer()));
	const { stderr } = await run("ffmpeg", ["-v", "error", "-i", file, "-f", "null", "-"]);
	const asked = ["-show_entries", "stream=nb_read_frames:format=duration", "-of", "json", file];
	const probe = await run("ffprobe", ["-v", "error", "-count_frames", "-select_streams", "v", ...asked]);
	const { streams, format } = JSON.parse(probe.stdout) as {
		streams: { nb_read_frames: string }[];
		format: { duration: string };
	};
	return {
		complaints: stderr,
		frames: Number(streams[0]?.nb_read_frames),
		seconds: Number(format.duration),
		async colorAt(seconds) {
			const spot = "crop=2:2:iw/4:ih/2,scale=1:1,format=rgb24";
			const output = ["-frames:v", "1", "-vf", spot, "-f", "rawvideo", "-"];
			const { stdout } = await run("ffmpeg", ["-v", "error", "-ss", String(seconds), "-i", file, ...output], {
				encoding: "buffer",
			});
			return { red: stdout[0] ?? 0, green: stdout[1] ?? 0, blue: stdout[2] ?? 0 };
		},
		async colors(perSecond) {
			const spots = `fps=${perSecond},crop=2:2:iw/4:ih/2,scale=1:1,format=rgb24`;
			const output = ["-vf", spots, "-f", "rawvideo", "-"];
			const { stdout } = await run("ffmpeg", ["-v", "error", "-i", file, ...output], { encoding: "buffer" });
			return Array.from({ length: stdout.length / 3 }, (_, index) => {
				const [red = 0, green = 0, blue = 0] = stdout.subarray(3 * index);
				return { red, green, blue };
			});
		},
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}
