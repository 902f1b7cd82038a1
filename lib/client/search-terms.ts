/** A search as the pages use it. */
import { type ParsedSearch, parseSearch, printSearch } from "#lib/contract/search.ts";

let last: { text: string; parsed: ParsedSearch } | null = null;

/** The same as `parseSearch`, remembered: every change of every job is held against the same search. */
export function parsedSearch(text: string): ParsedSearch {
	if (last?.text !== text) last = { text, parsed: parseSearch(text) };
	return last.parsed;
}

/** The search without what is wrong in it; undefined if nothing is left. */
export function usableSearch(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const { terms, faults } = parsedSearch(text);
	if (faults.length === 0) return text;
	return terms.length === 0 ? undefined : printSearch(terms);
}
