import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { makeVideo, removeTestFolder } from "../test/videos/make-video.ts";
import type { ReadableAt } from "./file-io.ts";
import { Mp4Index } from "./mp4-index.ts";
import { sniffMp4 } from "./sniff-video.ts";
import { readEbml } from "./webm.ts";

afterAll(removeTestFolder);

const inMemory = (bytes: Buffer): ReadableAt => ({
	async read(target, offset, length, position) {
		return { bytesRead: bytes.copy(target, offset, position, Math.min(bytes.length, position + length)) };
	},
});

/** Asserts that nothing is thrown and that memory stays in proportion to the file. */
async function survives(bytes: Buffer): Promise<Mp4Index> {
	const index = new Mp4Index();
	await index.update(inMemory(bytes), bytes.length);
	if (index.playable) {
		expect(index.header().length).toBeLessThan(10_000 + bytes.length * 40);
		expect(index.completeBytes).toBeLessThanOrEqual(bytes.length);
	}
	expect(index.allocatedBytes).toBeLessThan(200_000 + bytes.length * 40);
	await sniffMp4(inMemory(bytes), bytes.length);
	await readEbml(inMemory(bytes), bytes.length);
	return index;
}

const boxed = (type: string, ...parts: Buffer[]): Buffer => {
	const header = Buffer.alloc(8);
	header.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0));
	header.write(type, 4, "latin1");
	return Buffer.concat([header, ...parts]);
};

test("arbitrary bytes never crash the parser, with or without an MP4 or WebM header", async () => {
	const starts = [
		Buffer.alloc(0),
		boxed("ftyp", Buffer.from("isom")),
		Buffer.concat([boxed("ftyp", Buffer.from("isom")), boxed("moov")]),
		Buffer.from(
			"1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff",
			"hex",
		),
	];
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 2_000 }), async (start, tail) => {
			await survives(Buffer.concat([start, tail]));
		}),
		{ numRuns: 300 },
	);
});

test("ten thousand mutated videos never crash the parser: flipped, cut, duplicated and overwritten bytes", async () => {
	const sources = [
		await readFile(await makeVideo("recorder.mp4", 2)),
		await readFile(await makeVideo("sound.mp4", 2)),
		await readFile(await makeVideo("faststart.mp4", 2)),
		await readFile(await makeVideo("vp8.webm", 2)),
	];
	const change = fc.record({
		at: fc.double({ min: 0, max: 1, noNaN: true }),
		// Most bytes are media data; the structure is at the beginning.
		early: fc.boolean(),
		kind: fc.constantFrom("byte", "word", "cut", "double"),
		value: fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0, 1, 0xffff_ffff, 0x7fff_ffff)),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...sources),
			fc.array(change, { minLength: 1, maxLength: 4 }),
			async (source, changes) => {
				let bytes = Buffer.from(source);
				for (const { at, early, kind, value } of changes) {
					const place = Math.floor(at * Math.max(0, Math.min(bytes.length, early ? 1_500 : bytes.length) - 4));
					if (bytes.length < 8) break;
					if (kind === "byte") bytes[place] = value & 0xff;
					else if (kind === "word") bytes.writeUInt32BE(value, place);
					else if (kind === "cut") bytes = bytes.subarray(0, place);
					else bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place / 2)]);
				}
				await survives(bytes);
			},
		),
		{ numRuns: 10_000 },
	);
});

test("a run that claims a million samples in a few bytes allocates no memory for them", async () => {
	const source = await readFile(await makeVideo("recorder.mp4", 2));
	const bytes = Buffer.from(source);
	const trun = bytes.indexOf("trun");
	bytes.writeUInt32BE(0, trun + 4);
	bytes.writeUInt32BE(1_000_000, trun + 8);
	const index = await survives(bytes);
	expect(index.fault?.code).toBe("malformed");
	expect(index.playable).toBe(false);
});

test("parsing stops early at millions of empty boxes", async () => {
	const source = await readFile(await makeVideo("recorder.mp4", 2));
	const empty = boxed("free");
	const many = Buffer.alloc(8 * 1_000_000);
	for (let at = 0; at < many.length; at += 8) empty.copy(many, at);
	const index = await survives(Buffer.concat([source, many]));
	expect(index.fault?.code).toBe("malformed");
	expect(index.samples).toBe(30);
});
