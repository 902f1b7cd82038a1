/** Opens the database: SQLite in a file by default, PostgreSQL when a URL says so. */
import { Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
import { type DialectName, dialectOf } from "./dialect.ts";
import { FairReads } from "./fair-reads.ts";
import type { TurnTaker } from "./fair-turns.ts";
import { LAST_OF_BASELINE, migrationProvider } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { type AnswerLimits, POOL_READ_LIMITS, postgresDialects } from "./postgres-dialect.ts";
import { createSearchIndexes, hasSearchIndexes, type MigrationLog } from "./postgres-search.ts";
import type { Tables } from "./schema.ts";
import { READER_LIMITS, SqliteReaderDialect } from "./sqlite-reader.ts";

export type OpenDatabase = {
	db: Kysely<Tables>;
	/** Connections for reads that may take long. */
	readers: Readers;
	/** The same for the server itself. */
	reads: Kysely<Tables>;
	/** For quick statements that cannot wait: the same as `db` on SQLite, and a separate connection on PostgreSQL. */
	urgent: Kysely<Tables>;
	dialect: DialectName;
};

/** Connections that all who read share fairly (FairReads). */
export type Readers = Pick<FairReads<Tables>, "of" | "destroy">;

/** The server's sweeps read for all organizations. */
const THE_SERVER: TurnTaker = { organizationId: 0, caller: "server" };

const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

/**
 * @param location path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @param limits of PostgreSQL. Without them, a statement may take as long as it takes, as migrations do.
 * @returns the database, not yet migrated (see migrateDatabase). Close it with closeDatabase.
 */
export function openDatabase(location: string, limits?: AnswerLimits): OpenDatabase {
	if (!isPostgresUrl(location)) {
		const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(location) });
		// Another connection would see another memory.
		const readers: Readers =
			location === ":memory:"
				? { of: () => db, destroy: async () => undefined }
				: new FairReads<Tables>(new SqliteReaderDialect(location), READER_LIMITS);
		return { db, readers, reads: readers.of(THE_SERVER), urgent: db, dialect: "sqlite" };
	}
	const dialects = postgresDialects(location, limits);
	const db = new Kysely<Tables>({ dialect: dialects.usual });
	const shared = new FairReads<Tables>(dialects.usual, POOL_READ_LIMITS);
	// The database ends the pool, which is theirs, too.
	const readers: Readers = { of: (reader) => shared.of(reader), destroy: async () => undefined };
	const urgent = new Kysely<Tables>({ dialect: dialects.urgent });
	return { db, readers, reads: readers.of(THE_SERVER), urgent, dialect: "postgres" };
}

/** Closes all of its connections. */
export async function closeDatabase({ db, readers, urgent }: Omit<OpenDatabase, "dialect" | "reads">): Promise<void> {
	await readers.destroy();
	for (const each of new Set([urgent, db])) await each.destroy();
}

/** The names of migrations, in order. */
interface MigrationState {
	/** Migrations that the database has had. */
	executed: string[];
	/** Migrations that this version would add. */
	pending: string[];
	/** Migrations of a newer version. */
	unknown: string[];
}

/** @throws an Error with the remedy if no release has made the database. */
export async function migrationState(db: Kysely<Tables>): Promise<MigrationState> {
	const provider = migrationProvider(dialectOf(db));
	const known = Object.keys(await provider.getMigrations());
	const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
	if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) {
		return { executed: [], pending: known, unknown: [] };
	}
	const { rows } = await sql<{ name: string }>`
		select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
	const executed = rows.map(({ name }) => name);
	if (executed.length > 0 && !executed.includes(LAST_OF_BASELINE)) {
		throw new Error(
			"A version before the first release, 0.2.0, made the database, and no release can use it: start with an empty data directory, or another database, or go on with the version that made it.",
		);
	}
	return {
		executed,
		pending: known.filter((name) => !executed.includes(name)),
		unknown: executed.filter((name) => !known.includes(name)),
	};
}

/** Whether `migrateDatabase` has nothing to change in a database of PostgreSQL. */
export async function isUpToDate(db: Kysely<Tables>, { executed, pending }: MigrationState): Promise<boolean> {
	return executed.length > 0 && pending.length === 0 && (await hasSearchIndexes(db));
}

/**
 * Whether a newer version has updated the database in a way that this version works with. While dashboards are updated
 * one after the other, the older ones keep running and may be restarted.
 * @throws an Error with the remedy if this version does not work with it.
 */
async function isNewer(db: Kysely<Tables>, { executed, pending, unknown }: MigrationState): Promise<boolean> {
	if (unknown.length === 0) return false;
	const { compatibleFrom } = await db.selectFrom("dashboard").select("compatibleFrom").executeTakeFirstOrThrow();
	if (pending.length === 0 && !unknown.includes(compatibleFrom)) return true;
	throw new Error(
		`A newer version of Tapedeck has updated the database (to ${executed.at(-1)}), and this version does not work with it. Start the newer version, or restore a backup from before the update.`,
	);
}

/**
 * Migrates the schema. If it fails or the process ends midway, nothing is changed, and the next start tries again.
 * @param log for steps that take minutes on a large database.
 * @throws the error that stopped the migration.
 */
export async function migrateDatabase({ db, dialect }: OpenDatabase, log?: MigrationLog): Promise<void> {
	const state = await migrationState(db);
	if (await isNewer(db, state)) {
		log?.warn({}, "a newer version of Tapedeck has updated the database; this version works with it as it is");
		return;
	}
	if (state.pending.length > 0) await migrateToLatest(db, dialect, log);
	// `create index if not exists` waits for those who write to the table, also where the index exists.
	if (dialect === "postgres" && !(await hasSearchIndexes(db))) await createSearchIndexes(db, log);
}

async function migrateToLatest(db: Kysely<Tables>, dialect: DialectName, log?: MigrationLog): Promise<void> {
	const startedAt = performance.now();
	const { error, results } = await new Migrator({ db, provider: migrationProvider(dialect) }).migrateToLatest();
	if (error !== undefined) {
		const failed = results?.find((result) => result.status === "Error")?.migrationName;
		if (failed === undefined) throw error;
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`The database could not be migrated: ${failed} failed (${why}).`, { cause: error });
	}
	const seconds = Math.round((performance.now() - startedAt) / 1_000);
	if ((results?.length ?? 0) > 0) log?.info({ seconds }, "the database is up to date");
}
