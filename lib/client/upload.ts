/** Bringing in files as recordings: looked at first, then sent beside whatever page is shown. */
import type { Storage } from "../contract/storage.ts";
import { call } from "./api.ts";
import { type Upload, Uploads } from "./uploads.ts";
import { tellUploadsBegun } from "./uploads-begun.ts";
import { videoTypeOf } from "./video-file.ts";

/** Those of this tab. */
export const uploads = new Uploads(async (...file) => (await import("./tus-transport.ts")).openTusTransport(...file));

export type FileRefusal =
	| { file: File; why: "noVideo" | "unreadable" }
	| { file: File; why: "tooLarge"; mostBytes: number }
	| { file: File; why: "noRoom" | "noQuota"; roomBytes: number };

/**
 * Sends the videos among `files`; what is no video or cannot fit is not begun.
 * @param owner tells apart whose uploads go on after a reload of the page
 * @returns what was refused
 * @throws ApiError when the server cannot say how much room it has
 */
export async function uploadFiles(files: readonly File[], owner: string): Promise<FileRefusal[]> {
	const refused: FileRefusal[] = [];
	const storage = await call<Storage>("GET", "/v1/storage");
	const room = roomIn(storage);
	for (const upload of uploads.list()) {
		room.disk -= bytesToCome(upload);
		// What has begun holds its room there already.
		if (upload.state === "waiting" && upload.sentBytes === 0) room.quota -= upload.bytes;
	}
	const mostBytes = storage.maxUploadBytes ?? Number.POSITIVE_INFINITY;
	for (const file of files) {
		const type = await videoTypeOf(file).catch(() => undefined);
		if (type === undefined) refused.push({ file, why: "unreadable" });
		else if (type === null) refused.push({ file, why: "noVideo" });
		else if (file.size > mostBytes) refused.push({ file, why: "tooLarge", mostBytes });
		else if (file.size > room.disk) refused.push({ file, why: "noRoom", roomBytes: Math.max(0, room.disk) });
		else if (file.size > room.quota) refused.push({ file, why: "noQuota", roomBytes: Math.max(0, room.quota) });
		else {
			room.disk -= file.size;
			room.quota -= file.size;
			uploads.add(file, { type, owner });
			tellUploadsBegun();
		}
	}
	return refused;
}

const bytesToCome = ({ state, bytes, sentBytes }: Upload): number =>
	state === "done" || state === "failed" ? 0 : bytes - sentBytes;

/** What the disk and the organization have left for more files; the one that uploads wait for has nothing. */
function roomIn({ waitsFor, freeBytes, reserveBytes, usedBytes, quotaBytes }: Storage) {
	return {
		disk: waitsFor === "disk" ? 0 : freeBytes - reserveBytes,
		quota: quotaBytes === null ? Number.POSITIVE_INFINITY : waitsFor === "quota" ? 0 : quotaBytes - usedBytes,
	};
}
