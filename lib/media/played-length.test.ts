/** How long videos of many programs play, and how large they are shown: as players and ffprobe say. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeVideo, probedSeconds, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { box, boxesIn, findBox } from "./mp4-boxes.ts";
import { sniffVideo } from "./sniff-video.ts";

const run = promisify(execFile);
afterAll(removeTestFolder);

const sniffed = (bytes: Buffer) =>
	sniffVideo(
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
const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "200k"];
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
			() => ffmpeg("mp4", ...picture(4), "-vf", "select='lt(n\\,20)+gt(n\\,50)'", "-vsync", "vfr", ...H264),
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
		// As it is served.
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
				const turn = ["-c", "copy", "-metadata:s:v:0", `rotate=${degrees}`, "-movflags", movflags];
				const found = await sniffed(await readFile(await ffmpeg("mp4", "-i", upright, ...turn)));
				expect([found?.width, found?.height]).toEqual(size);
			}
		}
	});

	/** A plain MP4 of 4 s with this edit list in place of its own. Its moov is the last box, so that offsets stay. */
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

describe("WebM without a stated length", () => {
	/** The end of the last packet, which ffprobe reads from the whole file. */
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
		["a live stream", 4, () => ffmpeg("webm", ...picture(4), ...VP8, "-f", "webm", "-live", "1")],
		[
			"a live stream with sound, in many clusters",
			4,
			() =>
				ffmpeg(
					...(["webm", ...picture(4), ...sound(4), ...VP8, "-c:a", "libopus"] as const),
					...["-f", "webm", "-live", "1", "-cluster_time_limit", "300"],
				),
		],
		[
			"whose sound is longer",
			4,
			() => ffmpeg("webm", ...picture(2), ...sound(4), ...VP8, "-c:a", "libopus", "-f", "webm", "-live", "1"),
		],
		[
			"of a variable frame rate, which ends in a still picture",
			3,
			() =>
				ffmpeg(
					"webm",
					...picture(3.2),
					"-vf",
					"select='lt(n\\,20)+eq(n\\,44)'",
					"-vsync",
					"vfr",
					...VP8,
					"-f",
					"webm",
					"-live",
					"1",
				),
		],
		[
			"of a pipe, which cannot be written to again",
			4,
			async () => {
				const path = join(await testFolder(), "piped.webm");
				const args = ["-v", "error", ...picture(4), ...VP8, "-f", "webm", "-"];
				const { stdout } = await run("ffmpeg", args, { encoding: "buffer", maxBuffer: 2 ** 26 });
				await writeFile(path, stdout);
				return path;
			},
		],
	])("%s: %d s", async (_title, seconds, make) => {
		const path = await make();
		const bytes = await readFile(path);
		const found = await sniffed(bytes);
		expect(found?.durationSeconds).toBeGreaterThan(seconds - 0.15);
		expect(found?.durationSeconds).toBeLessThan(seconds + 0.15);
		expect(Math.abs((found?.durationSeconds ?? 0) - (await lastPacketEnd(path)))).toBeLessThan(0.15);
		expect(found).toMatchObject({ contentType: "video/webm", width: 160, height: 120 });
		// Without its end, it is as long as what is there.
		const half = await sniffed(bytes.subarray(0, Math.floor(bytes.length / 2)));
		expect(half?.durationSeconds).toBeGreaterThan(0.2);
		expect(half?.durationSeconds).toBeLessThan(seconds);
	});

	const element = (id: number, ...content: Buffer[]): Buffer => {
		const body = Buffer.concat(content);
		const size = Buffer.from([0x10, 0, 0, 0]);
		size.writeUInt32BE(0x1000_0000 + body.length);
		return Buffer.concat([idOf(id), size, body]);
	};
	const unknownSize = (id: number, ...content: Buffer[]): Buffer =>
		Buffer.concat([idOf(id), Buffer.from("01ffffffffffffff", "hex"), ...content]);
	const idOf = (id: number): Buffer => Buffer.from(id.toString(16).padStart(id > 0xff ? 4 : 2, "0"), "hex");
	const unsigned = (value: number): Buffer => {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32BE(value);
		return bytes;
	};
	/** @param flags the lacing: 0 none, 2 Xiph, 4 fixed, 6 EBML. */
	const block = (track: number, ticks: number, flags = 0, frames = 1): Buffer => {
		const header = Buffer.from([0x80 | track, 0, 0, flags, ...(flags === 0 ? [] : [frames - 1])]);
		header.writeInt16BE(ticks, 1);
		return Buffer.concat([header, Buffer.alloc(500, 0xff)]);
	};
	const VIDEO_AND_SOUND = [
		element(0xae, element(0xd7, unsigned(1)), element(0x83, unsigned(1)), element(0x86, Buffer.from("V_VP9"))),
		element(0xae, element(0xd7, unsigned(2)), element(0x83, unsigned(2)), element(0x23e383, unsigned(20_000_000))),
		// Subtitles are not played when nothing else is.
		element(0xae, element(0xd7, unsigned(3)), element(0x83, unsigned(17))),
	];
	const webm = (...clusters: Buffer[]): Buffer =>
		Buffer.concat([
			element(0x1a45dfa3, element(0x4282, Buffer.from("webm"))),
			unknownSize(
				...([0x18538067, element(0x1549a966, element(0x2ad7b1, unsigned(1_000_000)))] as const),
				...[element(0x1654ae6b, ...VIDEO_AND_SOUND), ...clusters],
			),
		]);
	const time = (ticks: number) => element(0xe7, unsigned(ticks));

	test.each<[title: string, seconds: number, bytes: Buffer]>([
		[
			"clusters of unknown size follow each other",
			7.04,
			webm(
				unknownSize(0x1f43b675, time(0), element(0xa3, block(1, 0)), element(0xa3, block(1, 40))),
				unknownSize(0x1f43b675, time(6_960), element(0xa3, block(1, 0)), element(0xa3, block(1, 40))),
			),
		],
		[
			"a block that states its duration lasts so long",
			3.5,
			webm(
				unknownSize(0x1f43b675, time(1_000), element(0xa0, element(0xa1, block(1, 0)), element(0x9b, unsigned(2_500)))),
			),
		],
		[
			"the duration of a block may come before it",
			3.5,
			webm(element(0x1f43b675, time(1_000), element(0xa0, element(0x9b, unsigned(2_500)), element(0xa1, block(1, 0))))),
		],
		...([2, 4, 6] as const).map((flags): [string, number, Buffer] => [
			`a block laced by ${flags} has all its frames`,
			1.08,
			webm(unknownSize(0x1f43b675, time(1_000), element(0xa3, block(1, 0)), element(0xa3, block(2, 0, flags, 4)))),
		]),
		[
			"the duration of a laced block is that of all its frames",
			1.5,
			webm(
				element(0x1f43b675, time(1_000), element(0xa0, element(0xa1, block(2, 0, 6, 4)), element(0x9b, unsigned(500)))),
			),
		],
		[
			"times before that of the cluster, unknown tracks and other elements do not matter",
			5.04,
			webm(
				element(0x1f43b675, time(5_000), element(0xa3, block(1, 0)), element(0xa3, block(1, -2_000))),
				element(0xec, Buffer.alloc(50)),
				unknownSize(0x1f43b675, time(900), element(0xa3, block(3, 20_000)), element(0xa3, block(9, 20_000))),
				element(0x1c53bb6b, Buffer.alloc(99)),
			),
		],
		[
			"another file that was appended is not part of it",
			1.04,
			Buffer.concat([
				webm(element(0x1f43b675, time(1_000), element(0xa3, block(1, 0)))),
				webm(element(0x1f43b675, time(9_000), element(0xa3, block(1, 0)))),
			]),
		],
		["a single frame has a length", 0.04, webm(element(0x1f43b675, time(0), element(0xa3, block(1, 0))))],
	])("%s", async (_title, seconds, bytes) => {
		expect((await sniffed(bytes))?.durationSeconds).toBeCloseTo(seconds, 2);
	});

	test("without a frame, it is no video", async () => {
		expect(await sniffed(webm(element(0x1f43b675, time(1_000))))).toBeNull();
	});

	test("hours of video in clusters of unknown size are measured without reading their frames", async () => {
		const head = webm(unknownSize(0x1f43b675, time(0)));
		const frames = 20_000;
		const frameBytes = 400_000;
		const size = head.length + frames * frameBytes;
		let read = 0;
		const file = {
			async read(target: Buffer, offset: number, length: number, position: number) {
				read += length;
				target.fill(0, offset, offset + length);
				if (position < head.length) head.copy(target, offset, position);
				const first = Math.max(0, Math.floor((position - head.length) / frameBytes));
				for (let frame = first; frame < frames && head.length + frame * frameBytes < position + length; frame += 1) {
					// A cluster with a single frame, every 500 ms.
					const start = Buffer.concat([
						unknownSize(0x1f43b675, time(frame * 500)),
						...[idOf(0xa3), unsigned(0x1000_0000 + frameBytes - 26), block(1, 0).subarray(0, 4)],
					]);
					const at = head.length + frame * frameBytes - position;
					if (-at < start.length) start.copy(target, offset + Math.max(0, at), Math.max(0, -at));
				}
				return { bytesRead: Math.min(length, size - position) };
			},
		};
		const found = await sniffVideo(file, size);
		expect(found?.durationSeconds).toBeCloseTo((frames - 1) * 0.5 + 0.1, 1);
		expect(read).toBeLessThan(size / 8);
	});
});
