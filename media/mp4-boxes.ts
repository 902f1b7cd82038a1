/** Parsing and writing ISO base media boxes (ISO/IEC 14496-12). */

export type Mp4FaultCode = "not_mp4" | "not_fragmented" | "malformed" | "unsupported" | "too_large";

/** An invalid MP4. Thrown by the parsers only; `Mp4Index` stores it as `fault`. */
export class Mp4Error extends Error {
	readonly code: Mp4FaultCode;
	constructor(code: Mp4FaultCode, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = "Mp4Error";
		this.code = code;
	}
}

/** A box in a buffer: `[start, end)` includes its header, `body` is where the payload starts. */
export interface Box {
	type: string;
	start: number;
	body: number;
	end: number;
}

/** The longest box header: 32-bit size, type, 64-bit size. */
export const MAX_HEADER_BYTES = 16;

/**
 * Reads the header of the box at `at`.
 * @returns its type, header length and total size, where size 0 means "to the end of the file"; null if the header is
 *   incomplete.
 */
export function boxHeader(bytes: Buffer, at: number): { type: string; headerBytes: number; size: number } | null {
	if (at + 8 > bytes.length) return null;
	const size32 = bytes.readUInt32BE(at);
	const type = bytes.toString("latin1", at + 4, at + 8);
	if (size32 !== 1) {
		if (size32 !== 0 && size32 < 8) throw new Mp4Error("malformed", `A box says that it has ${size32} bytes.`);
		return { type, headerBytes: 8, size: size32 };
	}
	if (at + 16 > bytes.length) return null;
	const size = readSafeUint64(bytes, at + 8);
	if (size < 16) throw new Mp4Error("malformed", `A box says that it has ${size} bytes.`);
	return { type, headerBytes: 16, size };
}

/** A 64-bit integer; throws if a number cannot represent it exactly. */
export function readSafeUint64(bytes: Buffer, at: number): number {
	const value = bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
	if (value > Number.MAX_SAFE_INTEGER) throw new Mp4Error("malformed", "A 64-bit number is out of range.");
	return value;
}

/** The boxes between `start` and `end`; each must end inside. */
export function* boxesIn(bytes: Buffer, start: number, end: number): Generator<Box> {
	let at = start;
	while (at + 8 <= end) {
		const header = boxHeader(bytes, at);
		if (header === null) throw new Mp4Error("malformed", "A box is cut off.");
		const size = header.size === 0 ? end - at : header.size;
		if (at + size > end)
			throw new Mp4Error("malformed", `The box ${printable(header.type)} is longer than its parent.`);
		yield { type: header.type, start: at, body: at + header.headerBytes, end: at + size };
		at += size;
	}
}

/** The first box of a type between `start` and `end`, or null. */
export function findBox(bytes: Buffer, start: number, end: number, type: string): Box | null {
	for (const box of boxesIn(bytes, start, end)) if (box.type === type) return box;
	return null;
}

/** Like findBox, but throws if the box is missing. */
export function needBox(bytes: Buffer, parent: Box, type: string): Box {
	const box = findBox(bytes, parent.body, parent.end, type);
	if (box === null) throw new Mp4Error("malformed", `There is no ${type} box where one must be.`);
	return box;
}

/** Version and flags of a full box. */
export function fullBox(bytes: Buffer, box: Box): { version: number; flags: number; body: number } {
	if (box.body + 4 > box.end) throw new Mp4Error("malformed", `The box ${printable(box.type)} is cut off.`);
	const word = bytes.readUInt32BE(box.body);
	return { version: word >>> 24, flags: word & 0xff_ffff, body: box.body + 4 };
}

/** Runs a parser and turns reads past the end of its buffer into Mp4Error. */
export function asMp4Error<T>(parse: () => T): T {
	try {
		return parse();
	} catch (error) {
		if (error instanceof RangeError) {
			throw new Mp4Error("malformed", "A box ends before its fields do.", { cause: error });
		}
		throw error;
	}
}

/** Builds a box from parts. */
export function box(type: string, ...parts: Buffer[]): Buffer {
	const header = Buffer.allocUnsafe(8);
	header.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 0);
	header.write(type, 4, 4, "latin1");
	return Buffer.concat([header, ...parts]);
}

const printable = (type: string): string => JSON.stringify(type);
