/** What the boxes of a fragmented MP4 say (ISO/IEC 14496-12), and the few numbers in them that are changed in place. */

const CONTAINERS = ["moov", "trak", "mdia", "moof", "traf"];

/** Finds boxes by name inside a run of whole boxes, whatever container they are in. */
function* boxesNamed(bytes: Buffer, name: string): Generator<Buffer> {
	for (let at = 0; at + 8 <= bytes.length; ) {
		const size = bytes.readUInt32BE(at);
		if (size < 8 || at + size > bytes.length) return;
		const type = bytes.toString("latin1", at + 4, at + 8);
		const body = bytes.subarray(at + 8, at + size);
		if (type === name) yield body;
		else if (CONTAINERS.includes(type)) yield* boxesNamed(body, name);
		at += size;
	}
}

/** Units a second of the first track, from a `moov` box. */
export function timescaleOf(moov: Buffer): number | null {
	for (const mdhd of boxesNamed(moov, "mdhd")) return mdhd.readUInt32BE(mdhd.readUInt8(0) === 1 ? 20 : 12);
	return null;
}

/** Where the fragment ends on the timeline, in units of the timescale, from a `moof` box. */
export function fragmentEnd(moof: Buffer): number | null {
	let defaultDuration = 0;
	for (const tfhd of boxesNamed(moof, "tfhd")) {
		const flags = tfhd.readUInt32BE(0) & 0xffffff;
		let at = 8;
		if (flags & 0x01) at += 8;
		if (flags & 0x02) at += 4;
		if (flags & 0x08) defaultDuration = tfhd.readUInt32BE(at);
	}
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		const start = tfdt.readUInt8(0) === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
		let length = 0;
		for (const trun of boxesNamed(moof, "trun")) length += runLength(trun, defaultDuration);
		return start + length;
	}
	return null;
}

function runLength(trun: Buffer, defaultDuration: number): number {
	const flags = trun.readUInt32BE(0) & 0xffffff;
	const count = trun.readUInt32BE(4);
	if ((flags & 0x100) === 0) return count * defaultDuration;
	const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
	let at = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
	let length = 0;
	for (let index = 0; index < count; index++, at += stride) length += trun.readUInt32BE(at);
	return length;
}

/** The decoder's configuration (`avcC`) in a `moov` box: parts that share it can be played as one. */
export function decoderConfigOf(moov: Buffer): Buffer | null {
	const at = moov.indexOf("avcC", 0, "latin1");
	return at < 4 ? null : moov.subarray(at, at - 4 + moov.readUInt32BE(at - 4));
}

/** How the fragments of a later part are moved to their place behind the earlier ones. */
export interface FragmentShift {
	/** Added to the decode time, in units of the timescale. */
	units: bigint;
	/** Added to the fragment's number. */
	sequence: number;
	/** Samples from this decode time on (in units, before the shift) are left out; null for none. */
	limit: bigint | null;
}

/** Moves one fragment: changes a `moof` box in place, its size stays. */
export function shiftFragment(moof: Buffer, shift: FragmentShift): void {
	for (const mfhd of boxesNamed(moof, "mfhd")) mfhd.writeUInt32BE((mfhd.readUInt32BE(4) + shift.sequence) >>> 0, 4);
	let start = 0n;
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		if (tfdt.readUInt8(0) !== 1) throw new Error("A fragment with a short decode time cannot be moved.");
		start = tfdt.readBigUInt64BE(4);
		tfdt.writeBigUInt64BE(start + shift.units, 4);
	}
	const { limit } = shift;
	const end = limit === null ? null : fragmentEnd(moof);
	if (limit === null || end === null || BigInt(end) - shift.units <= limit) return;
	// The table keeps its length: readers take as many entries of it as the count says.
	for (const trun of boxesNamed(moof, "trun")) {
		const count = trun.readUInt32BE(4);
		const sample = (BigInt(end) - shift.units - start) / BigInt(count);
		trun.writeUInt32BE(Number((limit - start) / sample), 4);
	}
}
