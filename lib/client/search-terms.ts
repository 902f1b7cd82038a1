/** A search as the pages use it. Its language loads with the first search: most visits have none. */
import type { ParsedSearch, Searched } from "@tapedeck/contract/search.ts";

type Language = typeof import("@tapedeck/contract/search.ts");

/** As in the language (MAX_SEARCH_LENGTH), which is not loaded yet. */
export const LONGEST_SEARCH = 1_000;

let language: Language | null = null;
let last: { text: string; parsed: ParsedSearch } | null = null;

export async function loadSearchLanguage(): Promise<Language> {
	language ??= await import("@tapedeck/contract/search.ts");
	return language;
}

/** The same as `parseSearch`, remembered: every change of every job is held against the same search. */
function parsed({ parseSearch }: Language, text: string): ParsedSearch {
	if (last?.text !== text) last = { text, parsed: parseSearch(text) };
	return last.parsed;
}

/** Whether something matches the search; before the language is loaded, its name alone counts. */
export function isFound(text: string, one: Searched): boolean {
	if (language === null) return one.name.toLowerCase().includes(text.toLowerCase());
	return language.matchesSearch(parsed(language, text).terms, one);
}

/** The search without what is wrong in it; undefined if nothing is left. */
export async function usableSearch(text: string | undefined): Promise<string | undefined> {
	if (text === undefined) return undefined;
	const loaded = await loadSearchLanguage();
	const { terms, faults } = parsed(loaded, text);
	if (faults.length === 0) return text;
	return terms.length === 0 ? undefined : loaded.printSearch(terms);
}
