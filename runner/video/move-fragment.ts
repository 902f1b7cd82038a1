/** Reads the boxes of a fragmented MP4 (ISO/IEC 14496-12) and shifts fragments in place. */
import { boxesIn, Mp4Error } from "#lib/media/mp4-boxes.ts";

const CONTAINERS = ["moov", "trak", "mdia", "moof", "traf"];

/** Bodies of all boxes with this name, in any container. A truncated box ends the search in its container. */
function* boxesNamed(bytes: Buffer, name: string, start = 0, end = bytes.length): Generator<Buffer> {
	try {
		for (const box of boxesIn(bytes, start, end)) {
			if (box.type === name) yield bytes.subarray(box.body, box.end);
			else if (CONTAINERS.includes(box.type)) yield* boxesNamed(bytes, name, box.body, box.end);
		}
	} catch (error) {
		if (!(error instanceof Mp4Error)) throw error;
	}
}

/** Units per second of the first track, from a `moov` box. */
export function timescaleOf(moov: Buffer): number | null {
	for (const mdhd of boxesNamed(moov, "mdhd")) return mdhd.readUInt32BE(mdhd.readUInt8(0) === 1 ? 20 : 12);
	return null;
}

/** Sample times of a fragment, in units of the timescale. */
export interface FragmentTimes {
	/** When its first sample begins. */
	start: number;
	/** How long each sample is shown. */
	durations: number[];
	/** When its last sample ends. */
	end: number;
}

/** Reads the sample times from a `moof` box; null when it has none. */
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

/** The bytes of the default sample duration; null when there is none. */
function defaultDurationAt(moof: Buffer): Buffer | null {
	for (const tfhd of boxesNamed(moof, "tfhd")) {
		const flags = tfhd.readUInt32BE(0) & 0xffffff;
		const at = 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0);
		if (flags & 0x08) return tfhd.subarray(at, at + 4);
	}
	return null;
}

/** Maps a sample's index to the offset of its duration in a `trun` box; null when samples have no own duration. */
function durationEntries(trun: Buffer): ((index: number) => number) | null {
	const flags = trun.readUInt32BE(0) & 0xffffff;
	if ((flags & 0x100) === 0) return null;
	const stride = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
	const first = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
	return (index) => first + index * stride;
}

/** The decoder configuration (`avcC`) in a `moov` box. Parts can be concatenated when theirs are equal. */
export function decoderConfigOf(moov: Buffer): Buffer | null {
	const at = moov.indexOf("avcC", 0, "latin1");
	return at < 4 ? null : moov.subarray(at, at - 4 + moov.readUInt32BE(at - 4));
}

/** How to shift a part's fragments to their position after earlier parts. */
export interface FragmentShift {
	/** Added to the decode time, in units of the timescale. */
	units: bigint;
	/** Added to the sequence number. */
	sequence: number;
	/** End of the part, in units before the shift: later samples are dropped; null for no limit. */
	limit: bigint | null;
}

/** Shifts one fragment: rewrites a `moof` box in place without changing its size. */
export function shiftFragment(moof: Buffer, shift: FragmentShift): void {
	if (shift.limit !== null) cutFragment(moof, Number(shift.limit));
	for (const mfhd of boxesNamed(moof, "mfhd")) mfhd.writeUInt32BE((mfhd.readUInt32BE(4) + shift.sequence) >>> 0, 4);
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		if (tfdt.readUInt8(0) !== 1) throw new Error("A fragment with a short decode time cannot be moved.");
		tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) + shift.units, 4);
	}
}

/** Cuts a fragment off at `limit`, shortening the sample that is shown then. */
function cutFragment(moof: Buffer, limit: number): void {
	const times = fragmentTimes(moof);
	if (times === null || times.end <= limit) return;
	let kept = 0;
	let start = times.start;
	for (; kept < times.durations.length && start < limit; kept++) start += times.durations[kept] as number;
	const last = limit - (start - (times.durations[kept - 1] ?? 0));
	for (const trun of boxesNamed(moof, "trun")) {
		// The table keeps its size: readers take only as many entries as the count says.
		trun.writeUInt32BE(kept, 4);
		const entry = durationEntries(trun);
		if (entry !== null && kept > 0) trun.writeUInt32BE(last, entry(kept - 1));
		// Samples without own durations share the remaining time.
		else if (kept > 0) defaultDurationAt(moof)?.writeUInt32BE(Math.round((limit - times.start) / kept));
	}
}
