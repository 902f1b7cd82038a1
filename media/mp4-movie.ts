/** Parses `moov` boxes: tracks, duration, and whether fragments follow. */
import { type ListedSamples, listedSamples } from "./listed-samples.ts";
import { asMp4Error, type Box, boxesIn, findBox, fullBox, Mp4Error, needBox, readSafeUint64 } from "./mp4-boxes.ts";
import { codecOf } from "./mp4-codec.ts";

const MAX_TRACKS = 16;

/** Default values of a fragment's samples (trex, tfhd). */
export interface SampleDefaults {
	description: number;
	duration: number;
	size: number;
	flags: number;
}

export interface Mp4Track {
	id: number;
	/** `vide`, `soun`, … */
	handler: string;
	/** Units per second. */
	timescale: number;
	/** As in RFC 6381: `avc1.64001f`. */
	codec: string;
	/** Pixels as they are shown, turned if the file says so; 0 unless it is video. */
	width: number;
	height: number;
	/** Samples listed in moov itself. */
	listed: ListedSamples;
	/** In the track's timescale, as stated in moov. */
	duration: number;
	defaults: SampleDefaults;
	/** Boxes to copy unchanged into a new header. */
	parts: { tkhd: Buffer; edts: Buffer | null; mdhd: Buffer; hdlr: Buffer; media: Buffer[]; stsd: Buffer };
}

export interface Mp4Movie {
	/** Units per second of `duration` and of the edit lists. */
	timescale: number;
	duration: number;
	/** Whether fragments may follow. */
	fragmented: boolean;
	tracks: Mp4Track[];
	mvhd: Buffer;
}

/**
 * Parses a complete moov box.
 * @throws Mp4Error if it is invalid.
 */
export function parseMovie(bytes: Buffer, moov: Box): Mp4Movie {
	return asMp4Error(() => {
		const mvhd = needBox(bytes, moov, "mvhd");
		const time = movieTime(bytes, mvhd, 4);
		const mvex = findBox(bytes, moov.body, moov.end, "mvex");
		const defaults = mvex === null ? new Map<number, SampleDefaults>() : trackDefaults(bytes, mvex);
		const tracks: Mp4Track[] = [];
		for (const child of boxesIn(bytes, moov.body, moov.end)) {
			if (child.type !== "trak") continue;
			if (tracks.length === MAX_TRACKS) throw new Mp4Error("unsupported", `There are more than ${MAX_TRACKS} tracks.`);
			tracks.push(parseTrack(bytes, child, defaults, isTurned(bytes, mvhd.end - MATRIX_IN_MVHD)));
		}
		if (new Set(tracks.map((track) => track.id)).size !== tracks.length) {
			throw new Mp4Error("malformed", "Two tracks have the same id.");
		}
		return { ...time, fragmented: mvex !== null, tracks, mvhd: copy(bytes, mvhd) };
	});
}

/**
 * Removes from an initialization segment (`ftyp` to `moov`) how large its tracks are to be shown, so that all frames are
 * shown in their own proportions: in Media Source Extensions, Chrome stretches those of a later size to the first ones'.
 */
export function removeShownSizes(init: Buffer): void {
	const moov = findBox(init, 0, init.length, "moov");
	if (moov === null) return;
	for (const trak of boxesIn(init, moov.body, moov.end)) {
		if (trak.type !== "trak") continue;
		const { end } = needBox(init, trak, "tkhd");
		init.fill(0, end - SIZES_IN_TKHD, end);
	}
}

function trackDefaults(bytes: Buffer, mvex: Box): Map<number, SampleDefaults> {
	const defaults = new Map<number, SampleDefaults>();
	for (const trex of boxesIn(bytes, mvex.body, mvex.end)) {
		if (trex.type !== "trex") continue;
		const { body } = fullBox(bytes, trex);
		if (body + 20 > trex.end) throw new Mp4Error("malformed", "A trex box is cut off.");
		defaults.set(bytes.readUInt32BE(body), {
			description: bytes.readUInt32BE(body + 4),
			duration: bytes.readUInt32BE(body + 8),
			size: bytes.readUInt32BE(body + 12),
			flags: bytes.readUInt32BE(body + 16),
		});
	}
	return defaults;
}

function parseTrack(bytes: Buffer, trak: Box, defaults: Map<number, SampleDefaults>, isMovieTurned: boolean): Mp4Track {
	const tkhd = needBox(bytes, trak, "tkhd");
	const edts = findBox(bytes, trak.body, trak.end, "edts");
	const mdia = needBox(bytes, trak, "mdia");
	const mdhd = needBox(bytes, mdia, "mdhd");
	const hdlr = needBox(bytes, mdia, "hdlr");
	const minf = needBox(bytes, mdia, "minf");
	const stbl = needBox(bytes, minf, "stbl");
	const stsd = needBox(bytes, stbl, "stsd");
	const header = fullBox(bytes, tkhd);
	const id = bytes.readUInt32BE(header.body + (header.version === 1 ? 16 : 8));
	const handlerBody = fullBox(bytes, hdlr).body;
	const handler = bytes.toString("latin1", handlerBody + 4, handlerBody + 8);
	const media = [...boxesIn(bytes, minf.body, minf.end)].filter((child) => child.type !== "stbl");
	return {
		id,
		handler,
		...movieTime(bytes, mdhd, 4),
		...describe(bytes, tkhd, stsd, { handler, isMovieTurned }),
		listed: listedSamples(bytes, stbl),
		defaults: defaults.get(id) ?? { description: 1, duration: 0, size: 0, flags: 0 },
		parts: {
			tkhd: copy(bytes, tkhd),
			edts: edts === null ? null : copy(bytes, edts),
			mdhd: copy(bytes, mdhd),
			hdlr: copy(bytes, hdlr),
			media: media.map((child) => copy(bytes, child)),
			stsd: copy(bytes, stsd),
		},
	};
}

/** Timescale and duration, which mvhd and mdhd store alike. */
function movieTime(bytes: Buffer, box: Box, instantBytes: number): { timescale: number; duration: number } {
	const { version, body } = fullBox(bytes, box);
	const skip = (version === 1 ? 2 : 1) * instantBytes * 2;
	const timescale = bytes.readUInt32BE(body + skip);
	if (timescale === 0) throw new Mp4Error("malformed", "A timescale is 0.");
	if (version !== 1) {
		const duration = bytes.readUInt32BE(body + skip + 4);
		return { timescale, duration: duration === 0xffff_ffff ? 0 : duration };
	}
	const unknown = bytes.readUInt32BE(body + skip + 4) === 0xffff_ffff;
	return { timescale, duration: unknown ? 0 : readSafeUint64(bytes, body + skip + 4) };
}

/** The positions of the matrices, from the ends of their boxes. */
const MATRIX_IN_MVHD = 64;
const MATRIX_IN_TKHD = 44;
/** Width and height, at its end. */
const SIZES_IN_TKHD = 8;

/** Whether a matrix turns a picture by a quarter, to either side. */
function isTurned(bytes: Buffer, matrix: number): boolean {
	const at = (place: number): number => Math.abs(bytes.readInt32BE(matrix + place));
	const [a, b, c, d] = [at(0), at(4), at(12), at(16)];
	return b > a && c > d;
}

function describe(
	bytes: Buffer,
	tkhd: Box,
	stsd: Box,
	{ handler, isMovieTurned }: { handler: string; isMovieTurned: boolean },
) {
	const entries = fullBox(bytes, stsd);
	if (bytes.readUInt32BE(entries.body) === 0) throw new Mp4Error("malformed", "A track has no sample description.");
	const entry = boxesIn(bytes, entries.body + 4, stsd.end).next().value;
	if (entry === undefined) throw new Mp4Error("malformed", "A sample description is cut off.");
	const codec = codecOf(bytes, entry);
	if (handler !== "vide") return { codec, width: 0, height: 0 };
	// The coded size; the track header has the display size.
	const width = bytes.readUInt16BE(entry.body + 24) || bytes.readUInt16BE(tkhd.end - 8);
	const height = bytes.readUInt16BE(entry.body + 26) || bytes.readUInt16BE(tkhd.end - 4);
	const turned = isTurned(bytes, tkhd.end - MATRIX_IN_TKHD) !== isMovieTurned;
	return turned ? { codec, width: height, height: width } : { codec, width, height };
}

/** A copy, so that the source buffer can be freed. */
const copy = (bytes: Buffer, box: Box): Buffer => Buffer.from(bytes.subarray(box.start, box.end));
