/** What lists and searches say to SQLite in its own way. */
import { type RawBuilder, sql } from "kysely";
import { containing, hasErrorText, type SearchedTable } from "./plan.ts";

/** Rows that an index of words has found: `where` is what it finds, and joins the rows, whose ids are in `id`. */
export interface FoundByWords {
	from: RawBuilder<unknown>;
	id: RawBuilder<unknown>;
	where: readonly RawBuilder<unknown>[];
}

export interface SearchDialect {
	/** The value of a row's label; null without it. @param key one that labels can have. */
	label(labels: RawBuilder<unknown>, key: string): RawBuilder<string | null>;
	/** Whether a long text in lower case has the part, which is in lower case too. */
	has(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
	/** The rows with all these texts, of at least three characters each, in their name, search text or error lines. */
	withTexts(table: SearchedTable, texts: readonly string[]): FoundByWords;
	/** A column that other indexes find better than its own. */
	unindexed(column: RawBuilder<unknown>): RawBuilder<unknown>;
}

export const sqlite: SearchDialect = {
	label: (labels, key) => sql`json_extract(${labels}, ${`$."${key}"`})`,

	/** In half of the time of instr(). */
	has: (text, part) => sql`${text} like ${containing(part)} escape '\\'`,

	/** FTS5 with trigrams. A cross join is read in this order: the indexes find, and the row is looked up. */
	withTexts(table, texts) {
		const id = sql.ref(`${table}.id`);
		const phrases = texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(" AND ");
		const index = sql.table(`${table}Search`);
		const named = sql`select rowid as id from ${index} where ${index} match ${phrases}`;
		const found = hasErrorText(table) ? sql`${named} union ${idsByErrorText(table, phrases)}` : named;
		return { from: sql`(${found}) as found cross join ${sql.table(table)}`, id, where: [sql`${id} = found.id`] };
	},

	/** Without statistics, the planner prefers the organization's index to narrower ones. `+` hides the column. */
	unindexed: (column) => sql`+${column}`,
};

function idsByErrorText(table: "job" | "recording", phrases: string): RawBuilder<unknown> {
	const index = sql.table("errorTextSearch");
	const matches = sql`${index} match ${phrases}`;
	return table === "job"
		? sql`select rowid as id from ${index} where ${matches}`
		: sql`select recording.id from ${index} cross join recording on recording."jobId" = ${index}.rowid where ${matches}`;
}
