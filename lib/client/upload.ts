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
	| { file: File; why: "noRoom"; roomBytes: number };

/**
 * Sends the videos among `files`; what is no video or cannot fit is not begun.
 * @param owner tells apart whose uploads go on after a reload of the page
 * @returns what was refused
 * @throws ApiError when the server cannot say how much room it has
 */
export async function uploadFiles(files: readonly File[], owner: string): Promise<FileRefusal[]> {
	const refused: FileRefusal[] = [];
	let roomBytes = await room();
	for (const upload of uploads.list()) roomBytes -= bytesToCome(upload);
	for (const file of files) {
		const type = await videoTypeOf(file).catch(() => undefined);
		if (type === undefined) refused.push({ file, why: "unreadable" });
		else if (type === null) refused.push({ file, why: "noVideo" });
		else if (file.size > roomBytes) refused.push({ file, why: "noRoom", roomBytes: Math.max(0, roomBytes) });
		else {
			roomBytes -= file.size;
			uploads.add(file, { type, owner });
			tellUploadsBegun();
		}
	}
	return refused;
}

const bytesToCome = ({ state, bytes, sentBytes }: Upload): number =>
	state === "done" || state === "failed" ? 0 : bytes - sentBytes;

async function room(): Promise<number> {
	const { state, freeBytes, reserveBytes } = await call<Storage>("GET", "/v1/storage");
	return state === "ok" ? Math.max(0, freeBytes - reserveBytes) : 0;
}
