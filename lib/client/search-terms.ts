/** A search as the pages use it. Its language loads with the first search: most visits have none. */
type Language = typeof import("@tapedeck/contract/search.ts");

/** The same number as in the language (MAX_SEARCH_LENGTH), which is not loaded yet. */
export const LONGEST_SEARCH = 1_000;

let language: Language | null = null;

export async function loadSearchLanguage(): Promise<Language> {
	language ??= await import("@tapedeck/contract/search.ts");
	return language;
}

/** The search without what is wrong in it; undefined if nothing is left. */
export async function usableSearch(text: string | undefined): Promise<string | undefined> {
	if (text === undefined) return undefined;
	const loaded = await loadSearchLanguage();
	const { terms, faults } = loaded.parseSearch(text);
	if (faults.length === 0) return text;
	return terms.length === 0 ? undefined : loaded.printSearch(terms);
}
