/**
 * Lists, searches and counters that cost the same over ten million jobs as over a thousand: an index for each
 * combination of filters, trigrams of names on SQLite (PostgreSQL: search-index.ts), when jobs were created by ranges
 * of their ids, and how many recordings an organization has.
 */
import { type Kysely, sql } from "kysely";
import type { DialectName } from "../dialect.ts";
import { int64 } from "../dialect.ts";
import { JOBS_PER_ZONE } from "../job-zones.ts";
import type { Progress } from "../migration-log.ts";

/** Names per statement, so that progress can be reported. */
const SEARCH_BATCH = 1_000_000;

export async function up(db: Kysely<unknown>, dialect: DialectName, progress: Progress): Promise<void> {
	await indexJobs(db, progress);
	await indexRecordings(db, progress);
	await createJobZones(db, dialect);
	await countRecordings(db, dialect);
	if (dialect === "sqlite") {
		await indexNames(db, "job", "jobSearch", progress);
		await indexNames(db, "recording", "recordingSearch", progress);
	}
}

async function indexJobs(db: Kysely<unknown>, progress: Progress): Promise<void> {
	progress("indexes of jobs");
	for (const index of [
		`job_by_condition on job ("organizationId", "stopCondition", status, id)`,
		`job_by_runner_condition on job ("runnerId", "stopCondition", status, id)`,
		`job_with_password on job (id) where "gridPasswordSealed" is not null`,
	]) {
		await sql.raw(`create index ${index}`).execute(db);
	}
}

/**
 * Sorts by size and duration leave out live recordings, whose size and duration change every second: an index that had
 * them would be written as often.
 */
async function indexRecordings(db: Kysely<unknown>, progress: Progress): Promise<void> {
	progress("indexes of recordings");
	for (const name of ["length", "size", "runner", "state"]) await db.schema.dropIndex(`recording_by_${name}`).execute();
	const kind = `state, coalesce(verdict, '')`;
	for (const index of [
		`recording_by_kind on recording ("organizationId", ${kind}, "createdAt", id)`,
		`recording_by_runner on recording ("runnerId", ${kind}, "createdAt", id)`,
		`recording_by_length on recording ("organizationId", ${kind}, "durationSeconds", id) where state <> 'live'`,
		`recording_by_size on recording ("organizationId", ${kind}, bytes, id) where state <> 'live'`,
		`recording_by_runner_length on recording ("runnerId", ${kind}, "durationSeconds", id) where state <> 'live'`,
		`recording_by_runner_size on recording ("runnerId", ${kind}, bytes, id) where state <> 'live'`,
		`recording_deletable on recording ("organizationId", "createdAt", id) where pinned = 0 and state <> 'live'`,
		`recording_live on recording ("organizationId", id) where state = 'live'`,
		`recording_unfinished on recording (id) where state <> 'ready'`,
	]) {
		await sql.raw(`create index ${index}`).execute(db);
	}
}

async function createJobZones(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	const int = int64(dialect);
	await db.schema
		.createTable("jobZone")
		.addColumn("zone", int, (c) => c.primaryKey())
		.addColumn("lastId", int, (c) => c.notNull())
		.addColumn("minCreatedAt", int, (c) => c.notNull())
		.addColumn("maxCreatedAt", int, (c) => c.notNull())
		.execute();
	await sql`insert into "jobZone" (zone, "lastId", "minCreatedAt", "maxCreatedAt")
		select id / ${sql.lit(JOBS_PER_ZONE)}, max(id), min("createdAt"), max("createdAt") from job
		group by id / ${sql.lit(JOBS_PER_ZONE)}`.execute(db);
}

async function countRecordings(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
	await db.schema
		.alterTable("organizationUse")
		.addColumn("recordings", int64(dialect), (c) => c.notNull().defaultTo(0))
		.execute();
	await sql`update "organizationUse" set recordings = (
		select count(*) from recording where recording."organizationId" = "organizationUse"."organizationId")`.execute(db);
	const add = (organizationId: string, bytes: string, recordings: number) => `
		INSERT INTO "organizationUse" ("organizationId", "bytes", "recordings") VALUES (${organizationId}, ${bytes}, ${recordings})
		ON CONFLICT ("organizationId") DO UPDATE SET "bytes" = "organizationUse"."bytes" + excluded."bytes",
			"recordings" = "organizationUse"."recordings" + excluded."recordings";`;
	for (const [name, event, body] of [
		["recording_added", "INSERT", add(`NEW."organizationId"`, `NEW."bytes"`, 1)],
		["recording_removed", "DELETE", add(`OLD."organizationId"`, `-OLD."bytes"`, -1)],
	] as const) {
		if (dialect === "sqlite") {
			await sql.raw(`DROP TRIGGER ${name}`).execute(db);
			await sql.raw(`CREATE TRIGGER ${name} AFTER ${event} ON "recording" BEGIN ${body} END`).execute(db);
		} else {
			const definition = `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql`;
			await sql.raw(`${definition} AS $$ BEGIN ${body} RETURN NULL; END $$`).execute(db);
		}
	}
}

/** A full-text index of trigrams that reads the names from their table, kept up to date by triggers. */
async function indexNames(db: Kysely<unknown>, table: string, search: string, progress: Progress): Promise<void> {
	await sql
		.raw(
			`CREATE VIRTUAL TABLE "${search}" USING fts5(name, content = '${table}', content_rowid = 'id', tokenize = 'trigram', columnsize = 0)`,
		)
		.execute(db);
	const last = await sql<{ id: number }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`.execute(db);
	const end = last.rows[0]?.id ?? 0;
	for (let from = 1; from <= end; from += SEARCH_BATCH) {
		progress(`names of the ${table}s for search, from ${from} of ${end}`);
		await sql
			.raw(
				`INSERT INTO "${search}" (rowid, name) SELECT id, name FROM "${table}" WHERE id BETWEEN ${from} AND ${from + SEARCH_BATCH - 1}`,
			)
			.execute(db);
	}
	const add = `INSERT INTO "${search}" (rowid, name) VALUES (NEW.id, NEW.name);`;
	const remove = `INSERT INTO "${search}" ("${search}", rowid, name) VALUES ('delete', OLD.id, OLD.name);`;
	for (const trigger of [
		`${table}_name_added AFTER INSERT ON "${table}" BEGIN ${add} END`,
		`${table}_name_removed AFTER DELETE ON "${table}" BEGIN ${remove} END`,
		`${table}_name_changed AFTER UPDATE OF name ON "${table}" WHEN NEW.name <> OLD.name BEGIN ${remove} ${add} END`,
	]) {
		await sql.raw(`CREATE TRIGGER ${trigger}`).execute(db);
	}
}
