/** The parts of lists and searches that are specific to PostgreSQL. */
import { type RawBuilder, sql } from "kysely";
import { containing, contains, hasErrorText, rarestFirst } from "./plan.ts";
import type { SearchDialect } from "./sqlite.ts";

export const postgres: SearchDialect = {
	label: (labels, key) => sql`(${labels}::jsonb ->> ${key})`,

	/** Takes a third of the time of LIKE. */
	has: (text, part) => sql`strpos(${text}, ${part}) > 0`,

	/**
	 * Uses pg_trgm's indexes of names, search texts and error lines (lib/db/postgres-search.ts). Where they are missing,
	 * every row is read. The jobs of error lines are an array, so that the planner can combine their index with others.
	 */
	withTexts(table, texts) {
		const [name, searchText] = [sql.ref(`${table}.name`), sql.ref(`${table}.searchText`)];
		const named = and(texts.map((text) => sql`(${contains(name, text)} or ${contains(searchText, text)})`));
		const jobId = sql.ref(table === "job" ? "job.id" : `${table}.jobId`);
		// The text is stored in lower case. LIKE, because its index supports nothing else.
		const hasText = (text: string) =>
			sql`(named || chr(10) || text) like ${containing(text.toLowerCase())} escape '\\'`;
		// The planner assumes that a long text costs as much as a short one, and would read all of them in a table with few
		// rows. It adds the cost of this look-up to each compared row, but only matching rows are looked up.
		const isLong = sql`(select true from "errorText" as same where same."jobId" = "errorText"."jobId")`;
		const hasTexts = and([...rarestFirst(texts).map(hasText), isLong]);
		const byErrorText = sql`${jobId} = any (array(select "jobId" from "errorText" where ${hasTexts}))`;
		return {
			from: sql.table(table),
			id: sql.ref(`${table}.id`),
			where: [hasErrorText(table) ? sql`(${named} or ${byErrorText})` : named],
		};
	},

	/**
	 * The planner knows which index is narrow. For an expression it would expect few rows, and so read and sort them all.
	 */
	unindexed: (column) => column,
};

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
	sql`(${sql.join(conditions, sql` and `)})`;
