/** The tus file store of recordings: every chunk is in the index, and told to watchers, as soon as it is written. */
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import { ERRORS, type Upload } from "@tus/server";
import type { GrowingVideo } from "../media/growing-video.ts";
import type { RecordingProgress } from "./record-progress.ts";
import type { UploadRecords } from "./upload-records.ts";
import type { VideoShelf } from "./video-shelf.ts";

export const NO_ROOM = { status_code: 507, body: "There is no room left on the dashboard's disk.\n" };

export interface UploadStoreHooks {
	/** The progress of an upload's recording. */
	progressOf(uploadId: string): Promise<RecordingProgress>;
	/** An upload goes, with everything of it. */
	removed(uploadId: string): Promise<void>;
}

export class UploadStore extends FileStore {
	#shelf: VideoShelf;
	#hooks: UploadStoreHooks;

	constructor(shelf: VideoShelf, records: UploadRecords, hooks: UploadStoreHooks) {
		super({ directory: shelf.dir, configstore: records });
		this.#shelf = shelf;
		this.#hooks = hooks;
		// No expiration: it counts from creation and would end long recordings.
		this.extensions = ["creation", "creation-with-upload", "creation-defer-length", "termination"];
	}

	override async create(upload: Upload): Promise<Upload> {
		// The same job's upload may be begun anew only while it is empty. Looked at here, under the upload's lock.
		if ((await sizeOf(this.#shelf.pathOf(upload.id))) > 0) {
			throw {
				status_code: 409,
				body: "This job's upload has bytes already. Ask for its offset with HEAD and go on.\n",
			};
		}
		this.#shelf.forget(upload.id);
		return super.create(upload);
	}

	override async write(readable: Readable, uploadId: string, offset: number): Promise<number> {
		const handle = await open(this.#shelf.pathOf(uploadId), "r+");
		try {
			return await this.#shelf.use(uploadId, true, (video) => this.#write(readable, uploadId, offset, handle, video));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw NO_ROOM;
			throw error;
		} finally {
			await handle.close();
		}
	}

	async #write(readable: Readable, uploadId: string, offset: number, handle: FileHandle, video: GrowingVideo) {
		let at = offset;
		let progress: RecordingProgress | null = null;
		for await (const chunk of readable as AsyncIterable<Buffer>) {
			at += await writeAll(handle, chunk, at);
			if (progress === null) {
				video.reopen();
				await video.grew(handle, at);
				progress = await this.#hooks.progressOf(uploadId);
				await progress.began(video);
			} else await video.grew(handle, at);
			progress.grew(video);
		}
		return at;
	}

	override async remove(uploadId: string): Promise<void> {
		if ((await this.configstore.get(uploadId)) === undefined) throw ERRORS.FILE_NOT_FOUND;
		await this.#hooks.removed(uploadId);
	}
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number): Promise<number> {
	let written = 0;
	while (written < chunk.length) {
		const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position + written);
		written += bytesWritten;
	}
	return written;
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
		throw error;
	}
}
