/** Whether a file of the reader's disk can become a recording, looked at before its first byte is sent. */
import { fittingName } from "../contract/plain-text.ts";
import type { VideoType } from "../contract/recording.ts";

const HEAD_BYTES = 4096;
const EBML = 0x1a45dfa3;

/** The name of a recording that is made from a file: the file's, without its ending. */
export const nameOfFile = (fileName: string): string => fittingName(fileName.replace(/\.[^.]+$/, ""), 200) || "Upload";

/**
 * What a file is by its first bytes; its name and what the system takes it for say nothing.
 * @returns null for what the server would refuse in the end
 * @throws when it cannot be read, as a folder
 */
export async function videoTypeOf(file: Blob): Promise<VideoType | null> {
	const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
	if (bytes.byteLength < 12) return null;
	const text = new TextDecoder("latin1").decode(bytes);
	if (text.startsWith("ftyp", 4)) return "video/mp4";
	return new DataView(bytes).getUint32(0) === EBML && text.includes("webm") ? "video/webm" : null;
}
