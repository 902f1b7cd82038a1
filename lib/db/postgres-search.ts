/**
 * The trigram indexes of PostgreSQL's names and error lines. Apart from the migrations, because the extension may be missing or not
 * allowed: the dashboard then works without them, and creates them at the first start at which it can.
 */
import { type Kysely, sql } from "kysely";
import type { Tables } from "./schema.ts";

const REMEDY =
	"Searches by name read every job. Run CREATE EXTENSION pg_trgm as a superuser in the dashboard's database, then restart the dashboard.";

/** A log for work that takes minutes on a large database. */
export interface MigrationLog {
	info(data: object, message: string): void;
	warn(data: object, message: string): void;
}

/** The tables, and how the names of their indexes begin. */
const SEARCHED = [
	["job", "job"],
	["recording", "recording"],
	["testResult", "test_result"],
] as const;

/** The indexes of these tables: of names, and of the other texts that words are searched in. */
const INDEXES = [
	...SEARCHED.flatMap(([, what]) => [`${what}_name_search`, `${what}_text_search`]),
	"error_text_search",
];

/** Whether there is nothing left for `createSearchIndexes` to do. */
export async function hasSearchIndexes(db: Kysely<Tables>): Promise<boolean> {
	const { rows } = await sql<{ relname: string }>`
		select relname from pg_class where relkind = 'i' and pg_table_is_visible(oid)`.execute(db);
	const existing = new Set(rows.map(({ relname }) => relname));
	return INDEXES.every((name) => existing.has(name));
}

/** The advisory lock of the process that creates the indexes. */
const LOCK = 3_853_314_792;

/**
 * Creates the indexes, one process at a time: if several create an extension or an index at once, all but one fail
 * although it exists.
 * @param db leads to PostgreSQL itself, not to a pooler: the lock belongs to its session.
 */
export async function createSearchIndexes(db: Kysely<Tables>, log?: MigrationLog): Promise<void> {
	await db.connection().execute(async (session) => {
		await sql`select pg_advisory_lock(${LOCK})`.execute(session);
		try {
			if (!(await hasSearchIndexes(session))) await createMissing(session, log);
		} finally {
			await sql`select pg_advisory_unlock(${LOCK})`.execute(session);
		}
	});
}

async function createMissing(db: Kysely<Tables>, log?: MigrationLog): Promise<void> {
	try {
		await sql`create extension if not exists pg_trgm`.execute(db);
	} catch (error) {
		log?.warn({ err: error }, `The PostgreSQL extension pg_trgm cannot be created. ${REMEDY}`);
		return;
	}
	for (const [table, what] of SEARCHED) {
		const startedAt = performance.now();
		// New names wait in a list that every search reads and that one insert in a few hundred sorts in: kept short.
		await sql
			.raw(
				`create index if not exists ${what}_name_search on "${table}" using gin (lower(name) gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256)`,
			)
			.execute(db);
		await sql
			.raw(
				`create index if not exists ${what}_text_search on "${table}" using gin (lower("searchText") gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256) where "searchText" is not null`,
			)
			.execute(db);
		const seconds = Math.round((performance.now() - startedAt) / 1_000);
		if (seconds > 1) log?.info({ seconds }, `the names of the table ${table} can be searched`);
	}
	// The text is stored in lower case. One index over all texts, so that the rarest of several words limits the number of
	// rows read.
	await sql`create index if not exists error_text_search on "errorText" using gin ((named || chr(10) || text) gin_trgm_ops)
		with (fastupdate = on, gin_pending_list_limit = 256)`.execute(db);
}
