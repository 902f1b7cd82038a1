/**
 * Parses as much of a WebM (RFC 9559) as shows whether it is a video, its dimensions and its length. Live recordings,
 * such as those of MediaRecorder, do not state their length: it is then measured.
 */
import {
	childOf,
	childrenOf,
	ELEMENT_HEADER_BYTES,
	type Element,
	elementAt,
	floatOf,
	textOf,
	unsignedOf,
} from "./ebml.ts";
import { type ReadableAt, readAt } from "./file-io.ts";
import { measureWebm, type WebmTracks } from "./webm-length.ts";

const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const DEFAULT_DURATION = 0x23e383;
const CODEC_ID = 0x86;
const VIDEO = 0xe0;
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
const CLUSTER = 0x1f43b675;
const VIDEO_TRACK = 1;
const AUDIO_TRACK = 2;
const CODECS = /^V_(VP8|VP9|AV1)$/;

const MAX_ELEMENT_BYTES = 2 ** 20;
const MAX_ELEMENTS = 1_000;
/** A tick is a millisecond. */
const DEFAULT_SCALE = 1_000_000;

export interface WebmInfo {
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/** `webm` or `matroska`; null if it is neither. */
export async function ebmlDocType(file: ReadableAt, size: number): Promise<string | null> {
	return (await openingOf(file, size))?.docType ?? null;
}

async function openingOf(file: ReadableAt, size: number): Promise<{ docType: string; end: number } | null> {
	const opening = await readAt(file, 0, Math.min(size, 4_096));
	const header = elementAt(opening, 0);
	if (header?.id !== EBML || header.end === null || header.end > opening.length) return null;
	const docType = childOf(opening, header, DOC_TYPE);
	return { docType: docType === null ? "matroska" : textOf(opening, docType), end: header.end };
}

/** The metadata of a WebM video; null if it isn't one, or has no data. */
export async function sniffWebm(file: ReadableAt, size: number): Promise<WebmInfo | null> {
	const opening = await openingOf(file, size);
	if (opening?.docType !== "webm") return null;
	const segment = elementAt(await readAt(file, opening.end, ELEMENT_HEADER_BYTES), 0);
	if (segment?.id !== SEGMENT) return null;
	const end = segment.end === null ? size : opening.end + segment.end;
	// A segment with a stated size must be complete; live recordings state none.
	return end > size ? null : readSegment(file, opening.end + segment.body, end);
}

async function readSegment(file: ReadableAt, start: number, end: number): Promise<WebmInfo | null> {
	let info = { scale: DEFAULT_SCALE, seconds: 0 };
	let found: { width: number | null; height: number | null; tracks: WebmTracks } | null = null;
	let at = start;
	for (let count = 0; at < end && count < MAX_ELEMENTS; count += 1) {
		const element = elementAt(await readAt(file, at, ELEMENT_HEADER_BYTES), 0);
		if (element === null) return null;
		// All metadata comes before the first cluster.
		if (element.id === CLUSTER) {
			if (found === null) return null;
			const { tracks, ...size } = found;
			const durationSeconds = info.seconds || (await measureWebm(file, { start: at, end, scale: info.scale, tracks }));
			return durationSeconds > 0 ? { durationSeconds, ...size } : null;
		}
		if (element.end === null || at + element.end > end) return null;
		if (element.id === INFO || element.id === TRACKS) {
			if (element.end > MAX_ELEMENT_BYTES) return null;
			const bytes = await readAt(file, at, element.end);
			if (bytes.length < element.end) return null;
			if (element.id === INFO) info = infoIn(bytes, element);
			else found = tracksIn(bytes, element);
		}
		at += element.end;
	}
	return null;
}

function infoIn(bytes: Buffer, info: Element): { scale: number; seconds: number } {
	const scaleElement = childOf(bytes, info, TIMESTAMP_SCALE);
	const scale = (scaleElement === null ? 0 : unsignedOf(bytes, scaleElement)) || DEFAULT_SCALE;
	const length = childOf(bytes, info, DURATION);
	const seconds = length === null ? 0 : (floatOf(bytes, length) * scale) / 1e9;
	return { scale, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : 0 };
}

/** The video track, and what is needed of all tracks to measure them; null without a video that browsers play. */
function tracksIn(bytes: Buffer, parent: Element) {
	const tracks: WebmTracks = new Map();
	let size: { width: number | null; height: number | null } | null = null;
	for (const entry of childrenOf(bytes, parent)) {
		if (entry.id !== TRACK_ENTRY) continue;
		const child = (id: number): Element | null => childOf(bytes, entry, id);
		const numberOf = (element: Element | null): number => (element === null ? 0 : unsignedOf(bytes, element));
		const type = numberOf(child(TRACK_TYPE));
		if (type !== VIDEO_TRACK && type !== AUDIO_TRACK) continue;
		tracks.set(numberOf(child(TRACK_NUMBER)), { frameNs: numberOf(child(DEFAULT_DURATION)) });
		const codec = child(CODEC_ID);
		if (type !== VIDEO_TRACK || size !== null || codec === null || !CODECS.test(textOf(bytes, codec))) continue;
		const video = child(VIDEO);
		const pixels = (id: number): number | null => {
			const value = video === null ? 0 : numberOf(childOf(bytes, video, id));
			return value > 0 && value < 65_536 ? value : null;
		};
		size = { width: pixels(PIXEL_WIDTH), height: pixels(PIXEL_HEIGHT) };
	}
	return size === null ? null : { ...size, tracks };
}
