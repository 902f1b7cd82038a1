/** What lists and searches say to SQLite in its own way. */
import { type RawBuilder, sql } from "kysely";
import type { SearchedTable } from "./plan.ts";

/** Rows that an index of words has found: `where` is what it finds, and joins the rows, whose ids are in `id`. */
export interface FoundByWords {
	from: RawBuilder<unknown>;
	id: RawBuilder<unknown>;
	where: readonly RawBuilder<unknown>[];
}

export interface SearchDialect {
	/** The value of a row's label; null without it. @param key one that labels can have. */
	label(labels: RawBuilder<unknown>, key: string): RawBuilder<string | null>;
	/** The rows with all these texts, of at least three characters each, in their name or search text. */
	withTexts(table: SearchedTable, texts: readonly string[]): FoundByWords;
	/** A column that other indexes find better than its own. */
	unindexed(column: RawBuilder<unknown>): RawBuilder<unknown>;
}

export const sqlite: SearchDialect = {
	label: (labels, key) => sql`json_extract(${labels}, ${`$."${key}"`})`,

	/** FTS5 with trigrams. A cross join is read in this order: the index finds, and the row is looked up. */
	withTexts(table, texts) {
		const [index, row] = [sql.table(`${table}Search`), sql.table(table)];
		const phrases = texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(" AND ");
		return {
			from: sql`${index} cross join ${row}`,
			id: sql`${index}.rowid`,
			where: [sql`${index} match ${phrases}`, sql`${row}.id = ${index}.rowid`],
		};
	},

	/** Without statistics, the planner prefers the organization's index to narrower ones. `+` hides the column. */
	unindexed: (column) => sql`+${column}`,
};
