/**
 * Kinds, media types and names of recordings made from files: by their first bytes, else by their names. Without zod, for pages.
 */
import { sanitizeName } from "./plain-text.ts";
import { MAX_NAME_LENGTH, type RecordingKind } from "./recording-kinds.ts";

/** Bytes of a file's beginning that are enough to know it. */
export const HEAD_BYTES = 4096;
const EBML = 0x1a45dfa3;

const IMAGES = [
	["\x89PNG\r\n\x1a\n", "image/png"],
	["\xff\xd8\xff", "image/jpeg"],
	["GIF87a", "image/gif"],
	["GIF89a", "image/gif"],
] as const;

const DOCUMENTS: Readonly<Record<string, string>> = {
	csv: "text/csv",
	htm: "text/html",
	html: "text/html",
	json: "application/json",
	log: "text/plain",
	md: "text/markdown",
	ndjson: "application/x-ndjson",
	pdf: "application/pdf",
	txt: "text/plain",
	xml: "application/xml",
	yaml: "application/yaml",
	yml: "application/yaml",
};
const OTHERS: Readonly<Record<string, string>> = {
	gz: "application/gzip",
	svg: "image/svg+xml",
	zip: "application/zip",
};
/** A file that is named like a video stays one, so that a broken video is a fault and not another file. */
const VIDEOS: Readonly<Record<string, string>> = { m4v: "video/mp4", mp4: "video/mp4", webm: "video/webm" };

export interface FileType {
	kind: RecordingKind;
	/** Its media type. */
	type: string;
}

const EXTENSION = /\.([a-z0-9]+)$/i;
/** docker-selenium's `<name>_<session>.mp4`, with the session ids of Chrome and Firefox. */
const OF_SESSION = /^(.*)_([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const WITHOUT_EXTENSION: readonly RecordingKind[] = ["video", "image"];

/**
 * The name of a recording made from a file: the file's name, for videos and images without its extension.
 * @returns also its labels: the grid session that a video's file is named after.
 */
export function nameOfFile(fileName: string, kind: RecordingKind): { name: string; labels: Record<string, string> } {
	const stem = WITHOUT_EXTENSION.includes(kind) ? fileName.replace(EXTENSION, "") : fileName;
	const [, test, session] = (kind === "video" && OF_SESSION.exec(stem)) || [];
	return {
		name: sanitizeName(test || session || stem, MAX_NAME_LENGTH) || "Upload",
		labels: session === undefined ? {} : { session },
	};
}

/** The media type of a file from its first bytes; null unless it is a video or an image that browsers show. */
export function typeOfBytes(head: Uint8Array): FileType | null {
	if (head.length < 12) return null;
	const text = new TextDecoder("latin1").decode(head);
	if (text.startsWith("ftyp", 4)) return { kind: "video", type: "video/mp4" };
	const first = new DataView(head.buffer, head.byteOffset).getUint32(0);
	if (first === EBML && text.includes("webm")) return { kind: "video", type: "video/webm" };
	if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return { kind: "image", type: "image/webp" };
	// Decoding as Latin-1 changes some of the bytes from 0x80 to 0x9f.
	const bytes = String.fromCharCode(...head.subarray(0, 8));
	const image = IMAGES.find(([magic]) => bytes.startsWith(magic));
	return image === undefined ? null : { kind: "image", type: image[1] };
}

/** @param head its first bytes, at least `HEAD_BYTES` unless it is shorter. */
export function typeOfFile(name: string, head: Uint8Array): FileType {
	const known = typeOfBytes(head);
	if (known !== null) return known;
	const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? "";
	const of = (types: Readonly<Record<string, string>>) =>
		Object.hasOwn(types, extension) ? types[extension] : undefined;
	const [video, document] = [of(VIDEOS), of(DOCUMENTS)];
	if (video !== undefined) return { kind: "video", type: video };
	if (document !== undefined) return { kind: "document", type: document };
	return { kind: "other", type: of(OTHERS) ?? "application/octet-stream" };
}
