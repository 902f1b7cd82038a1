/** Keeps the dashboard's poster as fresh as the picture that ffmpeg's second output leaves in the spool. */
import { readFile, stat } from "node:fs/promises";
import type { Connection } from "./connection.ts";
import { pause } from "./wait.ts";

const EVERY_MS = 3_000;
const TIMEOUT_MS = 4_000;

export class PosterUpload {
	readonly #connection: Connection;
	readonly #file: string;
	#sentMtimeMs = 0;

	constructor(connection: Connection, file: string) {
		this.#connection = connection;
		this.#file = file;
	}

	/** Sends the picture whenever it has changed, until the signal says enough. Never throws. */
	async whileRecording(jobId: number, over: AbortSignal): Promise<void> {
		// The first one soon, so that a running job has a face.
		for (let waitMs = EVERY_MS / 3; !over.aborted; waitMs = EVERY_MS) {
			await pause(waitMs, over);
			if (!over.aborted) await this.send(jobId, over);
		}
	}

	/** Sends it once if it has changed. A poster that does not get through is no loss: the next one does. */
	async send(jobId: number, signal?: AbortSignal): Promise<void> {
		if (this.#connection.client.sessionId === null) return;
		try {
			const { mtimeMs } = await stat(this.#file);
			if (mtimeMs === this.#sentMtimeMs) return;
			const answer = await this.#connection.client.send({
				method: "PUT",
				path: `/v1/runner/jobs/${jobId}/poster`,
				headers: { "content-type": "image/jpeg" },
				body: await readFile(this.#file),
				timeoutMs: TIMEOUT_MS,
				signal,
			});
			if (answer.status >= 200 && answer.status <= 299) this.#sentMtimeMs = mtimeMs;
		} catch {
			// No picture yet, or no dashboard: tried again with the next picture.
		}
	}
}
