/**
 * Links that people keep contain ids, so no id is given out twice, even after a database was restored from a backup. A
 * file in the data directory records the last id of each table. A database whose last ids are lower is older than that
 * file: its sequences are raised beyond the ids that may have been given out since.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Log } from "#lib/core/context.ts";
import { dialectOf } from "#lib/db/dialect.ts";
import type { Tables } from "#lib/db/schema.ts";

const FILE = "last-ids.json";
/** More than any installation gives out of one table for long. */
const IDS_PER_SECOND = 100;
const LEAST_GAP = 10_000;

/** The last id that each table has given out, whether its row still exists or not. */
type LastIds = Record<string, number>;
const watermarkSchema = z.object({ at: z.iso.datetime(), ids: z.record(z.string(), z.int().nonnegative()) });

/** Records the current last ids. Run by a timer. */
export async function noteLastIds(db: Kysely<Tables>, dataDir: string): Promise<void> {
	const at = new Date().toISOString();
	const text = JSON.stringify({ at, ids: await lastIds(db) });
	const file = join(dataDir, FILE);
	// The file is never half-written. A temporary file left by a crash is overwritten.
	await writeFile(`${file}.new`, text);
	await rename(`${file}.new`, file);
}

/** At the start, before anything is created: raises the sequences of a database that is older than the noted ids. */
export async function raiseRestoredIds(db: Kysely<Tables>, dataDir: string, log: Log): Promise<void> {
	const noted = await readNoted(join(dataDir, FILE), log);
	if (noted !== null) {
		const current = await lastIds(db);
		const lost = Object.entries(noted.ids).filter(([table, id]) => table in current && id > (current[table] ?? 0));
		if (lost.length > 0) {
			await raiseIds(db, new Date(noted.at), noted.ids);
			const tables = lost.map(([table]) => table);
			log.warn({ tables }, "The database is older than this data directory. New ids continue after those given out.");
		}
	}
	await noteLastIds(db, dataDir);
}

/**
 * Raises every sequence by the number of ids that may have been given out since the database was copied.
 * @param ids if known, the last ids that had been given out at that time.
 */
export async function raiseIds(db: Kysely<Tables>, copiedAt: Date, ids: LastIds = {}): Promise<void> {
	const seconds = Math.max(0, (Date.now() - copiedAt.getTime()) / 1_000);
	const gap = Math.max(LEAST_GAP, Math.ceil(seconds * IDS_PER_SECOND));
	for (const [table, id] of Object.entries(await lastIds(db))) {
		await setLastId(db, table, Math.max(id, ids[table] ?? 0) + gap);
	}
}

async function lastIds(db: Kysely<Tables>): Promise<LastIds> {
	const rows =
		dialectOf(db) === "sqlite"
			? // A table has no row there before its first id.
				sql`select tables.name, coalesce(seq, 0) as id from sqlite_schema as tables
					left join sqlite_sequence on sqlite_sequence.name = tables.name
					where tables.type = 'table' and tables.sql like '%autoincrement%'`
			: sql`select tables.relname as name, coalesce(last_value, 0) as id from pg_class as sequences
					join pg_depend on objid = sequences.oid and deptype in ('a', 'i') and classid = 'pg_class'::regclass
					join pg_class as tables on tables.oid = refobjid
					join pg_sequences on pg_sequences.sequencename = sequences.relname and schemaname = current_schema()
					where sequences.relkind = 'S' and sequences.relnamespace = current_schema()::regnamespace`;
	const found = await (rows as ReturnType<typeof sql<{ name: string; id: number | string }>>).execute(db);
	return Object.fromEntries(found.rows.map(({ name, id }) => [name, Number(id)]));
}

async function setLastId(db: Kysely<Tables>, table: string, id: number): Promise<void> {
	if (dialectOf(db) === "postgres") {
		await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${id}::bigint)`.execute(db);
		return;
	}
	const updated = await sql`update sqlite_sequence set seq = ${id} where name = ${table}`.execute(db);
	if (updated.numAffectedRows === 0n) {
		await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db);
	}
}

async function readNoted(file: string, log: Log): Promise<z.infer<typeof watermarkSchema> | null> {
	try {
		return watermarkSchema.parse(JSON.parse(await readFile(file, "utf8")));
	} catch (error) {
		// It is written anew. Without it, a restore that went unnoticed stays unnoticed.
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") log.warn({ err: error }, `${file} could not be read`);
		return null;
	}
}
