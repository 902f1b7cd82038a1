/** What lists and searches say to PostgreSQL in its own way. */
import { sql } from "kysely";
import { contains } from "./plan.ts";
import type { SearchDialect } from "./sqlite.ts";

export const postgres: SearchDialect = {
	label: (labels, key) => sql`(${labels}::jsonb ->> ${key})`,

	/** By pg_trgm's indexes of both columns (lib/db/postgres-search.ts); where they are missing, by reading every row. */
	withTexts(table, texts) {
		const [name, searchText] = [sql.ref(`${table}.name`), sql.ref(`${table}.searchText`)];
		return {
			from: sql.table(table),
			id: sql.ref(`${table}.id`),
			where: texts.map((text) => sql`(${contains(name, text)} or ${contains(searchText, text)})`),
		};
	},

	/** The planner knows which index is narrow. It would expect few rows of an expression, and so read them all to sort them. */
	unindexed: (column) => column,
};
