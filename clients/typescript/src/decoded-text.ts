/**
 * Text without its encodings, so that a secret is found in any spelling: as it is, percent-encoded by any language, with
 * escapes of JSON, encoded twice, or with a colour code in it. The Python client has the same rules: _decoded_text.py.
 *
 * A decoded text consists of the bytes of its UTF-8, one a character, because an encoding may name each byte alone.
 */

/** Escapes that are decoded. Each part has a limited length or cannot begin within another one, so matching is linear. */
const ENCODED = new RegExp(
	[
		// A colour or another sequence of a terminal, and control characters but for tabs and line feeds.
		"\\u001b\\[[0-?]{0,40}[ -/]{0,5}[@-~]|[\\u0000-\\u0008\\u000b-\\u001f\\u007f]",
		// JSON within JSON doubles the backslashes each time.
		"\\\\+ud[89ab][0-9a-f]{2}\\\\+ud[c-f][0-9a-f]{2}|\\\\+u[0-9a-f]{4}|\\\\+[nrtbf]|\\\\+",
		// Encoded again, the percent sign is %25.
		"%(?:25)*[0-9a-f]{2}",
		// Forms write a space as a plus sign.
		"\\+|[^\\u0000-\\u007f]",
	].join("|"),
	"giu",
);
/** Without these characters, the text is not encoded. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const MAY_BE_ENCODED = /[%\\+\u0000-\u0008\u000b-\u001f\u007f]/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", b: "", f: "" };
/** Backslashes are left out, because their number depends on how often the text was encoded. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const LEFT_OUT = /[\u0000-\u0008\u000b-\u001f\u007f\\]/g;

/** Text that is the same in both, or one encoded character. */
interface Part {
	/** The start in the decoded text, and in the original. */
	at: number;
	from: number;
	/** The end in the original. */
	to: number;
	isSame: boolean;
}

export class DecodedText {
	readonly text: string;
	readonly #original: string;
	readonly #parts: Part[] = [];

	constructor(original: string) {
		this.#original = original;
		let text = "";
		let end = 0;
		const add = (decoded: string, from: number, to: number, isSame: boolean): void => {
			if (decoded !== "") this.#parts.push({ at: text.length, from, to, isSame });
			text += decoded;
		};
		for (const { 0: encoded, index } of original.matchAll(ENCODED)) {
			add(original.slice(end, index), end, index, true);
			end = index + encoded.length;
			add(decode(encoded), index, end, false);
		}
		add(original.slice(end), end, original.length, true);
		this.text = text;
	}

	/** @returns the original, with a replacement for whatever decodes to a match. */
	replace(pattern: RegExp, replacement: string): string {
		let replaced = "";
		let end = 0;
		for (const { 0: found, index } of this.text.matchAll(pattern)) {
			replaced += this.#original.slice(end, this.#startOf(index)) + replacement;
			end = this.#endOf(index + found.length);
		}
		return replaced + this.#original.slice(end);
	}

	/** @returns the original without the part that decodes to the last `bytes` bytes. */
	withoutEnd(bytes: number): string {
		const at = Math.max(0, this.text.length - bytes);
		return bytes === 0 || this.text === "" ? this.#original : this.#original.slice(0, this.#startOf(at));
	}

	#startOf(at: number): number {
		const part = this.#partAt(at);
		return part.isSame ? part.from + at - part.at : part.from;
	}

	#endOf(at: number): number {
		const part = this.#partAt(at - 1);
		return part.isSame ? part.from + at - part.at : part.to;
	}

	/** The part that has this character of the decoded text. */
	#partAt(at: number): Part {
		let [low, high] = [0, this.#parts.length - 1];
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.#parts[middle] as Part).at <= at) low = middle;
			else high = middle - 1;
		}
		return this.#parts[low] as Part;
	}
}

export const mayBeEncoded = (text: string): boolean => MAY_BE_ENCODED.test(text);

function decode(encoded: string): string {
	if (encoded.endsWith("\\")) return "";
	const plain = encoded === "+" ? " " : encoded.startsWith("%") ? byteOf(encoded) : bytesOf(unescaped(encoded));
	// A plus sign may stand for a space, which cannot be decided.
	return plain.replace(LEFT_OUT, "").replaceAll("+", " ");
}

const byteOf = (percent: string): string => String.fromCharCode(Number.parseInt(percent.slice(-2), 16));

function unescaped(sequence: string): string {
	if (!sequence.startsWith("\\")) return sequence.startsWith("\u001b") ? "" : sequence;
	const letters = sequence.split(/\\+/).slice(1);
	if (/^u/i.test(letters[0] ?? ""))
		return letters.map((code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))).join("");
	return ESCAPES[letters[0]?.toLowerCase() ?? ""] ?? "";
}

const UTF8 = new TextEncoder();
const bytesOf = (text: string): string => String.fromCharCode(...UTF8.encode(text));
