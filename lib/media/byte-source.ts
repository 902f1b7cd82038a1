/** Bytes to serve: some from memory, then a stretch of an open file. */
import type { FileHandle } from "node:fs/promises";
import type { Writable } from "node:stream";

const CHUNK_BYTES = 256 * 1024;

export interface ByteSource {
	/** What comes before the file's bytes; empty for a file as it is. */
	head: Buffer;
	/** Number of the file's bytes, from its beginning. */
	fileBytes: number;
	handle: FileHandle;
}

export const sourceLength = (source: ByteSource): number => source.head.length + source.fileBytes;

/**
 * Writes `[start, end)` of a source to `target`, as fast as the target takes it. The file handle stays open.
 * @returns false when the target went away or the file was shorter than it said: then what was promised is not there.
 */
export async function writeBytes(source: ByteSource, start: number, end: number, target: Writable): Promise<boolean> {
	const headEnd = Math.min(end, source.head.length);
	if (start < headEnd && !(await writeChunk(target, source.head.subarray(start, headEnd)))) return false;
	const from = Math.max(0, start - source.head.length);
	return copyFile(source.handle, from, end - source.head.length, target);
}

/** Writes `[start, end)` of a file to `target`; false as for writeBytes. */
export async function copyFile(handle: FileHandle, start: number, end: number, target: Writable): Promise<boolean> {
	let at = start;
	// The next stretch is read while the last one is on its way.
	let reading = at < end ? readChunk(handle, at, end) : null;
	try {
		while (reading !== null) {
			const chunk = await reading;
			reading = null;
			if (chunk.length === 0) return false;
			at += chunk.length;
			if (at < end && !target.destroyed) reading = readChunk(handle, at, end);
			if (!(await writeChunk(target, chunk))) return false;
		}
		return at >= end;
	} finally {
		// A read that nobody waits for must be over before the handle is closed.
		await reading?.catch(() => undefined);
	}
}

async function readChunk(handle: FileHandle, start: number, end: number): Promise<Buffer> {
	const bytes = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, end - start));
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
	return bytes.subarray(0, bytesRead);
}

/** Writes and waits until the target wants more; false when it is gone. */
export function writeChunk(target: Writable, chunk: Buffer): boolean | Promise<boolean> {
	if (target.destroyed) return false;
	if (target.write(chunk)) return true;
	return new Promise((resolve) => {
		const settle = () => {
			target.off("drain", settle);
			target.off("close", settle);
			resolve(!target.destroyed);
		};
		target.on("drain", settle);
		target.on("close", settle);
	});
}
