/** Real videos, encoded by ffmpeg once and kept for later runs. Other files of a test are in a folder that `removeTestFolder` deletes. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { link, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requireProgram } from "../processes/programs.ts";

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

/** The folder of videos that are encoded once. */
const KEPT = fileURLToPath(new URL("../../.cache/test-videos", import.meta.url));
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
}

/** Path of a video of that kind: 160x120, 15 frames a second, `seconds` long. Copy it to change it. */
export function makeVideo(kind: Kind, seconds = 4): Promise<string> {
	const inputs = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=15", "-f", "lavfi", "-i", "sine"];
	return keptVideo(`${seconds}-${kind}`, [...inputs, "-t", String(seconds), ...KINDS[kind]]);
}

/**
 * @param name ends like the files of its format.
 * @param args ffmpeg's inputs and the options of its output.
 * @returns the path of the video, which other tests and later runs use as well. Copy it to change it.
 */
export function keptVideo(name: string, args: readonly string[]): Promise<string> {
	const key = JSON.stringify([name, args]);
	const path = made.get(key) ?? encodedOnce(name, args);
	made.set(key, path);
	return path;
}

async function encodedOnce(name: string, args: readonly string[]): Promise<string> {
	const ffmpeg = realpathSync(requireProgram("ffmpeg"));
	// Another version of ffmpeg makes other bytes.
	const { size, mtimeMs } = statSync(ffmpeg);
	const key = sha256(JSON.stringify([ffmpeg, size, mtimeMs, args])).slice(0, 16);
	const target = join(KEPT, `${key}-${name}`);
	if (existsSync(target)) return target;
	await mkdir(KEPT, { recursive: true });
	// Other processes make the same one at the same time, of other bytes. The first one stays.
	const partial = await mkdtemp(join(KEPT, "partial-"));
	await run(ffmpeg, ["-v", "error", ...args, join(partial, name)]);
	await link(join(partial, name), target).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "EEXIST") throw error;
	});
	await rm(partial, { recursive: true });
	return target;
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

export const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
