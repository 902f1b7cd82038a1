/** Size and length of WebM files of many programs. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readEbml } from "@tapedeck/media/webm.ts";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { probeWebm } from "./probe-webm.ts";

const run = promisify(execFile);
afterAll(removeTestFolder);
afterEach(() => vi.unstubAllEnvs());

let made = 0;
const newPath = async () => join(await testFolder(), `made-${++made}.webm`);
async function written(bytes: Buffer): Promise<string> {
	const path = await newPath();
	await writeFile(path, bytes);
	return path;
}
/** @returns the path of what ffmpeg wrote. */
async function ffmpeg(...args: string[]): Promise<string> {
	const path = await newPath();
	await run("ffmpeg", ["-v", "error", "-y", ...args, path]);
	return path;
}

const picture = (seconds: number) => ["-f", "lavfi", "-t", String(seconds), "-i", "testsrc2=size=160x120:rate=15"];
const sound = (seconds: number) => ["-f", "lavfi", "-t", String(seconds), "-i", "sine"];
const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "200k"];
const LIVE = ["-f", "webm", "-live", "1"];
const CLUSTER = Buffer.from("1f43b675", "hex");

test("a WebM has its size and the length that it states", async () => {
	const found = await probeWebm(await makeVideo("vp8.webm"));
	expect(found).toMatchObject({ width: 160, height: 120 });
	expect(found?.durationSeconds).toBeCloseTo(4, 1);
});

describe("a WebM that states no length is measured", () => {
	/** The end of the last packet. */
	async function lastPacketEnd(path: string): Promise<number> {
		const args = ["-v", "error", "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0", path];
		const { stdout } = await run("ffprobe", args, { maxBuffer: 2 ** 26 });
		const ends = stdout.split("\n").map((line) => {
			const [begin = "", lasts = ""] = line.split(",");
			return (Number.parseFloat(begin) || 0) + (Number.parseFloat(lasts) || 0);
		});
		return Math.max(...ends);
	}

	test.each<[title: string, seconds: number, make: () => Promise<string>]>([
		["a live stream", 4, () => ffmpeg(...picture(4), ...VP8, ...LIVE)],
		[
			"a live stream with sound, in many clusters",
			4,
			() => ffmpeg(...picture(4), ...sound(4), ...VP8, "-c:a", "libopus", ...LIVE, "-cluster_time_limit", "300"),
		],
		["whose sound is longer", 4, () => ffmpeg(...picture(2), ...sound(4), ...VP8, "-c:a", "libopus", ...LIVE)],
		[
			"of a variable frame rate, which ends in a still picture",
			3,
			() => ffmpeg(...picture(3.2), "-vf", "select='lt(n\\,20)+eq(n\\,44)'", "-fps_mode", "vfr", ...VP8, ...LIVE),
		],
		[
			"of a pipe, which cannot be written to again",
			4,
			async () => {
				const args = ["-v", "error", ...picture(4), ...VP8, "-f", "webm", "-"];
				const { stdout } = await run("ffmpeg", args, { encoding: "buffer", maxBuffer: 2 ** 26 });
				return written(stdout);
			},
		],
	])("%s: %d s", async (_title, seconds, make) => {
		const path = await make();
		const bytes = await readFile(path);
		const found = await probeWebm(path);
		expect(found?.durationSeconds).toBeGreaterThan(seconds - 0.15);
		expect(found?.durationSeconds).toBeLessThan(seconds + 0.15);
		expect(Math.abs((found?.durationSeconds ?? 0) - (await lastPacketEnd(path)))).toBeLessThan(0.15);
		expect(found).toMatchObject({ width: 160, height: 120 });
		// Without its end, it is as long as what is there.
		const half = await probeWebm(await written(bytes.subarray(0, Math.floor(bytes.length / 2))));
		expect(half?.durationSeconds).toBeGreaterThan(0.2);
		expect(half?.durationSeconds).toBeLessThan(seconds);
	});

	test("a single frame has a length", async () => {
		const found = await probeWebm(await ffmpeg(...picture(1), "-frames:v", "1", ...VP8, ...LIVE));
		expect(found?.durationSeconds).toBeGreaterThan(0.03);
		expect(found?.durationSeconds).toBeLessThan(0.11);
	});

	test("without a frame, it is no video", async () => {
		const bytes = await readFile(await ffmpeg(...picture(1), ...VP8, ...LIVE));
		expect(await probeWebm(await written(bytes.subarray(0, bytes.indexOf(CLUSTER))))).toBeNull();
	});
});

test("sound without a picture is no video", async () => {
	expect(await probeWebm(await makeVideo("sound-only.webm"))).toBeNull();
});

test("a WebM without its end or its data is not complete, unless it is live", async () => {
	const isComplete = async (bytes: Buffer) => {
		const file = {
			async read(target: Buffer, offset: number, length: number, position: number) {
				return { bytesRead: bytes.copy(target, offset, position, position + length) };
			},
		};
		const found = await readEbml(file, bytes.length);
		expect(found?.type).toBe("webm");
		return found?.isComplete;
	};
	const whole = await readFile(await makeVideo("vp8.webm"));
	expect(await isComplete(whole)).toBe(true);
	expect(await isComplete(whole.subarray(0, whole.length - 1))).toBe(false);
	expect(await isComplete(whole.subarray(0, whole.indexOf(CLUSTER)))).toBe(false);
	const live = await readFile(await ffmpeg(...picture(1), ...VP8, ...LIVE));
	expect(await isComplete(live.subarray(0, live.length - 1))).toBe(true);
});

test("without ffprobe, and when it is killed at its limits, nothing is known of a WebM", async () => {
	const unknown = { durationSeconds: 0, width: null, height: null };
	const path = await makeVideo("vp8.webm");
	const bin = join(await testFolder(), "bin");
	await mkdir(bin);
	for (const tool of ["sh", "nice"]) await symlink(join("/usr/bin", tool), join(bin, tool));
	vi.stubEnv("PATH", bin);
	expect(await probeWebm(path)).toEqual(unknown);
	await writeFile(join(bin, "ffprobe"), "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
	expect(await probeWebm(path)).toEqual(unknown);
});
