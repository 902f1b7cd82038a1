/**
 * Recognizes WebM and Matroska by the headers of their EBML (RFC 8794, RFC 9559). What a WebM contains, ffprobe says
 * (lib/recordings/upload/probe-webm.ts).
 */
import { type ReadableAt, readAt } from "./file-io.ts";

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const ID_BYTES = 4;
/** The headers of both elements are much shorter. */
const OPENING_BYTES = 4_096;

/**
 * @returns null unless the file begins as either of them. `isComplete`: its segment ends within the file; that of a live
 *   recording, such as MediaRecorder's, states no size and is always complete.
 */
export async function readEbml(
	file: ReadableAt,
	size: number,
): Promise<{ type: "webm" | "matroska"; isComplete: boolean } | null> {
	const bytes = await readAt(file, 0, Math.min(size, OPENING_BYTES));
	if (bytes.length < ID_BYTES || bytes.readUInt32BE(0) !== EBML) return null;
	const header = contentAt(bytes, ID_BYTES);
	if (header === null || header.end > bytes.length - ID_BYTES) return null;
	const type = bytes.subarray(header.start, header.end).includes("webm") ? "webm" : "matroska";
	const segment = bytes.readUInt32BE(header.end) === SEGMENT ? contentAt(bytes, header.end + ID_BYTES) : null;
	return { type, isComplete: segment !== null && (segment.end <= size || segment.end === Number.POSITIVE_INFINITY) };
}

/** The start and the end of an element's content, by its size at `at`; the end is infinite if that is unknown. */
function contentAt(bytes: Buffer, at: number): { start: number; end: number } | null {
	// The number of leading zeros says how many bytes follow the first one.
	const width = Math.clz32(bytes[at] ?? 0) - 23;
	if (width > 8 || at + width > bytes.length) return null;
	const [first = 0, ...rest] = bytes.subarray(at, at + width);
	const size = rest.reduce((value, byte) => value * 256 + byte, first & (0xff >>> width));
	const start = at + width;
	return { start, end: size === 2 ** (7 * width) - 1 ? Number.POSITIVE_INFINITY : start + size };
}
