import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK, bitmapOf, blocksOf, COLUMNS, MAX_COUNTER, ROWS, readBlocks } from "./counter.ts";

const values = fc.integer({ min: 0, max: MAX_COUNTER });
const shadesOf = (value: number, black = 16, white = 235) =>
	Uint8Array.from(blocksOf(value), (isWhite) => (isWhite ? white : black));

test("every counter is read back, from pale and dirty pictures too", () => {
	fc.assert(fc.property(values, (value) => readBlocks(shadesOf(value)) === value));
	fc.assert(fc.property(values, (value) => readBlocks(shadesOf(value, 70, 180)) === value));
});

/** A checksum of 16 bits notices every change within 16 bits on end, and nearly every longer one. */
const CHECKSUM_BITS = 16;

test("a picture of which a part is still the one before is no counter", () => {
	fc.assert(
		fc.property(values, values, fc.integer({ min: 1, max: CHECKSUM_BITS }), fc.boolean(), (old, fresh, part, isEnd) => {
			const cut = isEnd ? COLUMNS * ROWS - part : part;
			const torn = shadesOf(old);
			torn.set(shadesOf(fresh).subarray(0, cut));
			const read = readBlocks(torn);
			// If both values have the same blocks on one side of the cut, the result is a complete picture of one of them.
			return read === null || read === old || read === fresh;
		}),
	);
});

test("one wrong block, a gray block and an empty screen are no counter", () => {
	fc.assert(
		fc.property(values, fc.integer({ min: 0, max: COLUMNS * ROWS - 1 }), (value, index) => {
			const flipped = shadesOf(value);
			flipped[index] = 255 - (flipped[index] ?? 0);
			const gray = shadesOf(value);
			gray[index] = 128;
			return readBlocks(flipped) === null && readBlocks(gray) === null;
		}),
	);
	expect(readBlocks(new Uint8Array(COLUMNS * ROWS))).toBeNull();
	expect(readBlocks(new Uint8Array(COLUMNS * ROWS).fill(255))).toBeNull();
	expect(readBlocks(new Uint8Array(3))).toBeNull();
});

test("the picture has each block at its place", () => {
	const bitmap = bitmapOf(0xa5_03_f1);
	const lineBytes = (COLUMNS * BLOCK) / 8;
	expect(bitmap.length).toBe(lineBytes * ROWS * BLOCK);
	const seen = blocksOf(0xa5_03_f1).map((_, index) => {
		const top = Math.floor(index / COLUMNS) * BLOCK;
		const bytes = [0, BLOCK / 2, BLOCK - 1].map((line) => {
			const at = (top + line) * lineBytes + (index % COLUMNS) * (BLOCK / 8);
			return bitmap.readUInt16LE(at);
		});
		expect(new Set(bytes).size).toBe(1);
		return bytes[0] === 0xffff;
	});
	expect(seen).toEqual(blocksOf(0xa5_03_f1));
});

test("a value that cannot be shown is refused", () => {
	for (const value of [-1, 1.5, MAX_COUNTER + 1, Number.NaN]) expect(() => blocksOf(value)).toThrow("cannot be shown");
});
