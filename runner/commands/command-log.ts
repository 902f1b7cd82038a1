/** The output of a recorded command as the track `log`: lines with their times, in the spool folder of the recording. */

import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { MAX_COMMAND_OUTPUT } from "@tapedeck/contract/runner-protocol.ts";
import { MAX_TRACK_LINE_BYTES } from "@tapedeck/contract/track.ts";
import { TrackWriter } from "../spool/track-writer.ts";
import { levelAtStart } from "./log-times.ts";

export type OutputStream = "stdout" | "stderr";

/** Interval between checks of unfinished lines. */
const CHECKED_EVERY_MS = 500;
/** A line that does not end, such as one of dots, is written so far. */
const LINE_WAITS_MS = 1_500;
/** Bytes kept of a line, before secrets are masked. */
const KEPT_BYTES = 4 * MAX_TRACK_LINE_BYTES;
const LINE_END = 0x0a;
const RETURN = 0x0d;
/** Lines of the end that say why a command failed. */
const LAST_LINES = 10;
/** Colours and other controls of terminals, such as "erase the line". */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is removed
export const CONTROLS = /\x1b\[[0-9;?]*[A-Za-z]/g;

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
	readonly #last: string[] = [];

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

	/** The last lines, without colours and secrets. */
	get end(): string {
		let left = MAX_COMMAND_OUTPUT;
		const fitting = this.#last.toReversed().filter((line) => {
			left -= line.length + 1;
			return left >= 0;
		});
		return fitting.toReversed().join("\n");
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
		const kept = sinceReturn(line, piece);
		// Copied: it is a part of a chunk.
		if (line.bytes < KEPT_BYTES) line.pieces.push(Buffer.from(kept.subarray(0, KEPT_BYTES - line.bytes)));
		line.bytes += kept.length;
	}

	#endLine(stream: OutputStream): void {
		const line = this.#open.get(stream);
		this.#open.delete(stream);
		const whole = line === undefined ? "" : Buffer.concat(line.pieces).toString("utf8");
		const isCut = line !== undefined && line.bytes > KEPT_BYTES;
		const written = withoutReturn(whole);
		const text = isCut ? this.#mask.applyToCut(written) : this.#mask.apply(written);
		const plain = text.replace(CONTROLS, "");
		this.#track.add({
			at: Date.now(),
			text: isCut ? `${text}${" ".repeat(MAX_TRACK_LINE_BYTES)}` : text,
			level: levelAtStart(plain) ?? (stream === "stdout" ? "info" : "error"),
		});
		if (plain.trim() === "") return;
		this.#last.push(plain.slice(0, MAX_COMMAND_OUTPUT));
		if (this.#last.length > LAST_LINES) this.#last.shift();
	}

	/** Writes lines that have not grown for a while so far, but not if their end may be the beginning of a secret. */
	#endUnfinished(): void {
		for (const [stream, line] of this.#open) {
			if (performance.now() - line.grewAt <= LINE_WAITS_MS || line.bytes > KEPT_BYTES) continue;
			if (!this.#mask.mayEndWithin(Buffer.concat(line.pieces).toString("utf8"))) this.#endLine(stream);
		}
	}
}

/**
 * Drops what a carriage return has overwritten: of a progress bar, the last state is left.
 * @returns the part of the piece that is left.
 */
function sinceReturn(line: OpenLine, piece: Buffer): Buffer {
	if (piece.length === 0) return piece;
	const clear = (): void => {
		line.pieces = [];
		line.bytes = 0;
	};
	if (line.pieces.at(-1)?.at(-1) === RETURN && isVisible(piece)) clear();
	let end = piece.length;
	while (end > 0 && piece[end - 1] === RETURN) end--;
	const last = piece.subarray(0, end).lastIndexOf(RETURN);
	if (last === -1 || !isVisible(piece.subarray(last + 1, end))) return piece;
	clear();
	return piece.subarray(last + 1);
}

/** CRLF ends a line, too. */
function withoutReturn(text: string): string {
	const at = text.lastIndexOf("\r");
	return at !== -1 && !isVisible(Buffer.from(text.slice(at))) ? withoutReturn(text.slice(0, at)) : text;
}

/** Whether it draws anything: erasing a line leaves its last state in the log. */
const isVisible = (piece: Buffer): boolean => {
	const beginning = piece.subarray(0, 100).toString("latin1");
	return beginning.replace(CONTROLS, "").replaceAll("\r", "") !== "";
};
