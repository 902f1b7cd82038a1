/** Markdown within a number of bytes: what does not fit is left out, and said to be. */
import { markdownBlock, markdownText } from "@tapedeck/contract/markdown.ts";

const ELLIPSIS = "…";

/** On one line, and no longer than `max` characters. */
export function oneLine(text: string, max = 200): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length <= max ? line : `${line.slice(0, max - 1)}${ELLIPSIS}`;
}

/** The same without any meaning in Markdown. */
export const escapedLine = (text: string, max?: number): string => markdownText(oneLine(text, max));

/** A block of text that Markdown shows as it is, of at most `maxBytes` of the text. */
export function quoted(text: string, maxBytes: number): string {
	return markdownBlock(cut(text.trimEnd(), maxBytes));
}

function cut(text: string, maxBytes: number): string {
	const bytes = Buffer.from(text);
	if (bytes.length <= maxBytes) return text;
	const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, Math.max(0, maxBytes)), {
		stream: true,
	});
	return `${whole}${ELLIPSIS}`;
}

/** The last lines that are together no longer than `maxBytes`. */
export function lastWithin(lines: readonly string[], maxBytes: number): readonly string[] {
	let [first, bytes] = [lines.length, 0];
	while (first > 0) {
		bytes += Buffer.byteLength(lines[first - 1] ?? "") + 1;
		if (bytes > maxBytes) break;
		first -= 1;
	}
	return lines.slice(first);
}

export interface Block {
	text: string;
	/** Blocks with a lower number are taken first. */
	priority: number;
}

/**
 * @param blocks in their order in the text.
 * @returns those that fit, joined by empty lines.
 */
export function fitting(blocks: readonly Block[], maxBytes: number): string {
	const byPriority = blocks
		.map((block, index) => ({ ...block, index }))
		.sort((a, b) => a.priority - b.priority || a.index - b.index);
	const taken = new Set<number>();
	const note = "_More is left out: send a larger maxTokens._";
	let left = maxBytes - bytesOf(note);
	for (const { text, index } of byPriority) {
		if (text === "" || bytesOf(text) > left) continue;
		left -= bytesOf(text);
		taken.add(index);
	}
	const isWhole = blocks.every(({ text }, index) => text === "" || taken.has(index));
	const shown = blocks.filter((_, index) => taken.has(index)).map(({ text }) => text);
	return `${[...shown, ...(isWhole ? [] : [note])].join("\n\n")}\n`;
}

/** Size with the empty line that follows. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + 2;
