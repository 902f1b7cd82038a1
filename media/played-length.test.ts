/** Length and shown size of MP4 files of many programs, as players and ffprobe report them. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeVideo, probedSeconds, removeTestFolder, testFolder } from "../test/videos/make-video.ts";
import { box, boxesIn, findBox } from "./mp4-boxes.ts";
import { sniffMp4 } from "./sniff-video.ts";

const run = promisify(execFile);
afterAll(removeTestFolder);

const sniffed = (bytes: Buffer) =>
	sniffMp4(
		{
			async read(target, offset, length, position) {
				return { bytesRead: bytes.copy(target, offset, position, position + length) };
			},
		},
		bytes.length,
	);

let made = 0;
/** Runs ffmpeg in the test's folder. @returns the path of what it wrote. */
async function ffmpeg(extension: string, ...args: string[]): Promise<string> {
	made += 1;
	const path = join(await testFolder(), `made-${made}.${extension}`);
	await run("ffmpeg", ["-v", "error", "-y", ...args, path]);
	return path;
}

const picture = (seconds: number) => [...["-f", "lavfi", "-t", String(seconds), "-i", "testsrc2=size=160x120:rate=15"]];
const sound = (seconds: number) => ["-f", "lavfi", "-t", String(seconds), "-i", "sine"];
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const FRAGMENTED = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"];

describe("MP4", () => {
	let long: string;
	beforeAll(async () => {
		// One keyframe: a copy that begins later has to hide the frames before.
		long = await ffmpeg("mp4", ...picture(6), ...sound(6), ...H264, "-g", "1000", "-bf", "2", "-c:a", "aac");
	});

	test.each<[title: string, seconds: number, make: () => Promise<string>]>([
		["of which the first frames are hidden", 3.5, () => ffmpeg("mp4", "-ss", "2.5", "-i", long, "-c", "copy")],
		[
			"of which the first frames are hidden, in fragments",
			3.5,
			() =>
				ffmpeg(
					"mp4",
					"-ss",
					"2.5",
					"-i",
					long,
					"-an",
					"-c",
					"copy",
					"-movflags",
					"+frag_keyframe+empty_moov+delay_moov",
				),
		],
		[
			"whose video begins later than its sound",
			5.5,
			() =>
				ffmpeg(
					"mp4",
					"-itsoffset",
					"1.5",
					...picture(4),
					...sound(4),
					"-map",
					"0:v",
					"-map",
					"1:a",
					...H264,
					"-c:a",
					"aac",
				),
		],
		[
			"whose video begins later than its sound, in fragments",
			5.5,
			() =>
				ffmpeg(
					...(["mp4", "-itsoffset", "1.5", ...picture(4), ...sound(4), "-map", "0:v", "-map", "1:a"] as const),
					...[...H264, "-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov+delay_moov"],
				),
		],
		["whose sound is longer", 4, () => ffmpeg("mp4", ...picture(2), ...sound(4), ...H264, "-c:a", "aac")],
		[
			"whose sound is longer, in fragments",
			4,
			() => ffmpeg("mp4", ...picture(2), ...sound(4), ...H264, "-c:a", "aac", ...FRAGMENTED),
		],
		[
			"of a variable frame rate",
			4,
			() => ffmpeg("mp4", ...picture(4), "-vf", "select='lt(n\\,20)+gt(n\\,50)'", "-fps_mode", "vfr", ...H264),
		],
		[
			"whose timescales differ",
			4,
			() =>
				ffmpeg(
					"mp4",
					...picture(4),
					...H264,
					"-bf",
					"2",
					"-movie_timescale",
					"90000",
					"-video_track_timescale",
					"12345",
				),
		],
		["of QuickTime", 4, () => ffmpeg("mov", ...picture(4), ...sound(4), ...H264, "-c:a", "aac")],
		["with reordered frames", 4, () => makeVideo("reordered.mp4")],
		[
			"whose first samples are listed before the fragments",
			4,
			() => ffmpeg("mp4", ...picture(4), ...H264, "-g", "15", "-movflags", "+frag_keyframe"),
		],
		[
			"as one file for DASH",
			4,
			async () => {
				const manifest = await ffmpeg(
					...(["mpd", ...picture(4), ...H264, "-g", "15", "-f", "dash", "-single_file", "1"] as const),
				);
				return manifest.replace(/\.mpd$/, "-stream0.mp4");
			},
		],
	])("%s: %d s", async (_title, seconds, make) => {
		const path = await make();
		const found = await sniffed(await readFile(path));
		expect(found?.durationSeconds).toBeGreaterThan(seconds - 0.1);
		expect(found?.durationSeconds).toBeLessThan(seconds + 0.1);
		// This file is the one that is served.
		const served = join(await testFolder(), `served-${made}.mp4`);
		await writeFile(served, Buffer.concat([found?.index?.header() ?? Buffer.alloc(0), await readFile(path)]));
		expect(Math.abs((found?.durationSeconds ?? 0) - (await probedSeconds(served)))).toBeLessThan(0.1);
		expect([found?.width, found?.height]).toEqual([160, 120]);
	});

	test("a turned video is as wide as it is shown", async () => {
		const upright = await makeVideo("plain.mp4");
		for (const [degrees, size] of [
			["90", [120, 160]],
			["180", [160, 120]],
			["270", [120, 160]],
		] as const) {
			for (const movflags of ["+faststart", "+frag_keyframe+empty_moov"]) {
				const copied = ["-c", "copy", "-movflags", movflags];
				// ffmpeg 5.1 has no such option, and 6.1 and later ignore the metadata.
				const path = await ffmpeg("mp4", "-display_rotation", degrees, "-i", upright, ...copied).catch(() =>
					ffmpeg("mp4", "-i", upright, "-metadata:s:v:0", `rotate=${degrees}`, ...copied),
				);
				const found = await sniffed(await readFile(path));
				expect([found?.width, found?.height]).toEqual(size);
			}
		}
	});

	/** A plain MP4 of 4 s with this edit list instead of its own. Its moov is the last box, so that offsets stay. */
	async function withEdits(edits: readonly [movieTicks: number, mediaSeconds: number][]): Promise<Buffer> {
		const bytes = await readFile(await makeVideo("plain.mp4"));
		const moov = findBox(bytes, 0, bytes.length, "moov");
		if (moov === null || moov.end !== bytes.length) throw new Error("moov is not the last box");
		const list = Buffer.alloc(8 + edits.length * 12);
		list.writeUInt32BE(edits.length, 4);
		const timescale = 15_360;
		for (const [index, [ticks, seconds]] of edits.entries()) {
			list.writeUInt32BE(ticks, 8 + index * 12);
			list.writeInt32BE(seconds < 0 ? -1 : Math.round(seconds * timescale), 12 + index * 12);
			list.writeUInt32BE(0x1_0000, 16 + index * 12);
		}
		const edts = edits.length === 0 ? [] : [box("edts", box("elst", list))];
		const parts = [...boxesIn(bytes, moov.body, moov.end)].map((child) => {
			const whole = bytes.subarray(child.start, child.end);
			if (child.type !== "trak") return whole;
			const kept = [...boxesIn(bytes, child.body, child.end)].filter(({ type }) => type !== "edts");
			const [tkhd, ...others] = kept.map(({ start, end }) => bytes.subarray(start, end));
			return box("trak", tkhd as Buffer, ...edts, ...others);
		});
		return Buffer.concat([bytes.subarray(0, moov.start), box("moov", ...parts)]);
	}

	test.each<[title: string, seconds: number, edits: [movieTicks: number, mediaSeconds: number][]]>([
		["none", 4, []],
		["one part", 1.5, [[1_500, 1]]],
		[
			"several parts",
			2,
			[
				[500, 3],
				[500, 0],
				[1_000, 2],
			],
		],
		[
			"a part after nothing",
			3,
			[
				[1_000, -1],
				[2_000, 1],
			],
		],
		[
			"nothing between two parts",
			2.5,
			[
				[1_000, 0],
				[500, -1],
				[1_000, 2],
			],
		],
		[
			"nothing at the end",
			1,
			[
				[1_000, 0],
				[5_000, -1],
			],
		],
		["nothing but nothing", 4, [[5_000, -1]]],
		["a part beyond the end of the track", 1, [[60_000, 3]]],
		["a part up to the end", 2.5, [[0, 1.5]]],
	])("edit list: %s: %d s", async (_title, seconds, edits) => {
		const found = await sniffed(await withEdits(edits));
		expect(found?.durationSeconds).toBeGreaterThan(seconds - 0.2);
		expect(found?.durationSeconds).toBeLessThan(seconds + 0.2);
	});

	test("a file whose headers state no duration is as long as its samples", async () => {
		const bytes = await readFile(await makeVideo("plain.mp4"));
		for (const [type, place] of [
			["mvhd", 20],
			["mdhd", 20],
		] as const) {
			bytes.writeUInt32BE(0, bytes.indexOf(type) + place - 4 + 4);
		}
		expect((await sniffed(bytes))?.durationSeconds).toBeCloseTo(4, 1);
	});

	test("bytes after the last box do not matter, but a missing end does", async () => {
		for (const kind of ["plain.mp4", "faststart.mp4", "recorder.mp4"] as const) {
			const bytes = await readFile(await makeVideo(kind));
			for (const rest of [
				Buffer.alloc(3),
				Buffer.alloc(100_000),
				Buffer.from("x"),
				Buffer.from("</html>\n".repeat(999)),
			]) {
				const found = await sniffed(Buffer.concat([bytes, rest]));
				expect(found?.durationSeconds).toBeCloseTo(4, 1);
			}
			if (kind === "recorder.mp4") continue;
			for (const missing of [1, 50, 5_000]) expect(await sniffed(bytes.subarray(0, bytes.length - missing))).toBeNull();
		}
	});
});
