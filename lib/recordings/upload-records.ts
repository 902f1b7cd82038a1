/** What is kept of an upload beside its file: length, metadata, and who made it. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { KvStore, Upload } from "@tus/server";
import type { Context } from "../core/context.ts";
import type { VideoShelf } from "./playback/video-files.ts";

/** Who made an upload: only they go on with it. */
export interface UploadOwner {
	organizationId: number;
	kind: Context["actor"]["kind"];
	/** The user, API key or runner token. */
	id: number;
	/** The job whose video it is; then the holder of the job's lease goes on with it. */
	jobId: number | null;
}

type Stored = Upload & { owner?: UploadOwner };

/** Uploads as files beside the videos, replaced whole so that a crash leaves the old one or the new one. */
export class UploadRecords implements KvStore {
	#shelf: VideoShelf;
	#owners = new Map<string, UploadOwner>();

	constructor(shelf: VideoShelf) {
		this.#shelf = shelf;
	}

	/** States the owner of an upload that is about to be stored. */
	claim(uploadId: string, owner: UploadOwner): void {
		this.#owners.set(uploadId, owner);
	}

	async get(uploadId: string): Promise<Stored | undefined> {
		try {
			return JSON.parse(await readFile(this.#shelf.uploadRecordPathOf(uploadId), "utf8")) as Stored;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
			throw error;
		}
	}

	async set(uploadId: string, upload: Upload): Promise<void> {
		const owner = this.#owners.get(uploadId) ?? (await this.get(uploadId))?.owner;
		this.#owners.delete(uploadId);
		const path = this.#shelf.uploadRecordPathOf(uploadId);
		await writeFile(`${path}.new`, JSON.stringify({ ...upload, owner }), { mode: 0o600 });
		await rename(`${path}.new`, path);
	}

	async delete(uploadId: string): Promise<void> {
		this.#owners.delete(uploadId);
		await rm(this.#shelf.uploadRecordPathOf(uploadId), { force: true });
	}
}
