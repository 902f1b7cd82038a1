/** The parts of lists and searches that are specific to SQLite. */
import { type RawBuilder, sql } from "kysely";
import { containing, hasErrorText, type SearchedTable } from "./plan.ts";

/** Rows found by an index of words: `where` is the index's condition and joins the rows, whose ids are in `id`. */
export interface FoundByWords {
	from: RawBuilder<unknown>;
	id: RawBuilder<unknown>;
	where: readonly RawBuilder<unknown>[];
}

export interface SearchDialect {
	/** The value of a row's label, or null. @param key a key that labels can have. */
	label(labels: RawBuilder<unknown>, key: string): RawBuilder<string | null>;
	/** Whether a long text contains the part. Both are in lower case. */
	has(text: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
	/** The rows with all these texts, of at least three characters each, in their name, search text or error lines. */
	withTexts(table: SearchedTable, texts: readonly string[]): FoundByWords;
	/** A column for which another index is better than its own. */
	unindexed(column: RawBuilder<unknown>): RawBuilder<unknown>;
}

export const sqlite: SearchDialect = {
	label: (labels, key) => sql`json_extract(${labels}, ${`$."${key}"`})`,

	/** Takes half of the time of instr(). */
	has: (text, part) => sql`${text} like ${containing(part)} escape '\\'`,

	/** FTS5 with trigrams. SQLite keeps the order of a cross join: it asks the index first, then looks up the row. */
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
