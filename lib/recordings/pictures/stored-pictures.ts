/**
 * The pictures that a runner sent of a recording in the bucket: beside its video there, and copied to this disk when they
 * are first asked for.
 */
import { randomBytes } from "node:crypto";
import { access, rename, rm, writeFile } from "node:fs/promises";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";
import type { Bucket } from "#lib/s3/bucket.ts";
import { bucketOf } from "../playback/open-object.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import { posterKey, storyboardKey } from "../store/object-ledger.ts";
import { putPictures } from "../store/put-pictures.ts";

const MAX_BYTES = 256 * 2 ** 20;
const MAX_KNOWN_MISSING = 10_000;

type PictureRow = Pick<RecordingRow, "uploadId" | "objectKey">;

/** Fetches what this disk lacks, once. One per process. */
export class StoredPictures {
	readonly #missing = new Set<string>();
	readonly #fetching = new Map<string, Promise<void>>();

	/** Afterwards the poster is on this disk, if its runner sent one. */
	async fetchPoster(bucket: Bucket | null, files: VideoFiles, { uploadId, objectKey }: PictureRow): Promise<void> {
		if (objectKey !== null) await this.#fetch(bucket, posterKey(objectKey), files.posterPathOf(uploadId));
	}

	/** The same for its storyboard. */
	async fetchStoryboard(bucket: Bucket | null, files: VideoFiles, { uploadId, objectKey }: PictureRow): Promise<void> {
		if (objectKey !== null) await this.#fetch(bucket, storyboardKey(objectKey), files.storyboardPathOf(uploadId));
	}

	/** Stores the pictures on this disk in the bucket, too. */
	async store(bucket: Bucket | null, files: VideoFiles, { uploadId, objectKey }: PictureRow): Promise<void> {
		if (objectKey === null) return;
		await putPictures(bucketOf({ bucket }), files, { uploadId, objectKey });
		this.#missing.delete(posterKey(objectKey));
		this.#missing.delete(storyboardKey(objectKey));
	}

	async #fetch(bucket: Bucket | null, key: string, path: string): Promise<void> {
		if (this.#missing.has(key) || (await isThere(path))) return;
		const running = this.#fetching.get(key);
		if (running !== undefined) return running;
		const fetching = this.#copy(bucketOf({ bucket }), key, path).finally(() => this.#fetching.delete(key));
		this.#fetching.set(key, fetching);
		await fetching;
	}

	async #copy(bucket: Bucket, key: string, path: string): Promise<void> {
		const bytes = await bucket.readWhole(key, MAX_BYTES);
		if (bytes !== null) return replaceFile(path, bytes);
		if (this.#missing.size >= MAX_KNOWN_MISSING) this.#missing.clear();
		this.#missing.add(key);
	}
}

export const isThere = (path: string): Promise<boolean> =>
	access(path).then(
		() => true,
		() => false,
	);

/** Replaces a file atomically. */
export async function replaceFile(path: string, bytes: Buffer): Promise<void> {
	const fresh = `${path}.${randomBytes(4).toString("hex")}.new`;
	try {
		await writeFile(fresh, bytes, { mode: 0o600 });
		await rename(fresh, path);
	} finally {
		await rm(fresh, { force: true });
	}
}
