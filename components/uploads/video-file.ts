/** Whether a local file can become a recording, checked before its first byte is sent. */
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import type { VideoType } from "@tapedeck/contract/recording.ts";

const HEAD_BYTES = 4096;
const EBML = 0x1a45dfa3;

/** The name of a recording made from a file: the file's name without its extension. */
export const nameOfFile = (fileName: string): string => sanitizeName(fileName.replace(/\.[^.]+$/, ""), 200) || "Upload";

/**
 * The type of a file from its first bytes; its name and reported type are not trusted.
 * @returns null if the server would refuse the file.
 * @throws if it cannot be read, for example because it is a folder.
 */
export async function videoTypeOf(file: Blob): Promise<VideoType | null> {
	const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
	if (bytes.byteLength < 12) return null;
	const text = new TextDecoder("latin1").decode(bytes);
	if (text.startsWith("ftyp", 4)) return "video/mp4";
	return new DataView(bytes).getUint32(0) === EBML && text.includes("webm") ? "video/webm" : null;
}
