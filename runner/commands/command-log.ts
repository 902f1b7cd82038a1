/** The output of a recorded command as the track `log`: lines with their times, in the spool folder of the recording. */
import { closeSync, openSync, writeSync } from "node:fs";
import { MAX_TRACK_BYTES, MAX_TRACK_LINE_BYTES } from "@tapedeck/contract/track.ts";
import type { SecretMask } from "../../clients/typescript/src/secret-mask.ts";
import { trackFile } from "../spool/track-files.ts";

export type OutputStream = "stdout" | "stderr";

/** How much a kill may lose. */
const WRITTEN_EVERY_MS = 500;
/** A line that does not end, such as one of dots, is written so far. */
const LINE_WAITS_MS = 1_500;
const MAX_PENDING = 256 * 1024;
/** Of a line, before secrets are masked. */
const KEPT_BYTES = 4 * MAX_TRACK_LINE_BYTES;
const LINE_END = 0x0a;
const FULL = "… (the rest is not recorded: a track has at most 64 MiB)";

/** A line that has not ended. */
interface OpenLine {
	pieces: Buffer[];
	bytes: number;
	/** performance.now() when its last bytes arrived. */
	grewAt: number;
}

export class CommandLog {
	readonly #mask: SecretMask;
	readonly #file: number;
	readonly #timer: NodeJS.Timeout;
	readonly #open = new Map<OutputStream, OpenLine>();
	#pending = "";
	#written = 0;
	#isFull = false;

	/** @throws as `open` does. */
	constructor(folder: string, mask: SecretMask) {
		this.#mask = mask;
		this.#file = openSync(trackFile(folder, "log"), "a", 0o600);
		this.#timer = setInterval(() => this.#tick(), WRITTEN_EVERY_MS);
	}

	/** Adds what the command has written. */
	add(stream: OutputStream, chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(LINE_END); end !== -1 && !this.#isFull; end = chunk.indexOf(LINE_END, start)) {
			this.#extend(stream, chunk.subarray(start, end));
			this.#endLine(stream);
			start = end + 1;
		}
		if (start < chunk.length && !this.#isFull) this.#extend(stream, chunk.subarray(start));
		if (this.#pending.length > MAX_PENDING) this.#write();
	}

	/** Writes what is left. */
	close(): void {
		clearInterval(this.#timer);
		for (const stream of [...this.#open.keys()]) this.#endLine(stream);
		this.#write();
		closeSync(this.#file);
	}

	#extend(stream: OutputStream, piece: Buffer): void {
		const line = this.#open.get(stream) ?? { pieces: [], bytes: 0, grewAt: 0 };
		this.#open.set(stream, line);
		line.grewAt = performance.now();
		// Copied: it is a part of a chunk.
		if (line.bytes < KEPT_BYTES) line.pieces.push(Buffer.from(piece.subarray(0, KEPT_BYTES - line.bytes)));
		line.bytes += piece.length;
	}

	#endLine(stream: OutputStream): void {
		const line = this.#open.get(stream);
		this.#open.delete(stream);
		const text = line === undefined ? "" : Buffer.concat(line.pieces).toString("utf8");
		const isCut = line !== undefined && line.bytes > KEPT_BYTES;
		this.#addLine(
			isCut ? `${this.#mask.applyToCut(text)}${" ".repeat(MAX_TRACK_LINE_BYTES)}` : this.#mask.apply(text),
			stream,
		);
	}

	#addLine(text: string, stream: OutputStream): void {
		const level = stream === "stdout" ? "info" : "error";
		const json = `${JSON.stringify({ at: new Date().toISOString(), text, level })}\n`;
		this.#written += Buffer.byteLength(json);
		if (this.#written > MAX_TRACK_BYTES && !this.#isFull) {
			this.#isFull = true;
			this.#open.clear();
			this.#addLine(FULL, stream);
		} else this.#pending += json;
	}

	#tick(): void {
		for (const [stream, { grewAt }] of this.#open) {
			if (performance.now() - grewAt > LINE_WAITS_MS) this.#endUnfinished(stream);
		}
		this.#write();
	}

	/** Writes a line so far, but for its end if that may be the beginning of a secret. */
	#endUnfinished(stream: OutputStream): void {
		const line = this.#open.get(stream);
		if (line === undefined || line.bytes > KEPT_BYTES) return;
		if (this.#mask.mayEndWithin(Buffer.concat(line.pieces).toString("utf8"))) return;
		this.#endLine(stream);
	}

	#write(): void {
		const pending = this.#pending;
		this.#pending = "";
		if (pending === "") return;
		try {
			writeSync(this.#file, pending);
		} catch {
			// The disk is full: the command and its video come first.
			this.#isFull = true;
		}
	}
}
