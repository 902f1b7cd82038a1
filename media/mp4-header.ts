/**
 * Virtual faststart: builds the header that turns a fragmented MP4 into a progressive one without touching its bytes.
 * The whole fragmented file becomes the content of one `mdat`, and the sample tables point into it.
 */
import { type Box, box, boxesIn, fullBox } from "./mp4-boxes.ts";
import { type Edit, playedSeconds, readEdits } from "./mp4-edits.ts";
import type { Mp4Movie, Mp4Track } from "./mp4-movie.ts";
import type { SampleTable } from "./sample-table.ts";

const FTYP = box("ftyp", Buffer.from("isom\0\0\x02\0isomiso2avc1mp41", "latin1"));
const MDAT_HEADER_BYTES = 16;

export interface HeaderTrack {
	track: Mp4Track;
	samples: SampleTable;
	/** When its first sample is decoded, in its timescale. */
	firstDecodeTime: number;
}

/**
 * Builds `ftyp + moov + mdat header` for the first `contentBytes` bytes of the file.
 * Tracks without samples are omitted.
 * @param userData boxes that come last in the header.
 */
export function faststartHeader(
	movie: Mp4Movie,
	tracks: readonly HeaderTrack[],
	contentBytes: number,
	userData: Buffer = Buffer.alloc(0),
): Buffer {
	const { used, parts, mvhd, trackBytes, moovBytes, total } = layout(movie, tracks, userData.length);
	const header = Buffer.allocUnsafe(total);
	let at = FTYP.copy(header);
	at = open(header, at, "moov", moovBytes);
	at += mvhd.copy(header, at);
	for (const [index, part] of parts.entries()) {
		const bytes = trackBytes[index] as (typeof trackBytes)[number];
		at = open(header, at, "trak", bytes.trak);
		at += part.trak.copy(header, at);
		at = open(header, at, "mdia", bytes.mdia);
		at += part.mdia.copy(header, at);
		at = open(header, at, "minf", bytes.minf);
		at += part.media.copy(header, at);
		at = open(header, at, "stbl", bytes.stbl);
		at += part.stsd.copy(header, at);
		at = (used[index] as HeaderTrack).samples.writeBoxes(header, at, total);
	}
	at += userData.copy(header, at);
	at = open(header, at, "mdat", 1);
	header.writeBigUInt64BE(BigInt(MDAT_HEADER_BYTES + contentBytes), at);
	return header;
}

/** Length of the result of `faststartHeader`, without building it. */
export const faststartHeaderBytes = (movie: Mp4Movie, tracks: readonly HeaderTrack[]): number =>
	layout(movie, tracks).total;

/** @returns the movie's length: until the last of its video and audio tracks ends. */
export function movieSeconds(movie: Mp4Movie, tracks: readonly HeaderTrack[]): number {
	const used = tracks.filter(({ samples }) => samples.length > 0);
	const start = startOf(used);
	const seconds = used.map(({ track, samples, firstDecodeTime }) => {
		const { timescale, parts } = track;
		const delaySeconds = firstDecodeTime / timescale - start;
		const played = { timescale, duration: samples.duration, end: samples.presentationEnd };
		return playedSeconds({ ...played, edts: parts.edts, delaySeconds }, movie.timescale);
	});
	return Math.max(0, ...seconds);
}

/** When the first sample of any track is decoded, in seconds. */
const startOf = (used: readonly HeaderTrack[]): number =>
	Math.min(...used.map((each) => each.firstDecodeTime / each.track.timescale));

/** The header's parts and their lengths. */
function layout(movie: Mp4Movie, tracks: readonly HeaderTrack[], userDataBytes = 0) {
	const used = tracks.filter(({ samples }) => samples.length > 0);
	const start = startOf(used);
	const parts = used.map((each) => trackParts(movie, each, start));
	const duration = Math.max(0, ...parts.map((part) => part.movieDuration));
	const mvhd = withDuration(movie.mvhd, 4, duration);
	const trackBytes = parts.map((part, index) => {
		const stbl = 8 + part.stsd.length + (used[index] as HeaderTrack).samples.boxBytes;
		const minf = 8 + part.media.length + stbl;
		const mdia = 8 + part.mdia.length + minf;
		return { stbl, minf, mdia, trak: 8 + part.trak.length + mdia };
	});
	const moovBytes = 8 + mvhd.length + trackBytes.reduce((sum, bytes) => sum + bytes.trak, 0) + userDataBytes;
	const total = FTYP.length + moovBytes + MDAT_HEADER_BYTES;
	return { used, parts, mvhd, trackBytes, moovBytes, total };
}

function open(target: Buffer, at: number, type: string, size: number): number {
	target.writeUInt32BE(size, at);
	target.write(type, at + 4, 4, "latin1");
	return at + 8;
}

function trackParts(movie: Mp4Movie, { track, samples, firstDecodeTime }: HeaderTrack, movieStart: number) {
	const scale = movie.timescale / track.timescale;
	const delay = Math.round((firstDecodeTime / track.timescale - movieStart) * movie.timescale);
	const edits = editList(track.parts.edts, samples.presentationEnd, scale, delay);
	const presented = edits.reduce((sum, edit) => sum + edit.duration, 0);
	const movieDuration = edits.length > 0 ? presented : ticks(samples.duration * scale);
	const edts = edits.length > 0 ? [box("edts", elst(edits))] : [];
	return {
		movieDuration,
		trak: Buffer.concat([withDuration(track.parts.tkhd, 8, movieDuration), ...edts]),
		mdia: Buffer.concat([withDuration(track.parts.mdhd, 4, samples.duration), track.parts.hdlr]),
		media: Buffer.concat(track.parts.media),
		stsd: track.parts.stsd,
	};
}

/**
 * The source's edits, with lengths filled in where a fragmented file has 0 for "to the end", preceded by an empty edit
 * if the track begins later than another.
 */
function editList(edts: Buffer | null, mediaEnd: number, scale: number, delay: number): Edit[] {
	const edits = edts === null ? [] : readEdits(edts);
	for (const edit of edits) {
		if (edit.duration === 0 && edit.mediaTime >= 0) {
			edit.duration = ticks(Math.max(0, mediaEnd - edit.mediaTime) * scale);
		}
	}
	if (delay <= 0) return edits;
	const whole = { duration: ticks(mediaEnd * scale), mediaTime: 0, rate: 0x1_0000 };
	return [{ duration: delay, mediaTime: -1, rate: 0x1_0000 }, ...(edits.length > 0 ? edits : [whole])];
}

/** Rounds up to whole ticks, but not because of a floating-point error. */
const ticks = (value: number): number => Math.ceil(value - 1e-6);

function elst(edits: readonly Edit[]): Buffer {
	const body = Buffer.alloc(8 + edits.length * 20);
	body.writeUInt32BE(0x100_0000, 0);
	body.writeUInt32BE(edits.length, 4);
	for (const [index, edit] of edits.entries()) {
		const at = 8 + index * 20;
		body.writeBigUInt64BE(BigInt.asUintN(64, BigInt(edit.duration)), at);
		body.writeBigInt64BE(BigInt.asIntN(64, BigInt(edit.mediaTime)), at + 8);
		body.writeUInt32BE(edit.rate, at + 16);
	}
	return box("elst", body);
}

/**
 * Copies an mvhd, mdhd (`between` 4: the timescale) or tkhd (`between` 8: track id and padding) with another duration,
 * as version 1, whose times have 64 bits.
 */
function withDuration(source: Buffer, between: number, duration: number): Buffer {
	const whole = boxesIn(source, 0, source.length).next().value as Box;
	const { version, flags, body } = fullBox(source, whole);
	const instants = Buffer.alloc(16);
	let at = body;
	if (version === 1) at += source.copy(instants, 0, at, at + 16);
	else {
		source.copy(instants, 4, at, at + 4);
		source.copy(instants, 12, at + 4, at + 8);
		at += 8;
	}
	const middle = source.subarray(at, at + between);
	const rest = source.subarray(at + between + (version === 1 ? 8 : 4), whole.end);
	const head = Buffer.alloc(4);
	head.writeUInt32BE(0x100_0000 + flags);
	const length = Buffer.alloc(8);
	length.writeBigUInt64BE(BigInt(Math.round(duration)));
	return box(whole.type, head, instants, middle, length, rest);
}
