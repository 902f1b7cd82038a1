/**
 * Uploads the still frames that ffmpeg's second output writes into the spool, each with its position on the timeline.
 * The last one is the poster; together they are the storyboard.
 */
import { readFile, stat } from "node:fs/promises";
import { JOB_KEY_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { pause } from "../base/wait.ts";
import type { Connection } from "../dashboard/connection.ts";

const POLL_MS = 500;
const TIMEOUT_MS = 4_000;
/** Maximum number of frames kept while the dashboard is unreachable. Beyond that, every second one is dropped. */
const MAX_PENDING = 120;

interface Still {
	/** Seconds from the recording's first frame. */
	at: number;
	jpeg: Buffer;
}

export interface PosterSource {
	/** The file that ffmpeg replaces with every still. */
	file: string;
	/** The time between two frames. */
	frameSeconds: number;
	/** Position on the timeline, in seconds, of an instant in ms since 1970. */
	secondsAt(instant: number): number;
}

export class PosterUpload {
	readonly #connection: Connection;
	readonly #source: PosterSource;
	readonly #job: { id: number; key: string };
	#pending: Still[] = [];
	#seenMtimeMs = 0;

	constructor(connection: Connection, source: PosterSource, job: { id: number; key: string }) {
		this.#connection = connection;
		this.#source = source;
		this.#job = job;
	}

	/** Sends every still until the signal aborts. Never throws. */
	async whileRecording(over: AbortSignal): Promise<void> {
		while (!over.aborted) {
			await pause(POLL_MS, over);
			if (!over.aborted) await this.send(over);
		}
	}

	/** Sends all pending stills. Failed ones stay pending for the next call. Never throws. */
	async send(signal: AbortSignal): Promise<void> {
		await this.#poll();
		while (this.#pending.length > 0 && this.#connection.client.sessionId !== null && !signal.aborted) {
			if (!(await this.#put(this.#pending[0] as Still, signal))) return;
			this.#pending.shift();
		}
	}

	async #poll(): Promise<void> {
		try {
			const { mtimeMs } = await stat(this.#source.file);
			if (mtimeMs === this.#seenMtimeMs) return;
			const jpeg = await readFile(this.#source.file);
			this.#seenMtimeMs = mtimeMs;
			// A still is written when the next frame is captured, so it is one frame older than its file.
			this.#pending.push({ at: Math.max(0, this.#source.secondsAt(mtimeMs) - this.#source.frameSeconds), jpeg });
			if (this.#pending.length > MAX_PENDING) this.#pending = this.#pending.filter((_, index) => index % 2 === 0);
		} catch {
			// No still yet.
		}
	}

	/** @returns whether it needs no retry: the dashboard accepted it, or never will. */
	async #put({ at, jpeg }: Still, signal: AbortSignal): Promise<boolean> {
		try {
			const { id, key } = this.#job;
			const { status } = await this.#connection.client.send({
				method: "PUT",
				path: `/v1/runner/jobs/${id}/poster?at=${at.toFixed(2)}`,
				headers: { "content-type": "image/jpeg", [JOB_KEY_HEADER]: key },
				body: jpeg,
				timeoutMs: TIMEOUT_MS,
				signal,
			});
			return status < 500 && status !== 401 && status !== 403 && status !== 429;
		} catch {
			return false;
		}
	}
}
