/** Text as markers and tracks take it. */

const MAX_LABEL = 200;
const MAX_MESSAGE_BYTES = 8 * 1024;
/** At least as many as the note on what was cut. */
const NOTE_BYTES = 64;

/** Colors, links and other sequences of terminals. One that never ends is only its ESC. */
const TERMINAL_SEQUENCES =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ`-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Lines without anything that only a terminal understands. */
export const plainText = (text: string): string =>
	text
		.replace(TERMINAL_SEQUENCES, "")
		.replace(/\r\n?|[\u2028\u2029]/g, "\n")
		.replace(CONTROL_CHARACTERS, "")
		.replace(/[\ud800-\udfff]/gu, "\ufffd");

/** The first line that says something, without the name of the class that all errors have. */
export function firstLineOf(text: string): string {
	const lines = text.split("\n").map((line) => line.replace(/^(?:Error: ?)+/, "").trim());
	return lines.find((line) => line !== "") ?? "";
}

/** The nearest label that the API takes; empty if there is none. */
export function labelOf(text: string): string {
	const label = plainText(text).replace(/\s+/g, " ").trim().slice(0, MAX_LABEL);
	// The cut may have split a pair of surrogates.
	return label.replace(/[\ud800-\udfff]$/u, "").trim();
}

/**
 * The nearest message that the API takes: what is longer is cut, with a note.
 * @param lastLine is kept.
 */
export function cutMessage(text: string, lastLine?: string): string {
	const end = lastLine === undefined ? "" : `\n\n${lastLine}`;
	return cutText(text, MAX_MESSAGE_BYTES - new TextEncoder().encode(end).length) + end;
}

/** A text of more than so many bytes is cut, with a note. */
export function cutText(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	if (bytes.length <= maxBytes) return text;
	let length = Math.max(0, maxBytes - NOTE_BYTES);
	// Not within a character, whose further bytes begin with the bits 10.
	while (length > 0 && ((bytes[length] ?? 0) & 0xc0) === 0x80) length--;
	const kept = new TextDecoder().decode(bytes.subarray(0, length)).trimEnd();
	const missing = Array.from(text.slice(kept.length)).length;
	return `${kept}\n… (cut: ${missing.toLocaleString("en-US")} more characters)`;
}
