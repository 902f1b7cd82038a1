/** The tus file store of recordings: every chunk is in the index, and told to watchers, as soon as it is written. */
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import { ERRORS, type Upload } from "@tus/server";
import type { WaitsFor } from "../contract/storage.ts";
import type { GrowingVideo } from "../media/growing-video.ts";
import { writeAt } from "../media/write-at.ts";
import { type DiskRoom, isDiskFull } from "./disk-room.ts";
import { isQuotaExceeded, type TakeRoom } from "./organization-room.ts";
import type { RecordingProgress } from "./upload/record-progress.ts";
import { jobIdOfUpload } from "./upload/owner.ts";
import type { UploadRecords } from "./upload-records.ts";
import type { VideoShelf } from "./playback/video-files.ts";

export const NO_ROOM = {
	status_code: 507,
	body: "There is no room left on the dashboard's disk. Go on with the upload when there is.\n",
};

export interface UploadStoreHooks {
	/** The progress of an upload's recording. */
	progressOf(uploadId: string): Promise<RecordingProgress>;
	/** What is known of an upload is about to be told, under its lock. */
	asked(uploadId: string): Promise<void>;
	/** Holds room in the organization for an upload of so many bytes. */
	holdRoom(uploadId: string, bytes: number): Promise<void>;
	/** What counts an upload's pieces in the organization. */
	roomTaker(uploadId: string): Promise<TakeRoom>;
	/** There is no room for an upload's bytes: on the disk, or in what the organization may have. */
	waits(uploadId: string, waitsFor: WaitsFor): Promise<void>;
	/** An upload's first bytes of a request are stored. */
	goesOn(uploadId: string): Promise<void>;
	/** An upload goes, with everything of it. */
	removed(uploadId: string): Promise<void>;
	/** Whether there is a row of its recording, as there is from its first byte on. */
	hasRecording(uploadId: string): Promise<boolean>;
}

export class UploadStore extends FileStore {
	#shelf: VideoShelf;
	#hooks: UploadStoreHooks;
	#room: DiskRoom;

	constructor(shelf: VideoShelf, records: UploadRecords, room: DiskRoom, hooks: UploadStoreHooks) {
		super({ directory: shelf.dir, configstore: records });
		this.#shelf = shelf;
		this.#hooks = hooks;
		this.#room = room;
		// No expiration: it counts from creation and would end long recordings.
		this.extensions = ["creation", "creation-with-upload", "creation-defer-length", "termination"];
	}

	override async create(upload: Upload): Promise<Upload> {
		// The same job's upload may be begun anew only while it is empty. Looked at here, under the upload's lock.
		if ((await sizeOf(this.#shelf.pathOf(upload.id))) > 0) {
			// A database restored from a backup gives numbers of jobs again; the folder of videos may be newer than it.
			if (!(await this.#hooks.hasRecording(upload.id))) await this.#shelf.remove(upload.id);
			else
				throw {
					status_code: 409,
					body: "This job's upload has bytes already. Ask for its offset with HEAD and go on.\n",
				};
		}
		this.#shelf.forget(upload.id);
		return this.#ifRoom(upload.id, async () => {
			// What a runner has goes up as far as it can. Anyone else's half of a file would hold the room for a day.
			if (jobIdOfUpload(upload.id) !== null || upload.size === undefined) {
				await this.#room.take(0);
				return super.create(upload);
			}
			await this.#room.assertFits(upload.size);
			await this.#hooks.holdRoom(upload.id, upload.size);
			try {
				return await super.create(upload);
			} catch (error) {
				await this.#hooks.removed(upload.id);
				throw error;
			}
		});
	}

	override async getUpload(uploadId: string): Promise<Upload> {
		await this.#hooks.asked(uploadId);
		return super.getUpload(uploadId);
	}

	override async write(readable: Readable, uploadId: string, offset: number): Promise<number> {
		const handle = await open(this.#shelf.pathOf(uploadId), "r+");
		try {
			return await this.#ifRoom(uploadId, () =>
				this.#shelf.use(uploadId, true, (video) => this.#write(readable, uploadId, offset, handle, video)),
			);
		} finally {
			await handle.close();
		}
	}

	async #ifRoom<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (isDiskFull(error)) {
				await this.#hooks.waits(uploadId, "disk");
				throw NO_ROOM;
			}
			if (!isQuotaExceeded(error)) throw error;
			await this.#hooks.waits(uploadId, "quota");
			throw { status_code: 507, body: `${(error as Error).message}\n` };
		}
	}

	async #write(readable: Readable, uploadId: string, offset: number, handle: FileHandle, video: GrowingVideo) {
		let at = offset;
		let progress: RecordingProgress | null = null;
		const takeRoom = await this.#hooks.roomTaker(uploadId);
		for await (const chunk of readable as AsyncIterable<Buffer>) {
			await this.#room.take(chunk.length);
			await takeRoom({ end: at + chunk.length, bytes: chunk.length });
			at += await writeAt(handle, at, chunk);
			if (progress === null) {
				video.reopen();
				await video.grew(handle, at);
				progress = await this.#hooks.progressOf(uploadId);
				await progress.began(video);
				await this.#hooks.goesOn(uploadId);
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

async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
		throw error;
	}
}
