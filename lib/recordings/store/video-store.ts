/**
 * The store of videos: the port with two implementations, the local disk and a bucket (bucket-store). A recording in
 * progress is a file on the disk of the process that receives it, with either. Where a finished one is, its row says, so
 * both kinds are readable whichever of them stores new ones.
 */
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import type { Database } from "#lib/core/context.ts";
import type { VideoFiles } from "../playback/video-files.ts";
import type { UploadRecord } from "../upload/upload-record.ts";

/** A recording in progress is copied to the bucket in parts of this size. */
export const SEGMENT_BYTES = 16 * 2 ** 20;

/** A complete video as it will be played: a header, followed by the beginning of a file. */
export interface CompleteVideo {
	path: string;
	head: Buffer;
	fileBytes: number;
	contentType: string;
}

/** A video that is stored, and still has to be noted in its row. */
export interface KeptVideo {
	/** Columns for the row of the video. */
	columns: { objectKey: string | null; objectHeaderBytes: number | null };
	/** Call in the transaction that writes the row. @throws if another process has the upload by now. */
	commit(db: Database): Promise<void>;
	/** Call after that transaction. */
	release(): Promise<void>;
}

export interface VideoStore {
	/** Whether finished videos use up the disk of this machine. */
	readonly fillsDisk: boolean;
	/** @returns undefined if there is no such upload. */
	readRecord(uploadId: string): Promise<UploadRecord | undefined>;
	/** Stores an upload's record; afterwards a crash leaves the old one or the new one. */
	writeRecord(record: UploadRecord): Promise<void>;
	/**
	 * Call when a process has to do with an upload that it may not have on its disk: afterwards it has what is durable.
	 * @returns the size of the file; null if there is none.
	 */
	restore(uploadId: string): Promise<number | null>;
	/** More bytes of a recording in progress are on this disk. Returns at once. */
	grew(uploadId: string, path: string, bytes: number): void;
	/** Resolves when nothing more of recordings in progress is on its way. Call when the process stops. */
	flush(): Promise<void>;
	/**
	 * Stores a complete video durably. Of concurrent calls for an upload, all get the result of one.
	 * @throws a TapedeckError if it cannot be stored now; everything stays as it was.
	 */
	keep(uploadId: string, video: CompleteVideo): Promise<KeptVideo>;
}

export class DiskVideoStore implements VideoStore {
	readonly fillsDisk = true;
	readonly #files: VideoFiles;

	constructor(files: VideoFiles) {
		this.#files = files;
	}

	readRecord(uploadId: string): Promise<UploadRecord | undefined> {
		return readRecordFile(this.#files, uploadId);
	}

	writeRecord(record: UploadRecord): Promise<void> {
		return writeRecordFile(this.#files, record);
	}

	restore(uploadId: string): Promise<number | null> {
		return fileSize(this.#files.pathOf(uploadId));
	}

	grew(): void {}

	async flush(): Promise<void> {}

	async keep(): Promise<KeptVideo> {
		return {
			columns: { objectKey: null, objectHeaderBytes: null },
			commit: async () => undefined,
			release: async () => undefined,
		};
	}
}

/** @returns null if the file doesn't exist. */
export async function fileSize(path: string): Promise<number | null> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

export async function readRecordFile(files: VideoFiles, uploadId: string): Promise<UploadRecord | undefined> {
	try {
		return JSON.parse(await readFile(files.uploadRecordPathOf(uploadId), "utf8")) as UploadRecord;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}

/** Replaces the file atomically: a crash leaves the old record or the new one. */
export async function writeRecordFile(files: VideoFiles, record: UploadRecord): Promise<void> {
	const path = files.uploadRecordPathOf(record.id);
	await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
	await rename(`${path}.new`, path);
}
