/**
 * Brings the pictures that ffmpeg's second output leaves in the spool to the dashboard, each with its place on the
 * timeline: the last one is the poster, all of them are the storyboard.
 */
import { readFile, stat } from "node:fs/promises";
import { JOB_KEY_HEADER } from "#lib/contract/runner-protocol.ts";
import type { Connection } from "../connection.ts";
import { pause } from "../base/wait.ts";

const LOOK_MS = 500;
const TIMEOUT_MS = 4_000;
/** Kept while the dashboard cannot be reached; beyond that every other one goes. */
const MAX_WAITING = 120;
/** A picture is written when the next one is captured. */
const FRAME_SECONDS = 1 / 15;

interface Picture {
	/** Seconds from the recording's first frame. */
	at: number;
	jpeg: Buffer;
}

export interface PosterSource {
	/** The file that ffmpeg replaces with every picture. */
	file: string;
	/** Where an instant (ms since 1970) lies on the timeline, in seconds. */
	secondsAt(instant: number): number;
}

export class PosterUpload {
	readonly #connection: Connection;
	readonly #source: PosterSource;
	readonly #job: { id: number; key: string | null };
	#waiting: Picture[] = [];
	#seenMtimeMs = 0;

	constructor(connection: Connection, source: PosterSource, job: { id: number; key: string | null }) {
		this.#connection = connection;
		this.#source = source;
		this.#job = job;
	}

	/** Sends every picture until the signal says enough. Never throws. */
	async whileRecording(over: AbortSignal): Promise<void> {
		while (!over.aborted) {
			await pause(LOOK_MS, over);
			if (!over.aborted) await this.send(over);
		}
	}

	/** Sends what there is. Pictures that do not get through wait for the next call. Never throws. */
	async send(signal: AbortSignal): Promise<void> {
		await this.#look();
		while (this.#waiting.length > 0 && this.#connection.client.sessionId !== null && !signal.aborted) {
			if (!(await this.#put(this.#waiting[0] as Picture, signal))) return;
			this.#waiting.shift();
		}
	}

	async #look(): Promise<void> {
		try {
			const { mtimeMs } = await stat(this.#source.file);
			if (mtimeMs === this.#seenMtimeMs) return;
			const jpeg = await readFile(this.#source.file);
			this.#seenMtimeMs = mtimeMs;
			this.#waiting.push({ at: Math.max(0, this.#source.secondsAt(mtimeMs) - FRAME_SECONDS), jpeg });
			if (this.#waiting.length > MAX_WAITING) this.#waiting = this.#waiting.filter((_, index) => index % 2 === 0);
		} catch {
			// No picture yet.
		}
	}

	/** @returns whether the dashboard has taken it, or never will. */
	async #put({ at, jpeg }: Picture, signal: AbortSignal): Promise<boolean> {
		try {
			const { id, key } = this.#job;
			const jobKey: Record<string, string> = key === null ? {} : { [JOB_KEY_HEADER]: key };
			const { status } = await this.#connection.client.send({
				method: "PUT",
				path: `/v1/runner/jobs/${id}/poster?at=${at.toFixed(2)}`,
				headers: { "content-type": "image/jpeg", ...jobKey },
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
