/** Real videos, encoded by ffmpeg once per test file, in a folder that `removeTestFolder` deletes. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Encodes like the runner. */
export const RECORDER = [
	...["-an", "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-crf", "28", "-pix_fmt", "yuv420p"],
	...["-g", "30", "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"],
	...["-flush_packets", "1"],
];
const X264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "30"];

/** ffmpeg's output arguments, by file name. */
export const KINDS = {
	"recorder.mp4": RECORDER,
	"reordered.mp4": [...X264, "-an", "-bf", "3", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
	"edited.mp4": [...X264, "-an", "-bf", "3", "-movflags", "+frag_keyframe+empty_moov+delay_moov"],
	"absolute.mp4": [...X264, "-an", "-movflags", "+frag_keyframe+empty_moov"],
	"sound.mp4": [...X264, "-bf", "0", "-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
	"plain.mp4": [...X264, "-an"],
	"faststart.mp4": [...X264, "-an", "-movflags", "+faststart"],
	"sound-only.mp4": ["-vn", "-c:a", "aac"],
	"vp8.webm": ["-an", "-c:v", "libvpx", "-b:v", "200k"],
	"sound-only.webm": ["-vn", "-c:a", "libopus"],
	"matroska.mkv": [...X264, "-an"],
} as const;
export type Kind = keyof typeof KINDS;

let folder: Promise<string> | null = null;
const made = new Map<string, Promise<string>>();

/** The folder of this test file. */
export function testFolder(): Promise<string> {
	folder ??= mkdtemp(join(tmpdir(), "tapedeck-media-"));
	return folder;
}

/** For `afterAll`. */
export async function removeTestFolder(): Promise<void> {
	if (folder !== null) await rm(await folder, { recursive: true, force: true });
	folder = null;
	made.clear();
}

/** Path of a video of that kind: 160x120, 15 frames a second, `seconds` long. */
export function makeVideo(kind: Kind, seconds = 4): Promise<string> {
	const key = `${seconds}-${kind}`;
	let path = made.get(key);
	if (path === undefined) {
		path = testFolder().then(async (dir) => {
			const target = join(dir, key);
			const inputs = [
				...["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15", "-f", "lavfi", "-i", "sine"],
				...["-t", String(seconds)],
			];
			await run("ffmpeg", ["-v", "error", "-y", ...inputs, ...KINDS[kind], target]);
			return target;
		});
		made.set(key, path);
	}
	return path;
}

/** The decoded frames: a line each, with its time and a hash of its pixels. */
export async function framesOf(path: string): Promise<string[]> {
	const output = await run(
		"ffmpeg",
		["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"],
		{ maxBuffer: 64 * 2 ** 20 },
	);
	return output.stdout.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** The duration of a file in seconds, by ffprobe. */
export async function probedSeconds(path: string): Promise<number> {
	const output = await run("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]);
	return Number(output.stdout);
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
