/** Splits a stream of NDJSON into lines, in bounded memory: of a long line, the strings in it are cut. */
import { MAX_TRACK_LINE_BYTES } from "@tapedeck/contract/track.ts";

const LINE_END = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Lines up to this are kept as they are. */
const WHOLE_BYTES = 4 * MAX_TRACK_LINE_BYTES;
/** Bytes kept of each string of a longer line: more than a line may have, so that it is cut once more, and says so. */
const STRING_BYTES = MAX_TRACK_LINE_BYTES + 64;
/** Maximum size of the rest. */
const SHORTENED_BYTES = 16 * MAX_TRACK_LINE_BYTES;

/** A line of the stream. */
export interface SplitLine {
	/** Null if too much of it remained, although its strings were cut. */
	bytes: Buffer | null;
	/** Its length in the stream, the line end included. */
	length: number;
}

export class LineSplitter {
	#pieces: Buffer[] = [];
	#length = 0;
	#shortener: JsonShortener | null = null;

	/** @returns the lines that end in this chunk, which may be overwritten afterwards. */
	*push(chunk: Buffer): Generator<SplitLine> {
		let start = 0;
		for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
			// Most lines lie within one chunk.
			if (this.#length === 0 && end - start <= WHOLE_BYTES) {
				yield { bytes: chunk.subarray(start, end), length: end + 1 - start };
			} else {
				this.#add(chunk.subarray(start, end));
				yield this.#take(1);
			}
			start = end + 1;
		}
		if (start < chunk.length) this.#add(chunk.subarray(start));
	}

	/** @returns the rest, which no line end follows; null if there is none. */
	end(): SplitLine | null {
		return this.#length === 0 ? null : this.#take(0);
	}

	#add(piece: Buffer): void {
		this.#length += piece.length;
		if (this.#shortener === null && this.#length > WHOLE_BYTES) {
			this.#shortener = new JsonShortener();
			for (const each of this.#pieces) this.#shortener.push(each);
			this.#pieces = [];
		}
		if (this.#shortener === null) this.#pieces.push(Buffer.from(piece));
		else this.#shortener.push(piece);
	}

	#take(lineEnd: number): SplitLine {
		const bytes = this.#shortener === null ? Buffer.concat(this.#pieces) : this.#shortener.take();
		const line = { bytes, length: this.#length + lineEnd };
		this.#pieces = [];
		this.#length = 0;
		this.#shortener = null;
		return line;
	}
}

/** Copies JSON without the ends of long strings, byte by byte. Escapes and characters stay whole. */
class JsonShortener {
	readonly #kept = Buffer.allocUnsafe(SHORTENED_BYTES);
	#size = 0;
	#isTooLong = false;
	#isInString = false;
	/** Bytes of the string. */
	#stringBytes = 0;
	/** Bytes that still belong to an escape. */
	#escape = 0;
	#isUnicodeEscape = false;

	push(piece: Buffer): void {
		for (let at = 0; at < piece.length && !this.#isTooLong; at += 1) {
			const byte = piece[at] as number;
			if (!this.#isInString) {
				this.#isInString = byte === QUOTE;
				this.#stringBytes = 0;
				this.#keep(byte);
			} else this.#pushInString(byte);
		}
	}

	/** @returns null if more remained than a line may have. */
	take(): Buffer | null {
		return this.#isTooLong ? null : this.#kept.subarray(0, this.#size);
	}

	#pushInString(byte: number): void {
		if (this.#escape > 0) {
			this.#escape -= 1;
			// Its four digits follow.
			if (this.#isUnicodeEscape && byte === LETTER_U) this.#escape = 4;
			this.#isUnicodeEscape = false;
			if (this.#isKept) this.#keep(byte);
			return;
		}
		if (byte === QUOTE) {
			this.#isInString = false;
			this.#keep(byte);
			return;
		}
		const continues = (byte & 0xc0) === 0x80;
		if (!continues) this.#isKept = this.#stringBytes < STRING_BYTES;
		if (byte === BACKSLASH) {
			this.#escape = 1;
			this.#isUnicodeEscape = true;
		}
		if (this.#isKept) this.#keep(byte);
		this.#stringBytes += 1;
	}

	/** Whether the current character is. */
	#isKept = true;

	#keep(byte: number): void {
		if (this.#size === SHORTENED_BYTES) {
			this.#isTooLong = true;
			return;
		}
		this.#kept[this.#size] = byte;
		this.#size += 1;
	}
}
