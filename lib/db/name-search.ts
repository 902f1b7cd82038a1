/** Search by parts of names: trigrams on SQLite (FTS5) and PostgreSQL (pg_trgm). */
import { type RawBuilder, sql } from "kysely";

/** Shorter texts have no trigram, so the index cannot find them. */
const SHORTEST_INDEXED = 3;
/** How many names, newest first, are compared before the index is asked: often they fill the page. */
export const NAMES_BEFORE_INDEX = 500;
/** How many names a text is compared with that is too short for the index. */
export const NAMES_FOR_SHORT = 2_000;

/** @returns the text to search for; null for none. */
export function searchText(q: string | undefined): string | null {
	const text = q?.trim() ?? "";
	return text === "" ? null : text;
}

export const isIndexed = (text: string): boolean => [...text].length >= SHORTEST_INDEXED;

/** Whether a name contains the text, in upper or lower case; on PostgreSQL found by the index. */
export const nameContains = (text: string): RawBuilder<boolean> =>
	sql<boolean>`lower(name) like ${patternOf(text)} escape '\\'`;

/** The same for a few rows that are known: the index would find every other row with this text first. */
export const isNameContaining = (text: string): RawBuilder<boolean> =>
	sql<boolean>`lower(name || '') like ${patternOf(text)} escape '\\'`;

const patternOf = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** The text as a phrase of FTS5's query language. */
export const phraseOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;
