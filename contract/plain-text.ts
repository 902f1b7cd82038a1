/** Rules for text that people enter and read: names, labels and messages. Without zod, because pages need some of it. */

/**
 * Control characters, line separators and lone surrogates do not belong in a name, and PostgreSQL cannot store NUL.
 * Spelled out as ranges, because the pattern is part of the OpenAPI document and few languages support \p{…}.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const PLAIN_TEXT = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u;
/** Characters that PLAIN_TEXT refuses, for replacing them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
export const NOT_PLAIN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu;

/** The same with at least one character that is no space, for the OpenAPI document: the rule for `isVisible` is finer. */
export const PLAIN_VISIBLE_TEXT =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is kept out
	/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*[^\s\u0000-\u001f\u007f-\u009f\ud800-\udfff][^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]*$/u;

/** A visible character: no space, zero width, direction mark or filler (U+2800 is an empty Braille cell). */
const MARK = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/** Whether the text has at least one visible character. */
export const isVisible = (text: string): boolean => MARK.test(text);

/** The nearest valid name of at most `max` characters; empty when nothing visible is left. */
export function sanitizeName(text: string, max: number): string {
	const plain = text.replace(NOT_PLAIN, " ").trim().slice(0, max);
	// The cut may have split a surrogate pair.
	const name = plain.replace(/[\ud800-\udfff]$/u, "").trimEnd();
	return isVisible(name) ? name : "";
}

/** A text on one line, of at most `max` characters. A longer one is cut, and ends with an ellipsis. */
export function oneLine(text: string, max: number): string {
	const line = sanitizeName(text.replace(/\s+/g, " "), text.length);
	return line.length > max ? `${sanitizeName(line, max - 1)}…` : line;
}

/** The longest message of a marker, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 8 * 1024;
/** At least as many as the note on what was cut. */
const CUT_NOTE_BYTES = 64;

/** Sequences that terminals interpret: colours, links, cursor movements. An unfinished sequence is only its ESC. */
const TERMINAL_SEQUENCES =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
	/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-OQ-WYZ`-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const NOT_IN_MESSAGES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * The nearest valid message: several lines without control characters and terminal sequences. A longer one is cut, and
 * its last line then says how much is missing.
 * @param maxBytes of UTF-8, the last line included.
 * @returns null when nothing visible is left.
 */
export function sanitizeMessage(text: string, maxBytes = MAX_MESSAGE_BYTES): string | null {
	const message = text
		.replace(TERMINAL_SEQUENCES, "")
		.replace(/\r\n?|[\u2028\u2029]/g, "\n")
		.replace(NOT_IN_MESSAGES, "")
		.replace(/[\ud800-\udfff]/gu, "\ufffd")
		.replace(/^(?:[^\S\n]*\n)+/, "")
		.trimEnd();
	return isVisible(message) ? cut(message, maxBytes) : null;
}

/** Colours and weights, which move nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals interpret
const COLOURS = /^(?:\u001b\[|\u009b)([\d;:]*)m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals interpret
const ALL_COLOURS = /\u001b\[[\d;:]*m/g;
/** The same characters as in messages, but for the ESC of a colour. */
const NOT_IN_LOGS =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
	/[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[[\d;:]*m)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

/**
 * The nearest valid text of a log: with colours, without terminal sequences that do anything else, and without other
 * control characters. A carriage return, which overwrites a line, becomes a line break.
 */
export function sanitizeLog(text: string): string {
	if (!UNUSUAL.test(text)) return text;
	return text
		.replace(TERMINAL_SEQUENCES, (sequence) => {
			const colour = COLOURS.exec(sequence);
			return colour === null ? "" : `\u001b[${colour[1]}m`;
		})
		.replace(/\r\n?|[\u2028\u2029]/g, "\n")
		.replace(NOT_IN_LOGS, "")
		.toWellFormed();
}

/** The text without its colours. */
export const withoutColours = (text: string): string =>
	text.includes("\u001b") ? text.replace(ALL_COLOURS, "") : text;

/** @returns as much of the beginning as fits into `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	let end = Math.max(0, Math.min(maxBytes, bytes.length));
	// Not within a character, whose further bytes begin with the bits 10.
	while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
	return new TextDecoder().decode(bytes.subarray(0, end));
}

function cut(message: string, maxBytes: number): string {
	if (new TextEncoder().encode(message).length <= maxBytes) return message;
	const kept = cutToBytes(message, maxBytes - CUT_NOTE_BYTES).trimEnd();
	const missing = Array.from(message.slice(kept.length)).length;
	return `${kept}\n… (cut: ${missing.toLocaleString("en-US")} more characters)`;
}
