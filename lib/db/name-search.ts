/** Search by parts of names: trigrams on SQLite (FTS5) and PostgreSQL (pg_trgm). */
import { type RawBuilder, sql } from "kysely";

/** Shorter texts have no trigram, so the index cannot find them. */
const SHORTEST_INDEXED = 3;
/** How many rows a page looks at, in the order of the list, before it asks the index for words or ends: often they fill it. */
export const LOOKED_AT = 500;
/** How many names a text is compared with that is too short for the index. */
export const NAMES_FOR_SHORT = 2_000;

export const isIndexed = (text: string): boolean => [...text].length >= SHORTEST_INDEXED;

/** Whether a name or the search text contains the text, in upper or lower case; on PostgreSQL found by the indexes. */
export const isFoundBy = (table: string, text: string): RawBuilder<boolean> =>
	sql<boolean>`(${contains(sql.ref(`${table}.name`), text)} or ${contains(sql.ref(`${table}.searchText`), text)})`;

/** The same for a few rows that are known: the index would find every other row with this text first. */
export const textContains = (table: string, text: string): RawBuilder<boolean> =>
	contains(sql`${sql.ref(`${table}.name`)} || ${"\n"} || coalesce(${sql.ref(`${table}.searchText`)}, '')`, text);

/** Whether a value contains the text, in upper or lower case. */
export function contains(value: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
	// The databases fold the case of ASCII letters alone.
	const spellings = new Set(isAscii(text) ? [text] : [text, text.toLowerCase(), text.toUpperCase()]);
	const each = [...spellings].map((spelling) => {
		const pattern = `%${spelling.replace(/[\\%_]/g, "\\$&")}%`;
		return sql`lower(${value}) like lower(${pattern}) escape '\\'`;
	});
	return sql<boolean>`(${sql.join(each, sql` or `)})`;
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * The part of a word that the index looks for. A search costs as much as the most frequent of its trigrams, such as those
 * of `test-` where every name has them; trigrams with two digits are in few names. Who has the part is compared with the
 * whole word.
 */
export function rarestPartOf(word: string): string {
	const parts = isAscii(word) ? (word.match(/\D?\d\d(?:\d|\D(?=\d\d))*\D?/g) ?? []) : [];
	const longest = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
	return isIndexed(longest) ? longest : word;
}

/** All the words, each as a phrase of FTS5's query language. */
export const phrasesOf = (words: readonly string[]): string =>
	words.map((text) => `"${text.replaceAll('"', '""')}"`).join(" AND ");
