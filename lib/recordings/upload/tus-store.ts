/** The tus store of recordings: every chunk is indexed and published to live viewers as soon as it is written. */
import { type FileHandle, open, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { GrowingVideo } from "#lib/media/growing-video.ts";
import { jobIdOfUpload } from "./owner.ts";
import type { UploadSession } from "./upload-session.ts";

export class UploadStore extends DataStore {
	readonly #session: UploadSession;
	readonly #finishesLate: boolean;

	/** @param options.finishesLate whether the request asks for the offset. */
	constructor(session: UploadSession, options: { finishesLate: boolean }) {
		super();
		this.#session = session;
		this.#finishesLate = options.finishesLate;
		// No expiration: it counts from the creation and would end long recordings.
		this.extensions = ["creation", "creation-with-upload", "creation-defer-length", "termination"];
	}

	override async create(upload: Upload): Promise<Upload> {
		try {
			return await this.#create(upload);
		} catch (error) {
			await this.#session.endClaim(upload.id);
			throw error;
		}
	}

	async #create(upload: Upload): Promise<Upload> {
		const { files } = this.#session;
		const path = files.pathOf(upload.id);
		// A job's upload may be created again only while it is empty. Checked here, where the upload is locked.
		if (((await this.#session.storedBytes(upload.id)) ?? 0) > 0) {
			// After a database restore, job ids are assigned again, and the videos folder may be newer than the database.
			if ((await this.#session.recordingOf(upload.id)) === undefined) await this.#session.removeForgotten(upload.id);
			else {
				throw {
					status_code: 409,
					body: "This job's upload already has bytes. Get its offset with HEAD and continue there.\n",
				};
			}
		}
		files.forget(upload.id);
		return this.#session.withSpace(upload.id, async () => {
			await this.#session.reserve(upload);
			try {
				await writeFile(path, "");
				await this.#session.keepRecord(upload);
				return upload;
			} catch (error) {
				if (jobIdOfUpload(upload.id) === null) await this.#session.remove(upload.id);
				throw error;
			}
		});
	}

	override async getUpload(uploadId: string): Promise<Upload> {
		if (this.#finishesLate) await this.#session.finishLate(uploadId);
		const record = await this.#session.record(uploadId);
		if (record === undefined) throw ERRORS.FILE_NOT_FOUND;
		const offset = await this.#session.storedBytes(uploadId);
		if (offset === null) throw ERRORS.FILE_NO_LONGER_EXISTS;
		return new Upload({ ...record, offset });
	}

	override async declareUploadLength(uploadId: string, size: number): Promise<void> {
		const record = await this.#session.record(uploadId);
		if (record === undefined) throw ERRORS.FILE_NOT_FOUND;
		await this.#session.closePieces(uploadId);
		await this.#session.keepRecord({ ...record, size });
	}

	override async write(readable: Readable, uploadId: string, offset: number): Promise<number> {
		const { files } = this.#session;
		await this.#session.closePieces(uploadId);
		const handle = await openIfThere(files.pathOf(uploadId));
		if (handle === null) {
			// A complete recording may be stored elsewhere. Nothing follows it.
			if ((await this.#session.recordingOf(uploadId))?.state === "ready") return offset;
			throw ERRORS.FILE_NO_LONGER_EXISTS;
		}
		try {
			return await this.#session.withSpace(uploadId, () =>
				files.use(uploadId, true, (video) => this.#write(readable, uploadId, offset, handle, video)),
			);
		} finally {
			await handle.close();
		}
	}

	async #write(readable: Readable, uploadId: string, offset: number, handle: FileHandle, video: GrowingVideo) {
		let at = offset;
		const store = await this.#session.chunkWriter(uploadId, handle, video);
		for await (const chunk of readable as AsyncIterable<Buffer>) {
			await store(at, chunk);
			at += chunk.length;
		}
		return at;
	}

	override remove(uploadId: string): Promise<void> {
		return this.#session.terminate(uploadId);
	}
}

async function openIfThere(path: string): Promise<FileHandle | null> {
	try {
		return await open(path, "r+");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}
