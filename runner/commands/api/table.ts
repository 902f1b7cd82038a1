/** Tables and colors on a terminal. Colors follow NO_COLOR and FORCE_COLOR; other output has none. */
import { stripVTControlCharacters, styleText } from "node:util";

type Style = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** Text in a color where standard output shows one. */
export const styled = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

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
const lengthOf = (text: string): number => [...segmenter.segment(stripVTControlCharacters(text))].length;

/** @param rows cells of the columns; the last column is cut where the terminal ends. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	const widths = columns.map((name, index) =>
		Math.max(...[name, ...rows.map((row) => row[index] ?? "")].map(lengthOf)),
	);
	const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
	const space = process.stdout.isTTY ? Math.max(10, process.stdout.columns - before) : Number.POSITIVE_INFINITY;
	const line = (cells: readonly string[]) =>
		cells
			.map((cell, index) =>
				index === cells.length - 1 ? cut(cell, space) : cell + " ".repeat((widths[index] ?? 0) - lengthOf(cell)),
			)
			.join("  ");
	return [line(columns.map((name) => styled("bold", name))), ...rows.map(line)].join("\n");
}

function cut(text: string, space: number): string {
	if (lengthOf(text) <= space) return text;
	const letters = [...segmenter.segment(stripVTControlCharacters(text))].map(({ segment }) => segment);
	return `${letters.slice(0, space - 1).join("")}…`;
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
