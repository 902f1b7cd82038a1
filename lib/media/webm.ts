/** Parses as much of a WebM (EBML, RFC 8794; Matroska, RFC 9559) as shows whether it is a video, and its dimensions. */
import { type ReadableAt, readAt } from "./file-io.ts";

const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const VIDEO = 0xe0;
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
const CLUSTER = 0x1f43b675;
const VIDEO_TRACK = 1;
const CODECS = /^V_(VP8|VP9|AV1)$/;

const HEADER_BYTES = 12;
const MAX_ELEMENT_BYTES = 2 ** 20;
const MAX_ELEMENTS = 1_000;

interface Element {
	id: number;
	body: number;
	/** Null if the element has unknown size. */
	end: number | null;
}

export interface WebmInfo {
	/** 0 if the file doesn't state it. */
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

/** The metadata of a WebM video; null if it isn't one, or has no data. */
export async function sniffWebm(file: ReadableAt, size: number): Promise<WebmInfo | null> {
	const opening = await readAt(file, 0, Math.min(size, 4_096));
	const header = elementAt(opening, 0);
	if (header?.id !== EBML || header.end === null || header.end > opening.length) return null;
	const docType = childOf(opening, header, DOC_TYPE);
	if (docType === null || text(opening, docType) !== "webm") return null;
	const segment = elementAt(await readAt(file, header.end, HEADER_BYTES), 0);
	if (segment?.id !== SEGMENT) return null;
	// A segment with a stated size must be complete; live recordings state none.
	if (segment.end !== null && header.end + segment.end > size) return null;
	return readSegment(file, size, header.end + segment.body);
}

async function readSegment(file: ReadableAt, size: number, start: number): Promise<WebmInfo | null> {
	let durationSeconds = 0;
	let video: { width: number | null; height: number | null } | null = null;
	let at = start;
	for (let count = 0; at < size && count < MAX_ELEMENTS; count += 1) {
		const element = elementAt(await readAt(file, at, HEADER_BYTES), 0);
		if (element === null) return null;
		// All metadata comes before the first cluster.
		if (element.id === CLUSTER) {
			const isCut = at + (element.end ?? element.body + 1) > size;
			return video === null || isCut ? null : { durationSeconds, ...video };
		}
		if (element.end === null || at + element.end > size) return null;
		if (element.id === INFO || element.id === TRACKS) {
			if (element.end > MAX_ELEMENT_BYTES) return null;
			const bytes = await readAt(file, at, element.end);
			if (bytes.length < element.end) return null;
			if (element.id === INFO) durationSeconds = duration(bytes, element);
			else video = videoTrack(bytes, element);
		}
		at += element.end;
	}
	return null;
}

function duration(bytes: Buffer, info: Element): number {
	const scale = childOf(bytes, info, TIMESTAMP_SCALE);
	const length = childOf(bytes, info, DURATION);
	if (length?.end == null) return 0;
	const width = length.end - length.body;
	const ticks = width === 8 ? bytes.readDoubleBE(length.body) : width === 4 ? bytes.readFloatBE(length.body) : 0;
	const seconds = (ticks * (scale === null ? 1_000_000 : unsigned(bytes, scale))) / 1e9;
	return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

function videoTrack(bytes: Buffer, tracks: Element): { width: number | null; height: number | null } | null {
	for (const entry of childrenOf(bytes, tracks)) {
		if (entry.id !== TRACK_ENTRY) continue;
		const type = childOf(bytes, entry, TRACK_TYPE);
		const codec = childOf(bytes, entry, CODEC_ID);
		if (type === null || unsigned(bytes, type) !== VIDEO_TRACK) continue;
		if (codec === null || !CODECS.test(text(bytes, codec))) continue;
		const video = childOf(bytes, entry, VIDEO);
		const pixels = (id: number): number | null => {
			const element = video === null ? null : childOf(bytes, video, id);
			const value = element === null ? 0 : unsigned(bytes, element);
			return value > 0 && value < 65_536 ? value : null;
		};
		return { width: pixels(PIXEL_WIDTH), height: pixels(PIXEL_HEIGHT) };
	}
	return null;
}

function* childrenOf(bytes: Buffer, parent: Element): Generator<Element> {
	const end = parent.end ?? bytes.length;
	let at = parent.body;
	while (at < end) {
		const element = elementAt(bytes, at);
		if (element?.end == null || element.end > end) return;
		yield element;
		at = element.end;
	}
}

function childOf(bytes: Buffer, parent: Element, id: number): Element | null {
	for (const element of childrenOf(bytes, parent)) if (element.id === id) return element;
	return null;
}

/** The element that begins at `at`: an id of 1 to 4 bytes, a size of 1 to 8. */
function elementAt(bytes: Buffer, at: number): Element | null {
	const idBytes = leadingZeros(bytes[at]) + 1;
	if (idBytes > 4 || at + idBytes >= bytes.length) return null;
	const id = bytes.readUIntBE(at, idBytes);
	const sizeAt = at + idBytes;
	const sizeBytes = leadingZeros(bytes[sizeAt]) + 1;
	const body = sizeAt + sizeBytes;
	if (sizeBytes > 8 || body > bytes.length) return null;
	let value = (bytes[sizeAt] as number) & (0xff >>> sizeBytes);
	let unknown = value === 0xff >>> sizeBytes;
	for (let place = sizeAt + 1; place < body; place += 1) {
		value = value * 256 + (bytes[place] as number);
		unknown &&= bytes[place] === 0xff;
	}
	if (!unknown && value > Number.MAX_SAFE_INTEGER - body) return null;
	return { id, body, end: unknown ? null : body + value };
}

const leadingZeros = (byte: number | undefined): number => (byte === undefined ? 8 : Math.clz32(byte) - 24);

const text = (bytes: Buffer, element: Element): string =>
	bytes.toString("latin1", element.body, element.end ?? element.body).replace(/\0+$/, "");

function unsigned(bytes: Buffer, element: Element): number {
	const width = (element.end ?? element.body) - element.body;
	return width > 0 && width <= 6 ? bytes.readUIntBE(element.body, width) : 0;
}
