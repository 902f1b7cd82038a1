/** Paths of the video files, and indexes of those in use. */
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { GrowingVideo } from "@tapedeck/media/growing-video.ts";

/**
 * File endings in the videos folder. A video is named after its upload; beside it are its poster, its first frame, the
 * frames sent by its runner, frames extracted from it, the record of its upload, and a body that is not validated yet.
 */
const ENDINGS = {
	poster: ".jpg",
	firstFrame: ".first.jpg",
	storyboard: ".frames",
	stills: ".stills",
	record: ".json",
	unvalidated: ".part",
} as const;
const ENDING = Object.values(ENDINGS)
	.map((ending) => ending.replaceAll(".", "\\."))
	.join("|");
const OURS = new RegExp(`^(?:job-\\d{1,16}|[0-9a-f]{32})(?:(?:${ENDING})(?:\\.[0-9a-f]+)?(?:\\.new)?)?$`);

/** Whether a name is one of ours, also of a file being replaced. Nothing else in the folder is touched. */
export const isOurFile = (name: string): boolean => OURS.test(name);

const MAX_INDEXES = 400;
const MAX_INDEX_BYTES = 96 * 2 ** 20;

interface Entry {
	loading: Promise<GrowingVideo>;
	video: GrowingVideo | null;
	/** Number of users. It is kept while there are any. */
	users: number;
}

export class VideoFiles {
	readonly dir: string;
	/** Least recently used first. */
	#entries = new Map<string, Entry>();

	constructor(dir: string) {
		this.dir = dir;
	}

	pathOf(uploadId: string): string {
		return join(this.dir, uploadId);
	}

	posterPathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.poster;
	}

	/** Its first frame at full size, extracted on request. */
	firstFramePathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.firstFrame;
	}

	/** Frames that its runner sent during the recording (storyboard-file). */
	storyboardPathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.storyboard;
	}

	/** Frames extracted from it on request (storyboard-file). */
	stillsPathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.stills;
	}

	/** The upload's owner, length and metadata. */
	uploadRecordPathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.record;
	}

	/** A body that is not validated yet; after a crash, the sweep deletes it. */
	unvalidatedPathOf(uploadId: string): string {
		return this.pathOf(uploadId) + ENDINGS.unvalidated;
	}

	/**
	 * Runs `work` with a video and its index, which is built from the file if it isn't cached.
	 * @param live whether more bytes may follow.
	 * @throws ENOENT if the file doesn't exist.
	 */
	async use<T>(uploadId: string, live: boolean, work: (video: GrowingVideo) => Promise<T>): Promise<T> {
		const isNew = !this.#entries.has(uploadId);
		const entry = this.#entryOf(uploadId, live);
		entry.users += 1;
		try {
			return await work(await entry.loading);
		} finally {
			entry.users -= 1;
			if (isNew) this.#evict();
		}
	}

	/** A video if it is in use; never loads one. */
	peek(uploadId: string): GrowingVideo | null {
		return this.#entries.get(uploadId)?.video ?? null;
	}

	/** Drops a video from the cache: its watchers end, and the next use reads the file again. */
	forget(uploadId: string): void {
		const entry = this.#entries.get(uploadId);
		this.#entries.delete(uploadId);
		entry?.video?.finish();
		if (entry?.video === null) entry.loading.then((video) => video.finish()).catch(() => undefined);
	}

	/** Deletes a video that is stored elsewhere; its pictures stay. */
	async removeVideo(uploadId: string): Promise<void> {
		this.forget(uploadId);
		await Promise.all([this.pathOf(uploadId), this.uploadRecordPathOf(uploadId)].map(unlinkIfExists));
	}

	/** Deletes a video and the files beside it. Missing files are no error. */
	async remove(uploadId: string): Promise<void> {
		this.forget(uploadId);
		const paths = [
			this.pathOf(uploadId),
			this.posterPathOf(uploadId),
			this.firstFramePathOf(uploadId),
			this.storyboardPathOf(uploadId),
			this.stillsPathOf(uploadId),
			this.uploadRecordPathOf(uploadId),
		];
		await Promise.all(paths.map(unlinkIfExists));
	}

	#entryOf(uploadId: string, live: boolean): Entry {
		const known = this.#entries.get(uploadId);
		const entry: Entry = known ?? { loading: this.#load(uploadId, live), video: null, users: 0 };
		if (known === undefined) {
			entry.loading.then(
				(video) => {
					entry.video = video;
				},
				() => {
					if (this.#entries.get(uploadId) === entry) this.#entries.delete(uploadId);
				},
			);
		}
		this.#entries.delete(uploadId);
		this.#entries.set(uploadId, entry);
		return entry;
	}

	async #load(uploadId: string, live: boolean): Promise<GrowingVideo> {
		const video = new GrowingVideo(this.pathOf(uploadId), !live);
		const handle = await open(video.path, "r");
		try {
			await video.grew(handle, (await handle.stat()).size);
		} finally {
			await handle.close();
		}
		return video;
	}

	#evict(): void {
		let bytes = 0;
		for (const { video } of this.#entries.values()) bytes += video?.index.allocatedBytes ?? 0;
		for (const [uploadId, { users, video }] of this.#entries) {
			if (this.#entries.size <= MAX_INDEXES && bytes <= MAX_INDEX_BYTES) return;
			if (users > 0 || video === null) continue;
			bytes -= video.index.allocatedBytes;
			this.#entries.delete(uploadId);
		}
	}
}

/** Node's `rm` with `force` reads each path's kind first. */
async function unlinkIfExists(path: string): Promise<void> {
	try {
		await unlink(path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
	}
}
