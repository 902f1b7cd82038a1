/** Opens the database: SQLite in a file by default, PostgreSQL when a URL says so. */
import { Kysely, PostgresDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import type { DialectName } from "./dialect.ts";
import { migrationProvider } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import type { Tables } from "./schema.ts";

export type OpenDatabase = { db: Kysely<Tables>; dialect: DialectName };

/** A server that doesn't respond, or whose network fails silently, must not block calls forever. */
const CONNECTION = { connectionTimeoutMillis: 5_000, keepAlive: true };

const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

/**
 * @param location path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @returns the database, not yet migrated (see migrateDatabase).
 */
export function openDatabase(location: string): OpenDatabase {
	if (!isPostgresUrl(location)) {
		return { db: new Kysely<Tables>({ dialect: new NodeSqliteDialect(location) }), dialect: "sqlite" };
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
	return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), dialect: "postgres" };
}

/** Migrates the schema; each migration happens completely or not at all. @throws the error that stopped it. */
export async function migrateDatabase({ db, dialect }: OpenDatabase): Promise<void> {
	const { error, results } = await new Migrator({ db, provider: migrationProvider(dialect) }).migrateToLatest();
	if (error === undefined) return;
	const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "unknown";
	throw new Error(`The database could not be migrated (${failed}).`, { cause: error });
}
