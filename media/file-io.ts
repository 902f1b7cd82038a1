/** Complete reads and writes at a position in a file: a single system call may transfer fewer bytes. */
import type { FileHandle } from "node:fs/promises";

/** A source for parsers, such as a `FileHandle`. */
export interface ReadableAt {
	read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/** A source for answers: an open file, or an object that reads like one. */
export interface ReadableFile extends ReadableAt {
	close(): Promise<void>;
	/** Call before an answer begins, with where it begins: throws if nothing can be read there. */
	prepare?(position: number): Promise<void>;
}

/** Reads `length` bytes at `at`; fewer if the file ends before. */
export async function readAt(file: ReadableAt, at: number, length: number): Promise<Buffer> {
	const bytes = Buffer.allocUnsafe(length);
	let filled = 0;
	while (filled < length) {
		const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

/** Writes all of `bytes` at `at`. @returns their number. */
export async function writeAt(file: FileHandle, at: number, bytes: Buffer): Promise<number> {
	let written = 0;
	while (written < bytes.length) {
		written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
	}
	return written;
}
