/** What lists and searches say to PostgreSQL in its own way. */
import { type RawBuilder, sql } from "kysely";
import { containing, contains, hasErrorText, rarestFirst } from "./plan.ts";
import type { SearchDialect } from "./sqlite.ts";

export const postgres: SearchDialect = {
	label: (labels, key) => sql`(${labels}::jsonb ->> ${key})`,

	/** In a third of the time of LIKE. */
	has: (text, part) => sql`strpos(${text}, ${part}) > 0`,

	/**
	 * By pg_trgm's indexes of names, search texts and error lines (lib/db/postgres-search.ts); where they are missing, by reading
	 * every row. The jobs of error lines are an array, so that their index is one of those that the planner combines.
	 */
	withTexts(table, texts) {
		const [name, searchText] = [sql.ref(`${table}.name`), sql.ref(`${table}.searchText`)];
		const named = and(texts.map((text) => sql`(${contains(name, text)} or ${contains(searchText, text)})`));
		const jobId = sql.ref(table === "job" ? "job.id" : `${table}.jobId`);
		// Stored in lower case. LIKE, as its index knows no other way.
		const hasText = (text: string) =>
			sql`(named || chr(10) || text) like ${containing(text.toLowerCase())} escape '\\'`;
		// The planner takes a long text for as cheap as a short one, and would read all of them where the table has few rows. It
		// counts the look-up for each row that it compares; only those that match are looked up.
		const isLong = sql`(select true from "errorText" as same where same."jobId" = "errorText"."jobId")`;
		const hasTexts = and([...rarestFirst(texts).map(hasText), isLong]);
		const byErrorText = sql`${jobId} = any (array(select "jobId" from "errorText" where ${hasTexts}))`;
		return {
			from: sql.table(table),
			id: sql.ref(`${table}.id`),
			where: [hasErrorText(table) ? sql`(${named} or ${byErrorText})` : named],
		};
	},

	/** The planner knows which index is narrow. It would expect few rows of an expression, and so read them all to sort them. */
	unindexed: (column) => column,
};

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
	sql`(${sql.join(conditions, sql` and `)})`;
