/**
 * The frame counter that the displays show: milliseconds since the run began as black and white blocks, with a
 * checksum. A frame whose blocks are gray, or do not fit their checksum, counts as unreadable.
 */

/** Pixels of one block, both ways. Sixteen survive 4:2:0 color and every quantizer that the runner uses. */
export const BLOCK = 16;
export const COLUMNS = 20;
export const ROWS = 2;
const BLOCKS = COLUMNS * ROWS;
const VALUE_BITS = 24;
/** Four and a half hours. */
export const MAX_COUNTER = 2 ** VALUE_BITS - 1;

/** A block is black below the first and white above the second; between them it is neither. */
const BLACK_BELOW = 80;
const WHITE_ABOVE = 175;

/** CRC-16 (polynomial 0x1021) of the three bytes of a value. */
function checksum(value: number): number {
	let sum = 0xffff;
	for (const byte of [value >>> 16, (value >>> 8) & 0xff, value & 0xff]) {
		sum ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) sum = ((sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ 0x1021) & 0xffff;
	}
	return sum;
}

/** @returns the blocks from the top left on, row after row; true is white. */
export function blocksOf(value: number): boolean[] {
	if (!Number.isInteger(value) || value < 0 || value > MAX_COUNTER) throw new Error(`${value} cannot be shown.`);
	const word = (BigInt(value) << 16n) | BigInt(checksum(value));
	return Array.from({ length: BLOCKS }, (_, index) => ((word >> BigInt(BLOCKS - 1 - index)) & 1n) === 1n);
}

/**
 * Reads a counter back.
 * @param shades mean brightness, 0 to 255, of each block.
 * @returns null when the picture is torn, damaged, or shows no counter.
 */
export function readBlocks(shades: Uint8Array): number | null {
	if (shades.length !== BLOCKS) return null;
	let word = 0n;
	for (const shade of shades) {
		if (shade >= BLACK_BELOW && shade <= WHITE_ABOVE) return null;
		word = (word << 1n) | (shade > WHITE_ABOVE ? 1n : 0n);
	}
	const value = Number(word >> 16n);
	return Number(word & 0xffffn) === checksum(value) ? value : null;
}

/** The blocks as a picture of one bit a pixel, COLUMNS × BLOCK wide; blocks are whole bytes, so bit order plays no part. */
export function bitmapOf(value: number): Buffer {
	const bytes = BLOCK / 8;
	const bitmap = Buffer.alloc(COLUMNS * bytes * ROWS * BLOCK);
	blocksOf(value).forEach((white, index) => {
		if (!white) return;
		const top = Math.floor(index / COLUMNS) * BLOCK;
		for (let line = 0; line < BLOCK; line++) {
			const at = (top + line) * COLUMNS * bytes + (index % COLUMNS) * bytes;
			bitmap.fill(0xff, at, at + bytes);
		}
	});
	return bitmap;
}
