/** Uploads files as recordings: validated first, then sent while the user visits other pages. */

import { type FileType, nameOfFile } from "@tapedeck/contract/file-types.ts";
import type { Storage } from "@tapedeck/contract/storage.ts";
import { call } from "#lib/client/api.ts";
import { readType } from "./chosen-file.ts";
import { uploadsStarted } from "./started-uploads.ts";
import { type Upload, type UploadKeeping, UploadQueue } from "./uploads.ts";

/** The uploads of this tab. */
export const uploads = new UploadQueue(async (...file) =>
	(await import("./tus-transport.ts")).openTusTransport(...file),
);

export type FileRefusal =
	| { file: File; reason: "not_a_video" | "empty" | "unreadable" }
	| { file: File; reason: "too_large"; maxBytes: number }
	| { file: File; reason: "disk_full" | "quota_exceeded"; freeBytes: number };

/** A file that can be uploaded. */
export interface CheckedFile extends FileType {
	file: File;
}

/**
 * Refuses files that are empty, are named like a video and are none, or cannot fit.
 * @throws ApiError when the server cannot say how much space it has.
 */
export async function checkFiles(files: readonly File[]): Promise<{ checked: CheckedFile[]; refused: FileRefusal[] }> {
	const checked: CheckedFile[] = [];
	const refused: FileRefusal[] = [];
	const storage = await call<Storage>("GET", "/v1/storage");
	const free = freeBytesOf(storage);
	for (const upload of uploads.list()) {
		free.disk -= unsentBytes(upload);
		// Uploads that have started already count in the server's quota.
		if (upload.state === "waiting" && upload.sentBytes === 0) free.quota -= upload.bytes;
	}
	const maxBytes = storage.maxUploadBytes ?? Number.POSITIVE_INFINITY;
	for (const file of files) {
		const type = await readType(file).catch(() => undefined);
		if (type === undefined) refused.push({ file, reason: "unreadable" });
		else if (file.size === 0) refused.push({ file, reason: "empty" });
		else if (type === null) refused.push({ file, reason: "not_a_video" });
		else if (file.size > maxBytes) refused.push({ file, reason: "too_large", maxBytes });
		else if (file.size > free.disk) refused.push({ file, reason: "disk_full", freeBytes: Math.max(0, free.disk) });
		else if (file.size > free.quota) {
			refused.push({ file, reason: "quota_exceeded", freeBytes: Math.max(0, free.quota) });
		} else {
			free.disk -= file.size;
			free.quota -= file.size;
			checked.push({ file, ...type });
		}
	}
	return { checked, refused };
}

/**
 * Queues files.
 * @param owner whose uploads these are: after a reload, only the same user resumes them.
 */
export function startUploads(files: readonly CheckedFile[], owner: string, keeping: UploadKeeping): void {
	for (const { file, ...type } of files) {
		const labels = { ...nameOfFile(file.name, type.kind).labels, ...keeping.labels };
		uploads.add(file, { ...type, owner, keeping: { ...keeping, labels } });
	}
	if (files.length > 0) uploadsStarted();
}

const unsentBytes = ({ state, bytes, sentBytes }: Upload): number =>
	state === "done" || state === "failed" ? 0 : bytes - sentBytes;

/** The free space of the disk and the storage quota; none where uploads are paused. */
function freeBytesOf({ waitsFor, freeBytes, reserveBytes, usedBytes, quotaBytes }: Storage) {
	return {
		disk: waitsFor === "disk" ? 0 : freeBytes - reserveBytes,
		quota: quotaBytes === null ? Number.POSITIVE_INFINITY : waitsFor === "quota" ? 0 : quotaBytes - usedBytes,
	};
}
