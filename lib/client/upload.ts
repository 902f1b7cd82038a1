/** Uploading a video file, with progress: fetch cannot tell how much was sent. */
import type { Recording } from "../contract/recording.ts";
import { ApiError, errorOf, queryString, UNREACHABLE } from "./api.ts";

/** The name of a recording that is made from a file: the file's, without its ending. */
export const nameOfFile = (fileName: string): string => fileName.replace(/\.[^.]+$/, "").slice(0, 200) || "Upload";

/**
 * Sends `file` as a new recording. `onProgress` gets the sent part, 0 to 1.
 * @throws ApiError
 */
export function uploadRecording(file: File, onProgress: (part: number) => void): Promise<Recording> {
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
