/** Bytes to serve: a head from memory, then the beginning of an open file. */
import type { Writable } from "node:stream";
import type { ReadableFile } from "./file-io.ts";

const CHUNK_BYTES = 512 * 1024;

export interface ByteSource {
	/** Comes before the file's bytes; empty for an unchanged file. */
	head: Buffer;
	/** Number of bytes to serve, from the file's beginning. */
	fileBytes: number;
	handle: ReadableFile;
}

export const sourceLength = (source: Pick<ByteSource, "head" | "fileBytes">): number =>
	source.head.length + source.fileBytes;

/**
 * Writes `[start, end)` of a source to `target`, with backpressure. The file handle stays open.
 * @returns false if the target closed or the file was shorter than expected: then the output is incomplete.
 */
export async function writeBytes(source: ByteSource, start: number, end: number, target: Writable): Promise<boolean> {
	const headEnd = Math.min(end, source.head.length);
	if (start < headEnd && !(await writeChunk(target, source.head.subarray(start, headEnd)))) return false;
	const from = Math.max(0, start - source.head.length);
	return copyFile(source.handle, from, end - source.head.length, target);
}

/**
 * Writes `[start, end)` of a file to `target`; returns false like writeBytes. Two buffers alternate, so that one is read
 * while the other is sent. They are reused, because a fresh buffer of this size is mapped and faulted in every time.
 */
export async function copyFile(handle: ReadableFile, start: number, end: number, target: Writable): Promise<boolean> {
	if (start >= end) return true;
	const length = Math.min(CHUNK_BYTES, end - start);
	const turns = [0, 1].map(() => ({ buffer: Buffer.allocUnsafeSlow(length), written: Promise.resolve(true) }));
	const closed = Promise.withResolvers<false>();
	const onClose = () => closed.resolve(false);
	target.once("close", onClose);
	try {
		let at = start;
		for (let index = 0; at < end; index += 1) {
			const turn = turns[index % 2] as (typeof turns)[number];
			if (!(await turn.written) || target.destroyed) return false;
			const { bytesRead } = await handle.read(turn.buffer, 0, Math.min(length, end - at), at);
			if (bytesRead === 0) return false;
			at += bytesRead;
			turn.written = Promise.race([closed.promise, flushed(target, turn.buffer.subarray(0, bytesRead))]);
		}
		return (await Promise.all(turns.map((turn) => turn.written))).every(Boolean);
	} finally {
		target.off("close", onClose);
	}
}

/** Resolves when the target has passed the chunk on and its memory may be reused; false if it could not. */
const flushed = (target: Writable, chunk: Buffer): Promise<boolean> =>
	new Promise((resolve) => {
		target.write(chunk, (error) => resolve(error === null || error === undefined));
	});

/** Writes, and waits until the target accepts more; false if it is closed. */
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
