/** The record stored beside an upload's file: its length, metadata and owner. */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { Upload } from "@tus/server";
import type { Context } from "#lib/core/context.ts";
import type { VideoFiles } from "../playback/video-files.ts";

/** Who created an upload: only they may continue it. */
export interface UploadOwner {
	organizationId: number;
	kind: Context["actor"]["kind"];
	/** The id of the user, API key or runner token. */
	id: number;
	/** The job whose video it is; then the holder of the job's lease may continue it. */
	jobId: number | null;
}

export type UploadRecord = Pick<Upload, "id" | "size" | "metadata" | "creation_date"> & { owner?: UploadOwner };

/** @returns undefined if there is no such upload. */
export async function readUploadRecord(files: VideoFiles, uploadId: string): Promise<UploadRecord | undefined> {
	try {
		return JSON.parse(await readFile(files.uploadRecordPathOf(uploadId), "utf8")) as UploadRecord;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
}

/** Replaces the file atomically: a crash leaves the old record or the new one. */
export async function writeUploadRecord(files: VideoFiles, record: UploadRecord): Promise<void> {
	const path = files.uploadRecordPathOf(record.id);
	await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
	await rename(`${path}.new`, path);
}
