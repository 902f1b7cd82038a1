/** Local files that become recordings, checked before their first byte is sent. */
import { type FileType, HEAD_BYTES, typeOfBytes, typeOfFile } from "@tapedeck/contract/file-types.ts";

/**
 * The kind and type of a file from its first bytes, else from its name.
 * @returns null for a file that is named like a video and is none, which the server would refuse.
 * @throws if it cannot be read, for example because it is a folder.
 */
export async function readType(file: File): Promise<FileType | null> {
	const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
	const found = typeOfFile(file.name, head);
	return found.kind === "video" && typeOfBytes(head) === null ? null : found;
}
