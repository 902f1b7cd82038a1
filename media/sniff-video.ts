/** Recognizes MP4s that browsers may be able to play, and reads their metadata. */
import { type ReadableAt, readAt } from "./file-io.ts";
import type { ListedSamples } from "./listed-samples.ts";
import { boxHeader, MAX_HEADER_BYTES, Mp4Error } from "./mp4-boxes.ts";
import { playedSeconds } from "./mp4-edits.ts";
import { parseFragment, RUN_STRIDE, type SampleRun } from "./mp4-fragment.ts";
import { Mp4Index } from "./mp4-index.ts";
import { type Mp4Movie, parseMovie } from "./mp4-movie.ts";
import { readEbml } from "./webm.ts";

const MAX_MOOV_BYTES = 128 * 2 ** 20;
const MAX_BOXES = 10_000;

export interface VideoInfo {
	contentType: "video/mp4" | "video/webm";
	/** Set if it is played by virtual faststart, as fragmented MP4 is. */
	index: Mp4Index | null;
	/** Length; 0 if unknown. */
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/**
 * Inspects a file of `size` bytes.
 * @returns its metadata, or null unless it is an MP4 with video frames, fragmented or not.
 * @throws only read errors.
 */
export async function sniffMp4(file: ReadableAt, size: number): Promise<VideoInfo | null> {
	const start = await readAt(file, 0, Math.min(size, 12));
	if (start.length < 12 || start.toString("latin1", 4, 8) !== "ftyp") return null;
	try {
		return (await sniffFragmented(file, size)) ?? (await sniffProgressive(file, size));
	} catch (error) {
		if (error instanceof Mp4Error) return null;
		throw error;
	}
}

/** Magic numbers of formats that are often mistaken for playable video. */
const OTHERS: readonly [name: string, offset: number, bytes: string][] = [
	["AVI (.avi)", 8, "AVI "],
	["Ogg (.ogv)", 0, "OggS"],
	["Flash video (.flv)", 0, "FLV\u0001"],
	["Windows Media (.wmv)", 0, "0&\u00b2u\u008ef\u00cf\u0011"],
	["MPEG (.mpg)", 0, "\0\0\u0001\u00ba"],
	["GIF (.gif)", 0, "GIF8"],
];

/** @returns the name of a format that is not supported, such as `Matroska (.mkv)`; null for supported and unknown ones. */
export async function unsupportedFormat(file: ReadableAt, size: number): Promise<string | null> {
	const ebml = await readEbml(file, size);
	if (ebml !== null) return ebml.type === "webm" ? null : "Matroska (.mkv)";
	const start = (await readAt(file, 0, Math.min(size, 189))).toString("latin1");
	if (start.length === 189 && start[0] === "G" && start[188] === "G") return "MPEG-TS (.ts)";
	return OTHERS.find(([, offset, bytes]) => start.startsWith(bytes, offset))?.[0] ?? null;
}

/** Whether the samples fit into the file and decoding can start at one of them. */
const canBePlayed = ({ samples, bytes, keyframes, chunks, lastChunk }: ListedSamples, size: number): boolean =>
	samples > 0 && bytes > 0 && bytes <= size && chunks > 0 && lastChunk < size && keyframes > 0;

async function sniffFragmented(file: ReadableAt, size: number): Promise<VideoInfo | null> {
	const index = new Mp4Index();
	await index.update(file, size);
	if (!index.playable || index.keyframeOffsets.length === 0) return null;
	const { durationSeconds, width, height } = index;
	return { contentType: "video/mp4", index, durationSeconds, width: width || null, height: height || null };
}

/** A plain MP4: its data and moov must be complete, and moov must list video frames. Fragments may follow it. */
async function sniffProgressive(file: ReadableAt, size: number): Promise<VideoInfo | null> {
	let movie: Mp4Movie | null = null;
	let hasData = false;
	const fragments = new Fragments();
	let at = 0;
	for (let count = 0; at < size; count += 1) {
		const box = await nextBox(file, at, size);
		// Players ignore what follows the movie and its data, whatever it is.
		if (box === null && movie !== null && hasData) break;
		if (box === null || count === MAX_BOXES) return null;
		const { type, headerBytes, length } = box;
		if (type === "mdat") hasData ||= length > headerBytes;
		if (type === "moov" || (type === "moof" && movie?.fragmented === true)) {
			if ((type === "moov") === (movie !== null) || length > MAX_MOOV_BYTES) return null;
			const bytes = await readAt(file, at, length);
			if (bytes.length < length) return null;
			const whole = { type, start: 0, body: headerBytes, end: length };
			if (movie === null) movie = parseMovie(bytes, whole);
			else fragments.add(parseFragment(bytes, whole, at, new Map(movie.tracks.map((track) => [track.id, track]))));
		}
		at += length;
	}
	const video = movie?.tracks.find((track) => track.handler === "vide" && canBePlayed(track.listed, size));
	if (movie === null || movie === undefined || video === undefined || !hasData) return null;
	const durationSeconds = secondsOf(movie, fragments) || movie.duration / movie.timescale;
	return {
		contentType: "video/mp4",
		index: null,
		durationSeconds,
		width: video.width || null,
		height: video.height || null,
	};
}

/** The box at `at`; null if what is there is none, or a cut one of another kind than those that matter. */
async function nextBox(file: ReadableAt, at: number, size: number) {
	const head = await readAt(file, at, Math.min(MAX_HEADER_BYTES, size - at));
	// Zeros to the end would be a box that has no type and ends with the file.
	if (!head.some((byte) => byte !== 0)) return null;
	let header: ReturnType<typeof boxHeader> = null;
	try {
		header = boxHeader(head, 0);
	} catch (error) {
		if (!(error instanceof Mp4Error)) throw error;
	}
	if (header === null) return null;
	const length = header.size === 0 ? size - at : header.size;
	if (at + length <= size) return { ...header, length };
	if (header.type === "mdat" || header.type === "moov") throw new Mp4Error("malformed", `${header.type} is cut off.`);
	return null;
}

/** The samples in fragments that follow a moov which lists samples itself. */
class Fragments {
	readonly #tracks = new Map<number, { duration: number; end: number }>();

	add(runs: readonly SampleRun[]): void {
		for (const { trackId, decodeTime, samples } of runs) {
			let { duration, end } = this.of(trackId);
			duration = decodeTime ?? duration;
			for (let place = 0; place < samples.length; place += RUN_STRIDE) {
				duration += samples[place + 1] as number;
				end = Math.max(end, duration + (samples[place + 2] as number));
			}
			this.#tracks.set(trackId, { duration, end });
		}
	}

	/** When a track ends in them, as it is decoded and as it is shown; 0 if they have nothing of it. */
	of = (trackId: number): { duration: number; end: number } => this.#tracks.get(trackId) ?? { duration: 0, end: 0 };
}

/** @returns the length of the video and audio tracks; 0 if none states it. */
function secondsOf(movie: Mp4Movie, fragments: Fragments): number {
	const seconds = movie.tracks.map(({ id, handler, listed, timescale, duration: stated, parts }) => {
		if ((handler !== "vide" && handler !== "soun") || listed.samples === 0) return 0;
		const after = fragments.of(id);
		const duration = Math.max(listed.duration || stated, after.duration);
		const end = Math.max(listed.end || stated, after.end);
		return playedSeconds({ edts: parts.edts, timescale, duration, end }, movie.timescale);
	});
	return Math.max(0, ...seconds);
}
