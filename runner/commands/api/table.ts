/** Tables on a terminal. */
import { plainCell, type Style, styled, withoutColors } from "../../base/terminal.ts";

const STYLES: Record<string, Style> = {
	completed: "green",
	ready: "green",
	passed: "green",
	online: "green",
	failed: "red",
	error: "red",
	black: "red",
	frozen: "red",
	partial: "yellow",
	starting: "cyan",
	recording: "cyan",
	uploading: "cyan",
	live: "cyan",
	queued: "dim",
	cancelled: "dim",
	skipped: "dim",
	offline: "dim",
};

/** A status, state, outcome or verdict in its color. */
export function coloredState(state: string): string {
	const style = Object.hasOwn(STYLES, state) ? STYLES[state] : undefined;
	return style === undefined ? state : styled(style, state);
}

const segmenter = new Intl.Segmenter();
const lettersOf = (text: string): string[] => [...segmenter.segment(withoutColors(text))].map(({ segment }) => segment);
/** Characters that terminals draw over two cells: East Asian wide and fullwidth characters, and emoji. */
const WIDE =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const cellsOf = (letter: string): number => (WIDE.test(letter) ? 2 : 1);
const widthOf = (text: string): number =>
	/^[ -~]*$/.test(text) ? text.length : lettersOf(text).reduce((sum, letter) => sum + cellsOf(letter), 0);

/** Narrower columns say nothing. */
const MIN_WIDTH = 4;
const GAP = 2;

/**
 * Rows as aligned columns. On a terminal, the widest columns are cut until a row fits a line; what is piped is complete.
 * @param rows cells of the columns.
 */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	const heads = columns.map((name) => styled("bold", name));
	const lines = [heads, ...rows.map((row) => columns.map((_name, index) => plainCell(row[index] ?? "")))];
	const widths = columns.map((_name, index) =>
		lines.reduce((widest, cells) => Math.max(widest, widthOf(cells[index] ?? "")), 0),
	);
	if (process.stdout.isTTY) narrow(widths, process.stdout.columns || 80);
	return lines
		.map((cells) =>
			cells
				.map((cell, index) => {
					const shown = cut(cell, widths[index] ?? 0);
					const isLast = index === cells.length - 1;
					return isLast ? shown : shown + " ".repeat((widths[index] ?? 0) - widthOf(shown));
				})
				.join(" ".repeat(GAP)),
		)
		.join("\n");
}

/** Takes cells from the widest columns until all of them fit the line. The first one has ids, which are never cut. */
function narrow(widths: number[], line: number): void {
	const gaps = GAP * (widths.length - 1);
	for (let excess = widths.reduce((sum, width) => sum + width, gaps) - line; excess > 0; excess--) {
		const others = widths.slice(1);
		const widest = others.lastIndexOf(Math.max(...others)) + 1;
		if ((widths[widest] ?? 0) <= MIN_WIDTH) return;
		widths[widest] = (widths[widest] ?? 0) - 1;
	}
}

/** A text that is too wide ends with an ellipsis, in its color. */
function cut(text: string, width: number): string {
	if (widthOf(text) <= width) return text;
	let shown = "";
	let left = width - 1;
	for (const letter of lettersOf(text)) {
		left -= cellsOf(letter);
		if (left < 0) break;
		shown += letter;
	}
	// A function, so that "$" in names means nothing.
	return text.replace(withoutColors(text), () => `${shown}…`);
}

/** `2026-11-23 14:05`, in the local time zone. */
export function localTime(timestamp: string): string {
	const at = new Date(timestamp);
	const two = (value: number) => String(value).padStart(2, "0");
	const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
	return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `build=123 branch=main` */
export const labelText = (labels: Record<string, string>): string =>
	Object.entries(labels)
		.map(([key, value]) => `${key}=${value}`)
		.join(" ");
