/** Uploading a video file, with progress: fetch cannot tell how much was sent. */
import type { Recording } from "../contract/recording.ts";
import type { Storage } from "../contract/storage.ts";
import { ApiError, call, errorOf, queryString, UNREACHABLE } from "./api.ts";
import { formatBytes } from "./format.ts";

/** The name of a recording that is made from a file: the file's, without its ending. */
export const nameOfFile = (fileName: string): string => fileName.replace(/\.[^.]+$/, "").slice(0, 200) || "Upload";

/**
 * Sends `file` as a new recording. `onProgress` gets the sent part, 0 to 1.
 * @throws ApiError
 */
export async function uploadRecording(file: File, onProgress: (part: number) => void): Promise<Recording> {
	await assertRoom(file.size);
	return send(file, onProgress);
}

/** A refusal half-way through a long upload does not reach every browser: what cannot fit is told before. */
async function assertRoom(bytes: number): Promise<void> {
	const { state, freeBytes, reserveBytes } = await call<Storage>("GET", "/v1/storage");
	const left = Math.max(0, freeBytes - reserveBytes);
	if (state === "ok" && bytes <= left) return;
	const detail = `The file has ${formatBytes(bytes)}, and the dashboard’s disk has room for ${formatBytes(state === "ok" ? left : 0)} of videos. Delete recordings, or shorten their retention under Settings.`;
	throw new ApiError({ status: 507, code: "insufficient_storage", detail });
}

function send(file: File, onProgress: (part: number) => void): Promise<Recording> {
	return new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open("POST", `/v1/recordings${queryString({ name: nameOfFile(file.name) })}`);
		const type = file.type || (/\.webm$/i.test(file.name) ? "video/webm" : "video/mp4");
		request.setRequestHeader("content-type", type);
		request.upload.onprogress = (event) => {
			if (event.lengthComputable) onProgress(event.loaded / event.total);
		};
		request.onerror = () => reject(new ApiError({ status: 0, code: "unreachable", detail: UNREACHABLE }));
		request.onload = () => {
			let body: unknown;
			try {
				body = JSON.parse(request.responseText);
			} catch {
				body = undefined;
			}
			if (request.status >= 200 && request.status < 300) resolve(body as Recording);
			else reject(errorOf(request.status, body));
		};
		request.send(file);
	});
}
