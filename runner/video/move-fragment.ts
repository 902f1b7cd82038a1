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

/** Where the samples of a fragment lie, in units of the timescale. */
export interface FragmentTimes {
	/** When its first sample begins. */
	start: number;
	/** How long each one stays: until the next one begins. */
	durations: number[];
	/** When its last sample ends. */
	end: number;
}

/** Reads the times of a fragment's samples from a `moof` box; null when it has none. */
export function fragmentTimes(moof: Buffer): FragmentTimes | null {
	const defaultDuration = defaultDurationAt(moof);
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		const start = tfdt.readUInt8(0) === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
		const durations: number[] = [];
		for (const trun of boxesNamed(moof, "trun")) {
			const count = trun.readUInt32BE(4);
			const entry = durationEntries(trun);
			for (let index = 0; index < count; index++) {
				durations.push(entry === null ? (defaultDuration?.readUInt32BE(0) ?? 0) : trun.readUInt32BE(entry(index)));
			}
		}
		return { start, durations, end: durations.reduce((sum, duration) => sum + duration, start) };
	}
	return null;
}

/** Where the duration stands that holds for all samples without one of their own; null when there is none. */
function defaultDurationAt(moof: Buffer): Buffer | null {
	for (const tfhd of boxesNamed(moof, "tfhd")) {
		const flags = tfhd.readUInt32BE(0) & 0xffffff;
		const at = 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0);
		if (flags & 0x08) return tfhd.subarray(at, at + 4);
	}
	return null;
}

/** Where in a `trun` box the duration of each sample stands; null when samples have none of their own. */
function durationEntries(trun: Buffer): ((index: number) => number) | null {
	const flags = trun.readUInt32BE(0) & 0xffffff;
	if ((flags & 0x100) === 0) return null;
	const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
	const first = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
	return (index) => first + index * stride;
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
	/** Where the part ends (in units, before the shift): samples from there on are left out; null for none. */
	limit: bigint | null;
}

/** Moves one fragment: changes a `moof` box in place, its size stays. */
export function shiftFragment(moof: Buffer, shift: FragmentShift): void {
	if (shift.limit !== null) cutFragment(moof, Number(shift.limit));
	for (const mfhd of boxesNamed(moof, "mfhd")) mfhd.writeUInt32BE((mfhd.readUInt32BE(4) + shift.sequence) >>> 0, 4);
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		if (tfdt.readUInt8(0) !== 1) throw new Error("A fragment with a short decode time cannot be moved.");
		tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) + shift.units, 4);
	}
}

/** Makes a fragment end at `limit`, wherever a sample is held beyond it. */
function cutFragment(moof: Buffer, limit: number): void {
	const times = fragmentTimes(moof);
	if (times === null || times.end <= limit) return;
	let kept = 0;
	let start = times.start;
	for (; kept < times.durations.length && start < limit; kept++) start += times.durations[kept] as number;
	const last = limit - (start - (times.durations[kept - 1] ?? 0));
	for (const trun of boxesNamed(moof, "trun")) {
		// The table keeps its length: readers take as many entries of it as the count says.
		trun.writeUInt32BE(kept, 4);
		const entry = durationEntries(trun);
		if (entry !== null && kept > 0) trun.writeUInt32BE(last, entry(kept - 1));
		// One duration holds for all: they share what is left.
		else if (kept > 0) defaultDurationAt(moof)?.writeUInt32BE(Math.round((limit - times.start) / kept));
	}
}
