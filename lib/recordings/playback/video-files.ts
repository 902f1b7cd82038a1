/** Where the videos lie, and the indexes of those in use. One a process: every part must see the same growth. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { GrowingVideo } from "../../media/growing-video.ts";

const MAX_INDEXES = 400;
const MAX_INDEX_BYTES = 96 * 2 ** 20;

interface Entry {
	loading: Promise<GrowingVideo>;
	video: GrowingVideo | null;
	/** How many use it right now; it stays as long as there is one. */
	users: number;
}

export class VideoShelf {
	readonly dir: string;
	/** In order of use, the least recent first. */
	#entries = new Map<string, Entry>();

	constructor(dir: string) {
		this.dir = dir;
	}

	pathOf(uploadId: string): string {
		return join(this.dir, uploadId);
	}

	posterPathOf(uploadId: string): string {
		return join(this.dir, `${uploadId}.jpg`);
	}

	/** Beside the file: its first frame in full size, made when someone asked. */
	firstFramePathOf(uploadId: string): string {
		return join(this.dir, `${uploadId}.first.jpg`);
	}

	/** Beside the file: the pictures that its runner sent while it was made (frame-file). */
	storyboardPathOf(uploadId: string): string {
		return join(this.dir, `${uploadId}.frames`);
	}

	/** Beside the file: pictures that were made of it when someone asked (frame-file). */
	stillsPathOf(uploadId: string): string {
		return join(this.dir, `${uploadId}.stills`);
	}

	/** Beside the file: who made the upload, and how long it will be. */
	uploadRecordPathOf(uploadId: string): string {
		return join(this.dir, `${uploadId}.json`);
	}

	/**
	 * Runs `work` with a video and its index, which is built from the file when nobody used it lately.
	 * @param live more bytes may come.
	 * @throws ENOENT when the file is not there.
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

	/** The video as far as it is in use; never loads one. */
	peek(uploadId: string): GrowingVideo | null {
		return this.#entries.get(uploadId)?.video ?? null;
	}

	/** Lets go of a video: watchers end, the next use reads the file anew. */
	forget(uploadId: string): void {
		const entry = this.#entries.get(uploadId);
		this.#entries.delete(uploadId);
		entry?.video?.finish();
		if (entry?.video === null) entry.loading.then((video) => video.finish()).catch(() => undefined);
	}

	/** Removes a video and what lies beside it. What is gone already is no error. */
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
		await Promise.all(paths.map((path) => rm(path, { force: true })));
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

const slot = globalThis as typeof globalThis & { tapedeckShelves?: Map<string, VideoShelf> };

/** The shelf of a folder: the same one for both doors of the process. */
export function shelfOf(ctx: { videosDir: string }): VideoShelf {
	slot.tapedeckShelves ??= new Map();
	let shelf = slot.tapedeckShelves.get(ctx.videosDir);
	if (shelf === undefined) {
		shelf = new VideoShelf(ctx.videosDir);
		slot.tapedeckShelves.set(ctx.videosDir, shelf);
	}
	return shelf;
}
