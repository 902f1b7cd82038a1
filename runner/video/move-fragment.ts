/** Reads the times of a fragment's samples, and shifts fragments in place (ISO/IEC 14496-12). */
import { boxesIn } from "@tapedeck/media/mp4-boxes.ts";
import { parseFragment, RUN_STRIDE } from "@tapedeck/media/mp4-fragment.ts";
import type { Mp4Track } from "@tapedeck/media/mp4-movie.ts";

const BOX_HEADER_BYTES = 8;
/** Places among the numbers of a sample: how long it is shown, and whether it is a key frame. */
const DURATION_IN_RUN = 1;
const SYNC_IN_RUN = 3;

/** Sample times of a fragment, in units of the timescale. */
export interface FragmentTimes {
	/** When its first sample begins. */
	start: number;
	/** Duration of each sample. */
	durations: number[];
	/** When its last sample ends. */
	end: number;
	/** Whether its first sample is a key frame. */
	isKey: boolean;
}

/**
 * Reads the sample times from a whole `moof` box of this track.
 * @throws Mp4Error if it is invalid. Otherwise, its boxes can be rewritten.
 */
export function fragmentTimes(moof: Buffer, track: Mp4Track): FragmentTimes {
	const box = { type: "moof", start: 0, body: BOX_HEADER_BYTES, end: moof.length };
	const runs = parseFragment(moof, box, 0, new Map([[track.id, track]]));
	const start = runs[0]?.decodeTime ?? 0;
	const durations = runs.flatMap(({ samples }) =>
		[...samples].filter((_, place) => place % RUN_STRIDE === DURATION_IN_RUN),
	);
	const end = durations.reduce((sum, duration) => sum + duration, start);
	return { start, durations, end, isKey: runs[0]?.samples[SYNC_IN_RUN] === 1 };
}

const CONTAINERS = ["traf", "trak", "mdia"];

/** Bodies of the boxes with this name in a fragment or header, and in its tracks. */
function* boxesNamed(moof: Buffer, name: string, start = BOX_HEADER_BYTES, end = moof.length): Generator<Buffer> {
	for (const box of boxesIn(moof, start, end)) {
		if (box.type === name) yield moof.subarray(box.body, box.end);
		else if (CONTAINERS.includes(box.type)) yield* boxesNamed(moof, name, box.body, box.end);
	}
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

/** The shift of a part's fragments to their position after earlier parts. */
export interface FragmentShift {
	/** Added to the decode time, in units of the new timescale. */
	units: bigint;
	/** The new timescale; the track's own if omitted. */
	timescale?: number;
	/** Added to the sequence number. */
	sequence: number;
	/** End of the part, in units of the new timescale before the shift: later samples are dropped; null for no limit. */
	limit: bigint | null;
}

/** Shifts one fragment of this track: rewrites a `moof` box in place without changing its size. */
export function shiftFragment(moof: Buffer, track: Mp4Track, shift: FragmentShift): void {
	const { timescale = track.timescale } = shift;
	if (timescale !== track.timescale) changeTimescale(moof, track.timescale, timescale);
	if (shift.limit !== null) cutFragment(moof, fragmentTimes(moof, track), Number(shift.limit));
	for (const mfhd of boxesNamed(moof, "mfhd")) mfhd.writeUInt32BE((mfhd.readUInt32BE(4) + shift.sequence) >>> 0, 4);
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		if (tfdt.readUInt8(0) !== 1) throw new Error("A fragment with a short decode time cannot be moved.");
		tfdt.writeBigUInt64BE(tfdt.readBigUInt64BE(4) + shift.units, 4);
	}
}

/**
 * ffmpeg writes frames as the unit of time (see runner/capture/ffmpeg.ts), which is too coarse for a fragment that is cut
 * off. So videos have a multiple of it: the one that ffmpeg would choose by itself.
 */
export function fineTimescale(timescale: number): number {
	let fine = timescale;
	while (fine < 10_000) fine *= 2;
	return fine;
}

/** Gives a whole `moov` box with one track another timescale. */
export function changeHeaderTimescale(moov: Buffer, timescale: number): void {
	for (const mdhd of boxesNamed(moov, "mdhd")) {
		const isLong = mdhd.readUInt8(0) === 1;
		mdhd.writeUInt32BE(timescale, isLong ? 20 : 12);
	}
}

function changeTimescale(moof: Buffer, from: number, to: number): void {
	const changed = (units: number) => Math.round((units * to) / from);
	for (const tfdt of boxesNamed(moof, "tfdt")) {
		tfdt.writeBigUInt64BE(BigInt(changed(Number(tfdt.readBigUInt64BE(4)))), 4);
	}
	const shared = defaultDurationAt(moof);
	shared?.writeUInt32BE(changed(shared.readUInt32BE()));
	for (const trun of boxesNamed(moof, "trun")) {
		const entry = durationEntries(trun);
		const samples = entry === null ? 0 : trun.readUInt32BE(4);
		for (let index = 0; index < samples; index++) {
			const at = entry?.(index) ?? 0;
			trun.writeUInt32BE(changed(trun.readUInt32BE(at)), at);
		}
	}
}

/** Cuts a fragment off at `limit`, shortening the sample that is shown then. */
function cutFragment(moof: Buffer, times: FragmentTimes, limit: number): void {
	if (times.end <= limit) return;
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
