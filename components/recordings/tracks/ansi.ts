/**
 * The colors and weights in the text of a line (SGR, ECMA-48 8.3.117), the only terminal sequences that the dashboard
 * keeps. Text is only split into parts, never interpreted: any other content is shown as it is.
 */

/** The colours that a page has a legible tone for. */
export type AnsiColor = "black" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white";

export interface AnsiStyle {
	/** Null for the colour of text. */
	color: AnsiColor | null;
	bold: boolean;
	dim: boolean;
	italic: boolean;
	underline: boolean;
}

export interface AnsiPiece extends AnsiStyle {
	text: string;
}

const COLORS: readonly AnsiColor[] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const PLAIN: AnsiStyle = { color: null, bold: false, dim: false, italic: false, underline: false };

const SEQUENCE =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals interpret
	/\u001b\[([\d;:]*)m/g;

/** The parts of a text with equal style, without the sequences between them. No part is empty. */
export function ansiPieces(text: string): AnsiPiece[] {
	const pieces: AnsiPiece[] = [];
	let style = PLAIN;
	let from = 0;
	const add = (to: number) => {
		if (to > from) pieces.push({ ...style, text: text.slice(from, to) });
	};
	for (const { index, 0: sequence, 1: codes = "" } of text.matchAll(SEQUENCE)) {
		add(index);
		from = index + sequence.length;
		style = styleAfter(style, codes);
	}
	add(text.length);
	return pieces;
}

function styleAfter(before: AnsiStyle, codes: string): AnsiStyle {
	let style = before;
	const left = codes.split(/[;:]/).map(Number);
	for (let code = left.shift(); code !== undefined; code = left.shift()) {
		if (code === 0) style = PLAIN;
		else if (code === 1) style = { ...style, bold: true };
		else if (code === 2) style = { ...style, dim: true };
		else if (code === 3) style = { ...style, italic: true };
		else if (code === 4) style = { ...style, underline: true };
		else if (code === 22) style = { ...style, bold: false, dim: false };
		else if (code === 23) style = { ...style, italic: false };
		else if (code === 24) style = { ...style, underline: false };
		else if (code === 38) style = { ...style, color: takeColor(left) };
		else if (code === 39) style = { ...style, color: null };
		// Backgrounds are ignored: with most of them, text is illegible on this page.
		else if (code === 48) takeColor(left);
		else style = { ...style, color: COLORS[code - (code < 90 ? 30 : 90)] ?? style.color };
	}
	return style;
}

/** Takes a colour of 256, or of red, green and blue. @returns the nearest that a page has. */
function takeColor(left: number[]): AnsiColor | null {
	const kind = left.shift();
	if (kind === 5) {
		const index = left.shift() ?? 0;
		if (index < 16) return COLORS[index % 8] ?? null;
		if (index >= 232) return null;
		const cube = index - 16;
		return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part / 5));
	}
	if (kind === 2) return nearest(left.splice(0, 3).map((part) => part / 255));
	return null;
}

/** The named color closest to these color components, each from 0 to 1. Null for a shade of grey. */
function nearest(parts: readonly number[]): AnsiColor | null {
	const [most, least] = [Math.max(...parts), Math.min(...parts)];
	if (parts.length < 3 || most - least < 0.15) return null;
	const strong = parts.map((part) => part - least > (most - least) / 2);
	const index = strong.reduce((sum, isStrong, bit) => sum + (isStrong ? 2 ** bit : 0), 0);
	return COLORS[index] ?? null;
}
