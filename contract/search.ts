/**
 * The search language of `q`: words, `key:value` and `label:key=value`, a leading `-` for "not", quotes around what has
 * spaces. Parsed here for the API, the pages and the command line. Without zod, because pages need it in their first load.
 */
import { JOB_STATUSES } from "./job-status.ts";
import { OUTCOMES, VERDICTS } from "./recording-kinds.ts";

export const MAX_SEARCH_LENGTH = 1_000;
/** Words and filters of a search: each is compared with every row that is looked at. */
export const MAX_SEARCH_TERMS = 20;

/** Keys that are short for a label. */
export const LABEL_KEYS = ["build", "branch", "commit", "test", "suite", "file", "owner"] as const;
export const SEARCH_KEYS = [
	...LABEL_KEYS,
	"outcome",
	"verdict",
	"status",
	"runner",
	"session",
	"message",
	"cause",
	"screen",
	"flaky",
	"new",
	"after",
	"before",
	"label",
] as const;
export type SearchKey = (typeof SEARCH_KEYS)[number];
/** The values of keys that have a fixed few. `none`: nobody has said yet. */
export const SEARCH_VALUES: Partial<Record<SearchKey, readonly string[]>> = {
	outcome: [...OUTCOMES, "none"],
	verdict: VERDICTS,
	status: JOB_STATUSES,
	flaky: ["yes", "no"],
	new: ["yes", "no"],
};

/** Terms of one key that are not negated are alternatives; otherwise all terms have to hold. */
export type SearchTerm = { not: boolean } & (
	| { kind: "word"; text: string }
	/** Null for any value. */
	| { kind: "label"; key: string; value: string | null }
	| { kind: "outcome" | "verdict" | "status" | "runner" | "session" | "after" | "before"; value: string }
	/** Terms for test results. */
	| { kind: "message" | "cause" | "screen" | "flaky" | "new"; value: string }
);

/** A fault of a search, and its place in the text, from 0. */
export interface SearchFault {
	at: number;
	length: number;
	message: string;
}

export interface ParsedSearch {
	terms: SearchTerm[];
	/** The position of each term in the text, for marking and removing it. */
	places: { at: number; length: number }[];
	faults: SearchFault[];
}

/** A piece of a search between spaces: one term. */
export interface SearchToken {
	/** Its position in the text: from `at` up to, but without, `end`. */
	at: number;
	end: number;
	/** The text of the word, without quotes. */
	text: string;
	/** Number of characters of `text` before the first quote. */
	bare: number;
	/** Its last quote is never closed. */
	isOpen: boolean;
}

/** Splits a search into its terms. Nothing else splits one: what is completed, marked or removed is what is parsed. */
export function tokensOf(text: string): SearchToken[] {
	const tokens: SearchToken[] = [];
	let at = 0;
	while (at < text.length) {
		if (/\s/.test(text[at] as string)) {
			at += 1;
			continue;
		}
		const token: SearchToken = { at, end: at, text: "", bare: -1, isOpen: false };
		let isQuoted = false;
		for (; at < text.length; at += 1) {
			const char = text[at] as string;
			if (!isQuoted && /\s/.test(char)) break;
			if (char === '"') {
				if (token.bare < 0) token.bare = token.text.length;
				isQuoted = !isQuoted;
			} else if (isQuoted && char === "\\" && /["\\]/.test(text[at + 1] ?? "")) {
				at += 1;
				token.text += text[at];
			} else token.text += char;
		}
		if (token.bare < 0) token.bare = token.text.length;
		tokens.push({ ...token, end: at, isOpen: isQuoted });
	}
	return tokens;
}

/** A day or an instant, as `after:` and `before:` take them. */
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A moment in milliseconds since 1970; a day begins in UTC. Null if it is none. */
export function momentOf(value: string): number | null {
	if (!MOMENT.test(value)) return null;
	const ms = Date.parse(/T.*[\dZ]$/.test(value) && !/(Z|[+-]\d\d:\d\d)$/.test(value) ? `${value}Z` : value);
	return Number.isNaN(ms) ? null : ms;
}

/** The parts of a token: `-key:value`, or `-text` without a key. Quotes around the sign or the key make them text. */
export function partsOf({ text: written, bare }: SearchToken): { not: boolean; key: string | null; value: string } {
	const not = written.startsWith("-") && bare > 0 && written.length > 1;
	const text = not ? written.slice(1) : written;
	const [, key = null] = /^([a-z]+):/.exec(text.slice(0, not ? bare - 1 : bare)) ?? [];
	return { not, key, value: key === null ? text : text.slice(key.length + 1) };
}

/** @returns the term, or what is wrong with it. */
function termOf(token: SearchToken): SearchTerm | string {
	const { not, key, value } = partsOf(token);
	const text = key === null ? value : `${key}:${value}`;
	if (key === null) return { kind: "word", text, not };
	if (!SEARCH_KEYS.some((known) => known === key)) {
		// An address.
		if (value.startsWith("//")) return { kind: "word", text, not };
		return `There is no filter "${key}". Use one of ${SEARCH_KEYS.join(", ")}, or put quotes around it to search for the words.`;
	}
	if (value === "") return `Add a value after ${key}:, or put quotes around it to search for the word.`;
	if ((LABEL_KEYS as readonly string[]).includes(key)) return { kind: "label", key, value, not };
	if (key === "label") {
		const equals = value.indexOf("=");
		const name = equals < 0 ? value : value.slice(0, equals);
		if (name === "") return "Name a label, such as label:team=web or label:flaky.";
		return { kind: "label", key: name, value: equals < 0 ? null : value.slice(equals + 1), not };
	}
	const kind = key as Exclude<SearchTerm["kind"], "word" | "label">;
	const values = SEARCH_VALUES[kind];
	if (values?.includes(value) === false) return `Use ${key}: with one of ${values.join(", ")}.`;
	if ((kind === "after" || kind === "before") && momentOf(value) === null) {
		return `Use ${key}: with a day such as 2026-11-20, or a time such as 2026-11-20T08:00Z.`;
	}
	return { kind, value, not };
}

/** Reads a search. Whatever is wrong with it is in `faults`; the other terms are read all the same. Never throws. */
export function parseSearch(text: string): ParsedSearch {
	const parsed: ParsedSearch = { terms: [], places: [], faults: [] };
	const tokens = tokensOf(text);
	const excess = tokens.filter(({ text }) => text !== "").slice(MAX_SEARCH_TERMS);
	for (const token of tokens) {
		const place = { at: token.at, length: token.end - token.at };
		if (token === excess[0]) {
			const message = `A search has at most ${MAX_SEARCH_TERMS} words and filters: remove ${excess.length}.`;
			parsed.faults.push({ at: token.at, length: text.trimEnd().length - token.at, message });
			break;
		}
		if (token.isOpen) {
			parsed.faults.push({ ...place, message: 'Close the quotes: a " is missing.' });
			continue;
		}
		// Quotes around nothing.
		if (token.text === "") continue;
		const term = termOf(token);
		if (typeof term === "string") parsed.faults.push({ ...place, message: term });
		else {
			parsed.terms.push(term);
			parsed.places.push(place);
		}
	}
	return parsed;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
/** A value, or the key of a label, as it is written after a colon. */
export const valueText = (value: string): string => (/[\s"]/.test(value) || value === "" ? quoted(value) : value);

/** A term as it is written. */
export function printTerm(term: SearchTerm): string {
	const sign = term.not ? "-" : "";
	switch (term.kind) {
		case "word": {
			const isPlain = /^[^\s"-][^\s":]*$/.test(term.text);
			return sign + (isPlain ? term.text : quoted(term.text));
		}
		case "label": {
			const { key, value } = term;
			if (value !== null && value !== "" && (LABEL_KEYS as readonly string[]).includes(key)) {
				return `${sign}${key}:${valueText(value)}`;
			}
			return `${sign}label:${valueText(key)}${value === null ? "" : `=${value === "" ? "" : valueText(value)}`}`;
		}
		default:
			return `${sign}${term.kind}:${valueText(term.value)}`;
	}
}

export const printSearch = (terms: readonly SearchTerm[]): string => terms.map(printTerm).join(" ");

/** A search without the term at `place`; the rest of it stays as it was written. */
export function withoutTerm(text: string, { at, length }: { at: number; length: number }): string {
	return `${text.slice(0, at).trimEnd()} ${text.slice(at + length).trimStart()}`.trim();
}
