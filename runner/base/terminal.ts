/**
 * Output for a terminal: only our own colors and lines. Names, labels and messages come from others, and control
 * characters in them could move the cursor, set the window's title, or hide part of a command's output.
 */
import { randomInt } from "node:crypto";
import { styleText } from "node:util";

const COLORS = {
	green: [32, 39],
	red: [31, 39],
	yellow: [33, 39],
	cyan: [36, 39],
	dim: [2, 22],
	bold: [1, 22],
} as const;
export type Style = keyof typeof COLORS;

/** Escape, cursor and device controls, and what reorders or breaks a line: C0, DEL, C1, bidi, separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const isOwnLine = (character: string): boolean => character === "\n" || character === "\t";

/** Joins a text into one line, without control characters. */
export const plainLine = (text: string): string =>
	text
		.replace(/[\r\n\t\u2028\u2029]+/g, " ")
		.replace(CONTROLS, "")
		.trim();

/** Lines of text without other control characters than those between and in them. */
export const plainText = (text: string): string =>
	text.replace(/\r\n?/g, "\n").replace(CONTROLS, (character) => (isOwnLine(character) ? character : ""));

/** Marks our own colors until they are printed. Random, so that no other text can contain it. */
const MARK = String(randomInt(1e9, 1e12));

/** Text in a color, if `stream` shows colors: NO_COLOR and FORCE_COLOR count too. Print it with `forTerminal`. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
	if (!hasColors(stream)) return text;
	const [begin, end] = COLORS[style];
	return `\u001b[${MARK};${begin}m${text}\u001b[${MARK};${end}m`;
}

const hasColors = (stream: NodeJS.WriteStream): boolean => styleText("red", "x", { stream }) !== "x";

const MARKED = new RegExp(`(\\u001b\\[${MARK};\\d+m)`);
const isMarked = (part: string): boolean => part.startsWith(`\u001b[${MARK};`);
/** Changes all text that is not one of our colors. */
const between = (text: string, change: (part: string) => string): string =>
	text
		.split(MARKED)
		.map((part) => (isMarked(part) ? part : change(part)))
		.join("");

/** Text for a terminal: our own colors, and nothing else that controls it. */
export const forTerminal = (text: string): string => between(text, plainText).replaceAll(`\u001b[${MARK};`, "\u001b[");

/** A cell of a table: one line, with our own colors. */
export const plainCell = (text: string): string => between(text, plainLine);

/** Removes our own colors. */
export const withoutColors = (text: string): string =>
	text
		.split(MARKED)
		.filter((part) => !isMarked(part))
		.join("");

/** JSON whose strings hold no control character as such: JSON.stringify escapes only those up to U+001F. */
export const jsonText = (data: unknown, indent?: number): string =>
	(JSON.stringify(data, null, indent) ?? "null").replace(CONTROLS, (character) =>
		isOwnLine(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
