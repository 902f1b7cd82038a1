/** Parses `moof` boxes: the samples of a fragment and where they are. */
import { asMp4Error, type Box, boxesIn, fullBox, Mp4Error, needBox, readSafeUint64 } from "./mp4-boxes.ts";
import type { Mp4Track, SampleDefaults } from "./mp4-movie.ts";

/** No real recording has more samples in a fragment. */
const MAX_SAMPLES = 1 << 20;
const NOT_SYNC = 0x1_0000;

/** Consecutive samples in the file. Four numbers each: size, duration, composition offset, sync. */
export interface SampleRun {
	trackId: number;
	/** When its first sample is decoded, in the track's timescale; null: right after the previous run. */
	decodeTime: number | null;
	/** Offset in the file. */
	offset: number;
	/** Number of bytes. */
	bytes: number;
	description: number;
	samples: Float64Array;
}
export const RUN_STRIDE = 4;

/**
 * Parses a complete moof box located at `fileOffset` in the file.
 * @throws Mp4Error if it is invalid.
 */
export function parseFragment(
	bytes: Buffer,
	moof: Box,
	fileOffset: number,
	tracks: ReadonlyMap<number, Mp4Track>,
): SampleRun[] {
	return asMp4Error(() => {
		const runs: SampleRun[] = [];
		const state = { samples: 0, dataEnd: fileOffset };
		for (const child of boxesIn(bytes, moof.body, moof.end)) {
			if (child.type === "traf") parseTrackFragment(bytes, child, fileOffset, tracks, runs, state);
		}
		return runs;
	});
}

interface FragmentState {
	/** Number of samples so far, to limit them. */
	samples: number;
	/** End of the previous run's data, where the next run starts by default. */
	dataEnd: number;
}

function parseTrackFragment(
	bytes: Buffer,
	traf: Box,
	fileOffset: number,
	tracks: ReadonlyMap<number, Mp4Track>,
	runs: SampleRun[],
	state: FragmentState,
): void {
	const { trackId, base, defaults, empty } = trackHeader(bytes, needBox(bytes, traf, "tfhd"), tracks);
	const start = base ?? fileOffset;
	// Without a base of its own, a track's data follows the previous track's data (14496-12, 8.8.7).
	let implicit = base === null ? Math.max(state.dataEnd, fileOffset) : start;
	let decodeTime: number | null = null;
	for (const child of boxesIn(bytes, traf.body, traf.end)) {
		if (child.type === "tfdt") {
			const { version, body } = fullBox(bytes, child);
			decodeTime = version === 1 ? readSafeUint64(bytes, body) : bytes.readUInt32BE(body);
		}
		if (child.type !== "trun" || empty) continue;
		const run = parseRun(bytes, child, start, implicit, defaults, state);
		implicit = run.offset + run.bytes;
		state.dataEnd = implicit;
		runs.push({ trackId, decodeTime, ...run });
		decodeTime = null;
	}
}

function trackHeader(bytes: Buffer, tfhd: Box, tracks: ReadonlyMap<number, Mp4Track>) {
	const { flags, body } = fullBox(bytes, tfhd);
	const trackId = bytes.readUInt32BE(body);
	const track = tracks.get(trackId);
	if (track === undefined) throw new Mp4Error("malformed", `A fragment is for track ${trackId}, which is not there.`);
	let at = body + 4;
	const word = (): number => {
		at += 4;
		return bytes.readUInt32BE(at - 4);
	};
	let base: number | null = null;
	if (flags & 0x01) {
		base = readSafeUint64(bytes, at);
		at += 8;
	}
	const defaults: SampleDefaults = { ...track.defaults };
	if (flags & 0x02) defaults.description = word();
	if (flags & 0x08) defaults.duration = word();
	if (flags & 0x10) defaults.size = word();
	if (flags & 0x20) defaults.flags = word();
	if (at > tfhd.end) throw new Mp4Error("malformed", "A tfhd box is cut off.");
	return { trackId, base, defaults, empty: (flags & 0x1_0000) !== 0 };
}

function parseRun(
	bytes: Buffer,
	trun: Box,
	base: number,
	implicit: number,
	defaults: SampleDefaults,
	state: FragmentState,
): Omit<SampleRun, "trackId" | "decodeTime"> {
	const { flags, body } = fullBox(bytes, trun);
	const count = bytes.readUInt32BE(body);
	state.samples += count;
	if (state.samples > MAX_SAMPLES) throw new Mp4Error("too_large", "A fragment has too many samples.");
	let at = body + 4;
	const has = (flag: number): boolean => (flags & flag) !== 0;
	const fieldBytes = [0x100, 0x200, 0x400, 0x800].filter(has).length * 4;
	if (at + (has(1) ? 4 : 0) + (has(4) ? 4 : 0) + count * fieldBytes > trun.end) {
		throw new Mp4Error("malformed", "A trun box is cut off.");
	}
	const word = (): number => {
		at += 4;
		return bytes.readUInt32BE(at - 4);
	};
	const offset = has(1) ? base + (word() | 0) : implicit;
	if (offset < 0) throw new Mp4Error("malformed", "A sample lies before the file.");
	const firstFlags = has(4) ? word() : null;
	const samples = new Float64Array(count * RUN_STRIDE);
	let total = 0;
	for (let index = 0; index < count; index += 1) {
		const duration = has(0x100) ? word() : defaults.duration;
		const size = has(0x200) ? word() : defaults.size;
		const ownFlags = has(0x400) ? word() : defaults.flags;
		const sampleFlags = index === 0 && firstFlags !== null ? firstFlags : ownFlags;
		// Version 0 defines them as unsigned, but some encoders write negative values, and none means 2^31 or more.
		const compositionOffset = has(0x800) ? word() | 0 : 0;
		samples.set([size, duration, compositionOffset, (sampleFlags & NOT_SYNC) === 0 ? 1 : 0], index * RUN_STRIDE);
		total += size;
	}
	return { offset, bytes: total, description: defaults.description, samples };
}
