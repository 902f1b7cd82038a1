/**
 * What failures of different words have in common: the cause of a failure is a hash of its message without what changes from
 * run to run. Deterministic, and the same on every dashboard; a change of the rules gives later failures new causes.
 */
import { createHash } from "node:crypto";
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";

/** Longer messages differ at their ends, in logs and page sources. */
const MAX_LINES = 12;

/** Lines that say where and with what, not why: frames of stacks, and what WebDriver and runners add. */
const NOT_THE_REASON = [
	/^\s*at\s.+[:(]/,
	/^\s*File ".*", line \d+/,
	/^\s*(?:Call log|Logs?|Build info|System info|Driver info|Session ID|Session info|Element info|Capabilities|Command|Stacktrace|Traceback|Diff|Because this error occurred)\b.*[:{[(]?/i,
	/^\s*(?:For documentation on this error|See https?:)/i,
	/^\s*\(Session info:/i,
	// Diffs, and the pointer below a line.
	/^\s*(?:E\s+)?[-+?]\s/,
	/^(?:E\s)?[\^~\s]+$/,
	/^\s*\d+\s*\|/,
	/^\s*>\s/,
];
/** From here on, a log of what was tried: it differs in times and in how often. */
const LOG_BEGINS = /^\s*(?:Call log|=+ logs? =+)/i;

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*";

/** Pairs of quotation marks; a backslash escapes within those that programs write. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "`": "`", "“": "”", "‘": "’", "«": "»" };
const SINGLE_QUOTES: Readonly<Record<string, string>> = { "'": "'" };
const ESCAPED_WITHIN = "\"'";
const WORD_CHARACTER = /[\p{L}\d]/u;

/**
 * Replaces quoted text within a line. This takes time in proportion to the length; an expression that knows escapes does not.
 * @param quotes closing marks by opening ones; an apostrophe within a word is neither.
 */
function withoutQuoted(text: string, quotes: Readonly<Record<string, string>>): string {
	const isInWord = (index: number) => WORD_CHARACTER.test(text[index] ?? "");
	/** The place at which the last search stopped, by opening mark. A search from before that place stops there, too. */
	const stopped = new Map<string, number>();
	let result = "";
	let copied = 0;
	for (let index = 0; index < text.length; index += 1) {
		const open = text[index] ?? "";
		const close = quotes[open];
		if (close === undefined || index < (stopped.get(open) ?? 0) || (open === "'" && isInWord(index - 1))) continue;
		let end = index + 1;
		while (end < text.length && text[end] !== close && text[end] !== "\n") {
			end += text[end] === "\\" && ESCAPED_WITHIN.includes(open) && text[end + 1] !== "\n" ? 2 : 1;
		}
		if (text[end] !== close || (open === "'" && isInWord(end + 1))) {
			stopped.set(open, end);
			continue;
		}
		result += `${text.slice(copied, index)}"…"`;
		copied = end + 1;
		index = end;
	}
	return result + text.slice(copied);
}

/**
 * In this order: what a later one looks for, an earlier one may contain. Messages come from anywhere, so each takes time in
 * proportion to their length: a repetition is bounded, or cannot begin again within what it has tried.
 */
const CHANGES: readonly (readonly [RegExp, string])[] = [
	[/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s)\]}>,;]+/gi, "URL"],
	[/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|UTC|GMT)?(?:[+-]\d\d:?\d\d)?)?/g, "TIME"],
	[new RegExp(`\\b(?:${DAY},?\\s+)?(?:\\d{1,2}\\s+${MONTH}|${MONTH}\\s+\\d{1,2}),?(?:\\s+\\d{4})?`, "g"), "TIME"],
	[/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT)(?:[+-]\d{1,4})?)?/gi, "TIME"],
	[/(?:TIME[\s,]*)+(?:\([\p{L} ]+\))?/gu, "TIME "],
	[/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "ID"],
	// Paths of Windows, of Unix, and relative ones of at least two names.
	[/\b[a-z]:[\\/][^\s"'):,;]+/gi, "PATH"],
	[/(?<![\w.])(?:~|\.{1,2})?\/(?:[^\s"'():,;/]+\/)*[^\s"'():,;/]+/g, "PATH"],
	[/(?<![\w/.@-])(?:[\w.@-]+\/)+[\w.-]+\.\w{1,5}\b/g, "PATH"],
	[/PATH(?::\d+)+/g, "PATH"],
	[/\b0x[0-9a-f]+\b/gi, "ID"],
	// Hashes, and ids that mix letters and digits.
	[/\b(?=[a-f]*\d)[0-9a-f]{6,}\b/gi, "ID"],
	[/\b[0-9a-f]{8,}\b/gi, "ID"],
	[/\b(?=(?:[a-z]+\d+){2,}|(?:\d+[a-z]+){2,})[0-9a-z]{8,}\b/gi, "ID"],
	[
		/(?<!\d[.,'_]?)[-+]?\d+(?:[.,'_]\d+)*(?:e[-+]?\d+)?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b/gi,
		"TIME",
	],
	[/(?<![\p{L}\d])-?\d+(?:[.,_]\d+)*(?:e[-+]?\d+)?/giu, "0"],
	[/\d+/g, "0"],
];

/** A message without what changes, on one line. */
export function normalizedMessage(message: string): string {
	const lines: string[] = [];
	for (const line of (sanitizeMessage(message) ?? "").split("\n")) {
		if (LOG_BEGINS.test(line) && lines.length > 0) break;
		const begun = line.trimStart();
		if (begun === "" || NOT_THE_REASON.some((pattern) => pattern.test(begun))) continue;
		lines.push(line.replace(/^\s*E\s{2,}/, ""));
		if (lines.length === MAX_LINES) break;
	}
	const text = lines.join("\n");
	const unquoted = withoutQuoted(withoutQuoted(text, QUOTES), SINGLE_QUOTES);
	return CHANGES.reduce((text, [pattern, name]) => text.replace(pattern, name), unquoted)
		.replace(/\s+/g, " ")
		.trim();
}

/** @returns 16 hexadecimal digits. @param message null for a failure without one, which is a cause, too. */
export function causeOf(message: string | null): string {
	return createHash("sha256")
		.update(normalizedMessage(message ?? ""))
		.digest("hex")
		.slice(0, 16);
}
