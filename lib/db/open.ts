/** Opens the database: SQLite in a file by default, PostgreSQL when a URL says so. */
import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import type { DialectName } from "./dialect.ts";
import type { MigrationLog, Progress } from "./migration-log.ts";
import { migrationProvider } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { preparePartitions } from "./partitions.ts";
import { createSearchIndexes } from "./postgres-search.ts";
import type { Tables } from "./schema.ts";
import { SqliteReaderDialect } from "./sqlite-reader.ts";

export type OpenDatabase = {
	db: Kysely<Tables>;
	/** For reads that may take long; the same as `db` on PostgreSQL, whose pool has a connection for each. */
	reads: Kysely<Tables>;
	dialect: DialectName;
};

/** A server that doesn't respond, or whose network fails silently, must not block calls forever. */
const CONNECTION = { connectionTimeoutMillis: 5_000, keepAlive: true };

const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

/**
 * @param location path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @returns the database, not yet migrated (see migrateDatabase).
 */
export function openDatabase(location: string): OpenDatabase {
	if (!isPostgresUrl(location)) {
		const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(location) });
		// Another connection would see another memory.
		const reads = location === ":memory:" ? db : new Kysely<Tables>({ dialect: new SqliteReaderDialect(location) });
		return { db, reads, dialect: "sqlite" };
	}
	// Timestamps and ids are 64-bit integers that fit a double; pg would return them as strings.
	const types = {
		getTypeParser: (oid: number, format?: "text" | "binary") =>
			oid === 20 ? (value: string) => Number(value) : pg.types.getTypeParser(oid, format as "text"),
	};
	const pool = new pg.Pool({ connectionString: location, max: 10, types: types as never, ...CONNECTION });
	// Without these listeners, a connection closed by the server would end the process, whether idle or between the
	// statements of a transaction. The next statement on it reports the error.
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));
	const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
	return { db, reads: db, dialect: "postgres" };
}

/**
 * Migrates the schema. Nothing of it remains if it fails or the process ends midway, and the next start begins anew.
 * @param log for what a large database takes minutes for.
 * @throws the error that stopped it.
 */
export async function migrateDatabase({ db, dialect }: OpenDatabase, log?: MigrationLog): Promise<void> {
	const startedAt = performance.now();
	const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
	const progress: Progress = (step) => log?.info({ step, seconds: seconds() }, "updating the database");
	const { error, results } = await new Migrator({
		db,
		provider: migrationProvider(dialect, progress),
	}).migrateToLatest();
	if (error !== undefined) {
		const failed = results?.find((result) => result.status === "Error")?.migrationName;
		if (failed === undefined) throw error;
		const why = error instanceof Error ? error.message : String(error);
		throw new Error(`The database could not be migrated: ${failed} failed (${why}).`, { cause: error });
	}
	if ((results?.length ?? 0) > 0) log?.info({ seconds: seconds() }, "the database is up to date");
	if (dialect === "postgres") {
		await createSearchIndexes(db, log);
		await preparePartitions(db, log);
	}
}
