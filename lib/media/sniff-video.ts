/** Recognizes videos that browsers may be able to play, and reads their metadata. */
import { type ReadableAt, readAt } from "./file-io.ts";
import type { ListedSamples } from "./listed-samples.ts";
import { boxHeader, Mp4Error } from "./mp4-boxes.ts";
import { Mp4Index } from "./mp4-index.ts";
import { type Mp4Movie, parseMovie } from "./mp4-movie.ts";
import { sniffWebm } from "./webm.ts";

const MAX_MOOV_BYTES = 128 * 2 ** 20;
const MAX_BOXES = 10_000;

export interface VideoInfo {
	contentType: "video/mp4" | "video/webm";
	/** Set if it is played by virtual faststart. */
	index: Mp4Index | null;
	/** 0 if the file doesn't state it. */
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/**
 * Inspects a file of `size` bytes.
 * @returns its metadata, or null unless it is an MP4 with video frames (fragmented or not) or a WebM with a video track
 *   and data.
 * @throws only read errors.
 */
export async function sniffVideo(file: ReadableAt, size: number): Promise<VideoInfo | null> {
	const start = await readAt(file, 0, Math.min(size, 12));
	if (start.length < 12) return null;
	if (start.readUInt32BE(0) === 0x1a45dfa3) {
		const webm = await sniffWebm(file, size);
		return webm === null ? null : { contentType: "video/webm", index: null, ...webm };
	}
	if (start.toString("latin1", 4, 8) !== "ftyp") return null;
	try {
		return (await sniffFragmented(file, size)) ?? (await sniffProgressive(file, size));
	} catch (error) {
		if (error instanceof Mp4Error) return null;
		throw error;
	}
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

/** A plain MP4: every box must be complete, and moov must list video frames. */
async function sniffProgressive(file: ReadableAt, size: number): Promise<VideoInfo | null> {
	let movie: Mp4Movie | null = null;
	let hasData = false;
	let at = 0;
	for (let count = 0; at < size; count += 1) {
		const header = boxHeader(await readAt(file, at, Math.min(16, size - at)), 0);
		if (header === null || count === MAX_BOXES) return null;
		const length = header.size === 0 ? size - at : header.size;
		if (at + length > size) return null;
		if (header.type === "mdat") hasData ||= length > header.headerBytes;
		if (header.type === "moov") {
			if (movie !== null || length > MAX_MOOV_BYTES) return null;
			const bytes = await readAt(file, at, length);
			if (bytes.length < length) return null;
			movie = parseMovie(bytes, { type: "moov", start: 0, body: header.headerBytes, end: length });
		}
		at += length;
	}
	const video = movie?.tracks.find((track) => track.handler === "vide" && canBePlayed(track.listed, size));
	if (movie === null || movie === undefined || video === undefined || !hasData) return null;
	return {
		contentType: "video/mp4",
		index: null,
		durationSeconds: video.duration > 0 ? video.duration / video.timescale : movie.duration / movie.timescale,
		width: video.width || null,
		height: video.height || null,
	};
}
