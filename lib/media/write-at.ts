import type { FileHandle } from "node:fs/promises";

/** Writes all of `bytes` from `at` on. @returns how many they were. */
export async function writeAt(file: FileHandle, at: number, bytes: Buffer): Promise<number> {
	let written = 0;
	while (written < bytes.length) {
		written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
	}
	return written;
}
