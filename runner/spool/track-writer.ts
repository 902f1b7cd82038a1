/** Writes a track of a recording into its spool folder, line by line. */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { MAX_TRACK_BYTES, type TrackLevel } from "@tapedeck/contract/track.ts";
import { trackFile } from "./track-files.ts";

export interface NewTrackLine {
	/** Milliseconds since 1970, by the clock of this machine. */
	at: number;
	text: string;
	level?: TrackLevel;
	data?: Record<string, unknown>;
}

/** Maximum time whose lines a kill may lose. */
const WRITTEN_EVERY_MS = 500;
const MAX_PENDING = 256 * 1024;
const FULL = "… (the rest is not recorded: a track has at most 64 MiB)";

export class TrackWriter {
	readonly #file: number;
	readonly #timer: NodeJS.Timeout;
	#pending = "";
	/** Bytes of the track, with those of a runner before a restart. */
	#written: number;
	#isFull = false;

	/** @throws as `open` does. */
	constructor(folder: string, name: string) {
		this.#file = openSync(trackFile(folder, name), "a", 0o600);
		this.#written = fstatSync(this.#file).size;
		this.#timer = setInterval(() => this.#write(), WRITTEN_EVERY_MS);
	}

	/** Whether it takes no more lines. */
	get isFull(): boolean {
		return this.#isFull;
	}

	add({ at, ...line }: NewTrackLine): void {
		if (this.#isFull) return;
		const time = new Date(at).toISOString();
		const json = `${JSON.stringify({ at: time, ...line })}\n`;
		this.#written += Buffer.byteLength(json);
		this.#isFull = this.#written > MAX_TRACK_BYTES;
		this.#pending += this.#isFull ? `${JSON.stringify({ at: time, text: FULL, level: line.level })}\n` : json;
		if (this.#pending.length > MAX_PENDING) this.#write();
	}

	/** Writes what is left. */
	close(): void {
		clearInterval(this.#timer);
		this.#write();
		closeSync(this.#file);
	}

	#write(): void {
		const pending = this.#pending;
		this.#pending = "";
		if (pending === "") return;
		try {
			writeSync(this.#file, pending);
		} catch {
			// The disk is full: the video comes first.
			this.#isFull = true;
		}
	}
}
