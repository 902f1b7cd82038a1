/** The output of a recorded command as the track `log`: lines with their times, in the spool folder of the recording. */
import { MAX_TRACK_LINE_BYTES } from "@tapedeck/contract/track.ts";
import type { SecretMask } from "../../clients/typescript/src/secret-mask.ts";
import { TrackWriter } from "../spool/track-writer.ts";

export type OutputStream = "stdout" | "stderr";

/** How often unfinished lines are looked at. */
const CHECKED_EVERY_MS = 500;
/** A line that does not end, such as one of dots, is written so far. */
const LINE_WAITS_MS = 1_500;
/** Of a line, before secrets are masked. */
const KEPT_BYTES = 4 * MAX_TRACK_LINE_BYTES;
const LINE_END = 0x0a;

/** A line that has not ended. */
interface OpenLine {
	pieces: Buffer[];
	bytes: number;
	/** performance.now() when its last bytes arrived. */
	grewAt: number;
}

export class CommandLog {
	readonly #mask: SecretMask;
	readonly #track: TrackWriter;
	readonly #timer: NodeJS.Timeout;
	readonly #open = new Map<OutputStream, OpenLine>();

	/** @throws as `open` does. */
	constructor(folder: string, mask: SecretMask) {
		this.#mask = mask;
		this.#track = new TrackWriter(folder, "log");
		this.#timer = setInterval(() => this.#endUnfinished(), CHECKED_EVERY_MS);
	}

	/** Adds what the command has written. */
	add(stream: OutputStream, chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(LINE_END); end !== -1 && !this.#track.isFull; end = chunk.indexOf(LINE_END, start)) {
			this.#extend(stream, chunk.subarray(start, end));
			this.#endLine(stream);
			start = end + 1;
		}
		if (this.#track.isFull) this.#open.clear();
		else if (start < chunk.length) this.#extend(stream, chunk.subarray(start));
	}

	/** Writes what is left. */
	close(): void {
		clearInterval(this.#timer);
		for (const stream of [...this.#open.keys()]) this.#endLine(stream);
		this.#track.close();
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
		this.#track.add({
			at: Date.now(),
			text: isCut ? `${this.#mask.applyToCut(text)}${" ".repeat(MAX_TRACK_LINE_BYTES)}` : this.#mask.apply(text),
			level: stream === "stdout" ? "info" : "error",
		});
	}

	/** Writes lines that have not grown for a while so far, but not if their end may be the beginning of a secret. */
	#endUnfinished(): void {
		for (const [stream, line] of this.#open) {
			if (performance.now() - line.grewAt <= LINE_WAITS_MS || line.bytes > KEPT_BYTES) continue;
			if (!this.#mask.mayEndWithin(Buffer.concat(line.pieces).toString("utf8"))) this.#endLine(stream);
		}
	}
}
