/** Parses the palette's text, scores how well names match it, and finds the part of each name to highlight. */
import { parseSearch, printSearch, type SearchTerm } from "@tapedeck/contract/search.ts";

export interface PaletteSearch {
	terms: readonly SearchTerm[];
	/** Words that names must contain. */
	words: readonly string[];
	/** Whether the search consists of words only. Items that have only a name are then found by these words. */
	isPlain: boolean;
	/** The query for the API. */
	q: string;
}

/**
 * Reads the text as a search. Text that is not a valid filter (yet) is searched literally: `error: timeout`, `"open
 * quote`.
 */
export function readSearch(text: string): PaletteSearch {
	const { terms: read, faults } = parseSearch(text);
	const written = faults.flatMap(({ at, length }): SearchTerm[] => {
		const word = text
			.slice(at, at + length)
			.replaceAll('"', "")
			.trim();
		return word === "" ? [] : [{ kind: "word", not: false, text: word }];
	});
	const terms = [...read, ...written];
	return {
		terms,
		words: terms.flatMap((term) => (term.kind === "word" && !term.not ? [term.text.toLowerCase()] : [])),
		isPlain: terms.every(({ kind }) => kind === "word"),
		q: printSearch(terms),
	};
}

/** Scores how well `name` matches: 0 for no match, otherwise higher is better. The name must contain every word. */
function matchScore(name: string, words: readonly string[]): number {
	const lower = name.toLowerCase();
	let score = 1;
	for (const word of words) {
		const at = lower.indexOf(word);
		if (at < 0) return 0;
		if (at === 0) score += 3;
		else if (/[^\p{L}\p{N}]/u.test(lower[at - 1] ?? "")) score += 2;
		else score += 1;
	}
	return score;
}

/** The items, those whose names match best first; equal ones keep their order. @param nameOf the text of an item */
export function bestFirst<T>(items: readonly T[], { words }: PaletteSearch, nameOf: (item: T) => string): T[] {
	return items
		.map((item) => ({ item, score: matchScore(nameOf(item), words) }))
		.sort((one, other) => other.score - one.score)
		.map(({ item }) => item);
}

/** The items that match by name, best first. For items that are found by their names only. */
export function bestMatches<T>(items: readonly T[], search: PaletteSearch, nameOf: (item: T) => string): T[] {
	if (!search.isPlain) return [];
	const excluded = search.terms.flatMap((term) => (term.kind === "word" && term.not ? [term.text.toLowerCase()] : []));
	const isFound = (item: T) => {
		const name = nameOf(item);
		return matchScore(name, search.words) > 0 && !excluded.some((word) => name.toLowerCase().includes(word));
	};
	return bestFirst(items.filter(isFound), search, nameOf);
}

/** Splits `name` into the parts that match the words and the parts between them. */
export function highlight(name: string, { words }: PaletteSearch): { text: string; found: boolean; at: number }[] {
	if (words.length === 0) return [{ text: name, found: false, at: 0 }];
	const patterns = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	let at = 0;
	return name
		.split(new RegExp(`(${patterns.join("|")})`, "iu"))
		.map((piece, index) => {
			const start = at;
			at += piece.length;
			return { text: piece, found: index % 2 === 1, at: start };
		})
		.filter((piece) => piece.text !== "");
}
