import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
	framesOf,
	type Kind,
	makeVideo,
	probedSeconds,
	removeTestFolder,
	sha256,
	testFolder,
} from "../test/videos/make-video.ts";
import type { ReadableAt } from "./file-io.ts";
import { Mp4Index } from "./mp4-index.ts";

afterAll(removeTestFolder);

/** A file in memory of which only the first `size` bytes exist yet. */
const partOf = (bytes: Buffer, size = bytes.length): ReadableAt => ({
	async read(target, offset, length, position) {
		return { bytesRead: bytes.copy(target, offset, position, Math.min(size, position + length)) };
	},
});

async function indexOf(bytes: Buffer, size = bytes.length): Promise<Mp4Index> {
	const index = new Mp4Index();
	await index.update(partOf(bytes, size), size);
	return index;
}

const progressive = (index: Mp4Index, bytes: Buffer): Buffer =>
	Buffer.concat([index.header(), bytes.subarray(0, index.completeBytes)]);

async function written(name: string, bytes: Buffer): Promise<string> {
	const path = join(await testFolder(), name);
	await writeFile(path, bytes);
	return path;
}

const facts = (index: Mp4Index) => ({
	codec: index.codec,
	codecs: index.codecs,
	timescale: index.timescale,
	size: [index.width, index.height],
	durationSeconds: index.durationSeconds,
	samples: index.samples,
	fragments: index.fragments,
	initBytes: index.initBytes,
	completeBytes: index.completeBytes,
	keyframes: index.keyframeOffsets.length,
	header: index.header().toString("base64"),
});

test("a recording's index has its codec, dimensions, duration and the fragments that begin with a keyframe", async () => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const index = await indexOf(bytes);
	expect(index.fault).toBeNull();
	expect(index.codec).toMatch(/^avc1\.[0-9a-f]{6}$/);
	expect([index.width, index.height, index.samples, index.durationSeconds]).toEqual([160, 120, 60, 4]);
	expect(index.keyframeOffsets.length).toBe(2);
	expect([index.keyframeSeconds.at(0), index.keyframeSeconds.at(1)]).toEqual([0, 2]);
	expect(index.keyframeOffsets.at(0)).toBe(index.initBytes);
	for (let place = 0; place < 2; place += 1) {
		const offset = index.keyframeOffsets.at(place) as number;
		expect(bytes.toString("latin1", offset + 4, offset + 8)).toBe("moof");
	}
});

for (const kind of ["recorder.mp4", "reordered.mp4", "edited.mp4", "absolute.mp4", "sound.mp4"] satisfies Kind[]) {
	test(`the header and unchanged bytes of ${kind} decode to the same frames at the same times`, async () => {
		const source = await makeVideo(kind);
		const bytes = await readFile(source);
		const index = await indexOf(bytes);
		const target = await written(`faststart-of-${kind}`, progressive(index, bytes));
		expect(await framesOf(target)).toEqual(await framesOf(source));
		expect(await probedSeconds(target)).toBeCloseTo(await probedSeconds(source), 1);
	});
}

test("a gap between fragments stays a gap, and later frames keep their times", async () => {
	const bytes = Buffer.from(await readFile(await makeVideo("recorder.mp4")));
	const shifted = shiftFragments(bytes, 4, 10 * 15_360);
	const index = await indexOf(shifted);
	expect(index.fault).toBeNull();
	expect(index.durationSeconds).toBe(14);
	const times = (lines: string[]) => lines.map((line) => line.split(",").slice(2, 3).concat(line.split(",").slice(5)));
	const target = await written("gap.mp4", progressive(index, shifted));
	const source = await written("gap-source.mp4", shifted);
	expect(times(await framesOf(target))).toEqual(times(await framesOf(source)));
});

test("times that restart count as a second part after the first", async () => {
	const bytes = Buffer.from(await readFile(await makeVideo("recorder.mp4")));
	const first = await indexOf(bytes);
	const twice = Buffer.concat([
		bytes.subarray(0, first.completeBytes),
		bytes.subarray(first.initBytes, first.completeBytes),
	]);
	const index = await indexOf(twice);
	expect([index.fault, index.durationSeconds, index.samples]).toEqual([null, 8, 120]);
	expect(await framesOf(await written("twice.mp4", progressive(index, twice)))).toHaveLength(120);
});

/** Shifts the decode times of all fragments from number `from` on. */
function shiftFragments(bytes: Buffer, from: number, ticks: number): Buffer {
	let seen = 0;
	for (let at = bytes.indexOf("tfdt"); at >= 0; at = bytes.indexOf("tfdt", at + 4)) {
		if (seen >= from) bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at + 8) + BigInt(ticks), at + 8);
		seen += 1;
	}
	return bytes;
}

test("growing byte by byte gives the same index as reading the complete file", async () => {
	const bytes = await readFile(await makeVideo("recorder.mp4", 2));
	const index = new Mp4Index();
	let complete = 0;
	for (let size = 1; size <= bytes.length; size += 1) {
		await index.update(partOf(bytes, size), size);
		expect(index.completeBytes).toBeGreaterThanOrEqual(complete);
		expect(index.completeBytes).toBeLessThanOrEqual(size);
		complete = index.completeBytes;
	}
	expect(facts(index)).toEqual(facts(await indexOf(bytes)));
});

test("a file truncated anywhere plays up to that point, in complete frames", async () => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const whole = await framesOf(await makeVideo("recorder.mp4"));
	const second = (await indexOf(bytes)).keyframeOffsets.at(1) as number;
	// In the init segment, in a header, in a moof, between moof and mdat, in the mdat, at the very end.
	const moofBytes = bytes.readUInt32BE(second);
	const cuts = [4, 100, second - 1, second, second + 3, second + 8, second + 60, second + moofBytes];
	cuts.push(second + moofBytes + 4, second + moofBytes + 8, second + moofBytes + 500, bytes.length - 1, bytes.length);
	// Most cuts leave the same frames, which are decoded once.
	const decoded = new Map<string, string[]>();
	for (const cut of cuts) {
		const index = await indexOf(bytes, cut);
		expect(index.fault).toBeNull();
		if (cut < second - 1) {
			expect(index.playable).toBe(false);
			continue;
		}
		const torn = progressive(index, bytes);
		const frames = decoded.get(sha256(torn)) ?? (await framesOf(await written("torn.mp4", torn)));
		decoded.set(sha256(torn), frames);
		expect(frames).toEqual(whole.slice(0, index.samples));
		expect(frames.length).toBeGreaterThanOrEqual(cut >= second ? 30 : 22);
	}
});

test("garbage after complete fragments ends the index there, and everything before it plays", async () => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const whole = await indexOf(bytes);
	const second = whole.keyframeOffsets.at(1) as number;
	const broken = Buffer.concat([bytes.subarray(0, second), Buffer.alloc(5_000, 3)]);
	const index = await indexOf(broken);
	expect(index.samples).toBe(30);
	expect(await framesOf(await written("broken.mp4", progressive(index, broken)))).toHaveLength(30);
});

test("a file that isn't a fragmented MP4 is recognized as such", async () => {
	const codeOf = async (bytes: Buffer) => (await indexOf(bytes)).fault?.code;
	expect(await codeOf(await readFile(await makeVideo("plain.mp4")))).toBe("not_fragmented");
	expect(await codeOf(await readFile(await makeVideo("faststart.mp4")))).toBe("not_fragmented");
	expect(await codeOf(await readFile(await makeVideo("vp8.webm")))).toBe("not_mp4");
	expect(await codeOf(Buffer.from("hello, this is no video at all"))).toBe("not_mp4");
	expect(await codeOf(Buffer.alloc(1_000))).toBe("not_mp4");
	expect(await codeOf(Buffer.alloc(0))).toBeUndefined();
});

test("ten minutes are indexed from disk, and the header is small and built once", async () => {
	const bytes = await readFile(await makeVideo("recorder.mp4"));
	const part = await indexOf(bytes);
	const body = bytes.subarray(part.initBytes, part.completeBytes);
	const path = await written(
		"long.mp4",
		Buffer.concat([bytes.subarray(0, part.initBytes), ...Array.from({ length: 150 }, () => body)]),
	);
	const handle = await open(path);
	try {
		const { size } = await handle.stat();
		const index = new Mp4Index();
		await index.update(handle, size);
		expect([index.durationSeconds, index.samples]).toEqual([600, 9_000]);
		const header = index.header();
		expect(header.length).toBeLessThan(120_000);
		expect(index.header()).toBe(header);
	} finally {
		await handle.close();
	}
});
