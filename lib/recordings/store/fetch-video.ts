/** Copies videos from the bucket to files. */
import { open } from "node:fs/promises";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { Bucket } from "#lib/s3/bucket.ts";
import { ObjectFile } from "#lib/s3/object-file.ts";

const COPY_BYTES = 2 ** 20;
/** Parts of one video sent, copied or fetched at once. */
const PARTS_AT_ONCE = 4;

export type StoredVideo = Pick<RecordingRow, "bytes" | "downloadBytes" | "objectHeaderBytes"> & { objectKey: string };

/**
 * Writes a stored video's own bytes, without its header, to a new file.
 * @param onBytes gets the bytes in order.
 * @returns how many they are.
 */
export async function fetchVideo(
	bucket: Bucket,
	{ objectKey, objectHeaderBytes, downloadBytes, bytes }: StoredVideo,
	path: string,
	onBytes: (bytes: Buffer) => void = () => undefined,
): Promise<number> {
	const handle = await open(path, "wx", 0o600);
	try {
		const file = new ObjectFile(bucket, objectKey, downloadBytes ?? bytes, objectHeaderBytes ?? 0);
		await copyObject(file, (bytes, at) => {
			onBytes(bytes);
			return handle.write(bytes, 0, bytes.length, at);
		});
		await handle.sync();
		return file.size;
	} finally {
		await handle.close();
	}
}

/** Writes what an object contains, in order. */
export async function copyObject(
	file: ObjectFile,
	write: (bytes: Buffer, at: number) => Promise<unknown>,
): Promise<void> {
	const buffer = Buffer.allocUnsafe(COPY_BYTES);
	for (let at = 0; at < file.size; ) {
		const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
		await write(buffer.subarray(0, bytesRead), at);
		at += bytesRead;
	}
}

/** Runs `work` for each item, a few at once, and returns the results in order. */
export async function inParallel<T, R>(
	items: readonly T[],
	work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < items.length; index = next++) {
			results[index] = await work(items[index] as T, index);
		}
	};
	await Promise.all(Array.from({ length: Math.min(PARTS_AT_ONCE, items.length) }, worker));
	return results;
}
