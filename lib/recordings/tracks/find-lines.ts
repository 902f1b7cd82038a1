/** Finds the lines of a page in blocks of a track. Runs in a thread (track-reader-thread.ts), because it reads every line. */
import { inflateSync } from "node:zlib";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import { TRACK_LEVELS } from "@tapedeck/contract/track.ts";
import { parseLines, type StoredLine } from "./read-line.ts";

/** A line with its number, which breaks ties. */
export interface NumberedLine extends StoredLine {
	id: number;
}

/** Position of a line in the order of a page. */
export type Rank = readonly [at: number, id: number];

export interface LineQuery {
	/** Milliseconds since 1970. */
	earliest: number;
	latest: number;
	/** An index of TRACK_LEVELS; -1 for lines without one, too. */
	leastLevel: number;
	/** In lower case; empty for all. */
	text: string;
	/** 1 for ascending times, -1 for descending ones. */
	sign: 1 | -1;
	/** Only lines behind this one, and before that one. */
	after: Rank | null;
	before: Rank | null;
	/** At most so many lines. */
	limit: number;
}

/** A block as it is stored. */
export interface StoredBlock {
	firstLine: number;
	content: Uint8Array;
}

/** The first lines of these blocks that match, in the order of the query. */
export function findLines(query: LineQuery, blocks: readonly StoredBlock[]): NumberedLine[] {
	const { earliest, latest, leastLevel, text, after, before } = query;
	const lines: NumberedLine[] = [];
	for (const { content, firstLine } of blocks) {
		if (content.length === 0) continue;
		for (const [index, line] of parseLines(inflateSync(content).toString()).entries()) {
			const { at, level } = line;
			if (at < earliest || at > latest) continue;
			if ((level === null ? -1 : TRACK_LEVELS.indexOf(level)) < leastLevel) continue;
			const rank = rankOf(query, { at, id: firstLine + index });
			if (after !== null && compareRanks(rank, after) <= 0) continue;
			if (before !== null && compareRanks(rank, before) >= 0) continue;
			if (text !== "" && !withoutColours(line.text).toLowerCase().includes(text)) continue;
			lines.push({ ...line, id: firstLine + index });
		}
	}
	return inOrder(query, lines);
}

export const rankOf = ({ sign }: Pick<LineQuery, "sign">, { at, id }: { at: number; id: number }): Rank => [
	sign * at,
	sign * id,
];

export const compareRanks = (a: Rank, b: Rank): number => a[0] - b[0] || a[1] - b[1];

/** Sorts the lines, and cuts them to the limit. */
export const inOrder = (query: Pick<LineQuery, "sign" | "limit">, lines: readonly NumberedLine[]): NumberedLine[] =>
	[...lines].sort((a, b) => compareRanks(rankOf(query, a), rankOf(query, b))).slice(0, query.limit);
