/**
 * Kysely's SQLite dialect on `node:sqlite`: adapts the interface, caches prepared statements, and begins transactions
 * IMMEDIATE, because a deferred one that reads and then writes can fail midway.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Driver,
	type QueryResult,
	SqliteAdapter,
	type SqliteDatabase,
	SqliteDialect,
	SqliteDriver,
	type SqliteStatement,
} from "kysely";
import { sqliteFault } from "./database-errors.ts";

const MAX_CACHED_STATEMENTS = 500;

type Bindable = null | number | bigint | string | Uint8Array;

/** Converts to what SQLite can bind: it has no booleans, dates or undefined. */
function bindable(value: unknown): Bindable {
	if (value === undefined || value === null) return null;
	if (typeof value === "boolean") return value ? 1 : 0;
	if (value instanceof Date) return value.toISOString();
	return value as Bindable;
}

class CachedStatement implements SqliteStatement {
	readonly reader: boolean;
	readonly #statement: StatementSync;
	constructor(statement: StatementSync) {
		this.#statement = statement;
		this.reader = statement.columns().length > 0;
	}
	all(parameters: readonly unknown[]): unknown[] {
		return this.#statement.all(...parameters.map(bindable));
	}
	run(parameters: readonly unknown[]) {
		return this.#statement.run(...parameters.map(bindable));
	}
	iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
		return this.#statement.iterate(...parameters.map(bindable));
	}
}

/** How long a write waits while another process locks the database, without blocking the event loop. */
const BUSY_TIMEOUT_MS = 1_000;
const BUSY_RETRY_MS = 20;
/** During the start nothing waits for a response, so it may take longer. */
const OPEN_TIMEOUT_MS = 5_000;

/**
 * Retries while another process locks the database, because SQLite's own busy timeout would block the event loop. Once
 * the lock has lasted longer than the timeout, writes fail at once: otherwise each would delay those queued behind it.
 */
class RetryingConnection implements DatabaseConnection {
	readonly #connection: DatabaseConnection;
	#busySince: number | null = null;

	constructor(connection: DatabaseConnection) {
		this.#connection = connection;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		for (;;) {
			try {
				const result = await this.#connection.executeQuery<R>(query);
				// Reads succeed despite another process's lock, so only writes prove that it is gone.
				if (/^\s*(begin|insert|update|delete)/i.test(query.sql)) this.#busySince = null;
				return result;
			} catch (error) {
				if (sqliteFault(error) !== "busy") throw error;
				this.#busySince ??= performance.now();
				if (performance.now() - this.#busySince > BUSY_TIMEOUT_MS) throw error;
				await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
			}
		}
	}

	streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
		return this.#connection.streamQuery<R>(query, chunkSize);
	}
}

class ImmediateDriver extends SqliteDriver {
	#retrying: RetryingConnection | null = null;

	override async acquireConnection(): Promise<DatabaseConnection> {
		this.#retrying ??= new RetryingConnection(await super.acquireConnection());
		return this.#retrying;
	}

	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw("begin immediate"));
	}

	/** A full disk may have made SQLite roll back already: the caller gets that error, not one about the rollback. */
	override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		try {
			await super.rollbackTransaction(connection);
		} catch (error) {
			if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error;
		}
	}
}

class TransactionalDdlAdapter extends SqliteAdapter {
	/** SQLite rolls back DDL too, so a migration happens completely or not at all. */
	override get supportsTransactionalDdl(): boolean {
		return true;
	}
}

export class NodeSqliteDialect extends SqliteDialect {
	readonly #database: SqliteDatabase;

	/** @param file path of the database file, or `:memory:`. */
	constructor(file: string) {
		const database = openFile(file);
		super({ database });
		this.#database = database;
	}
	override createDriver(): Driver {
		return new ImmediateDriver({ database: this.#database });
	}
	override createAdapter(): SqliteAdapter {
		return new TransactionalDdlAdapter();
	}
}

function openFile(file: string): SqliteDatabase {
	// Set from the first statement on: another process that just opened the file may have locked it.
	const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
	database.exec("PRAGMA journal_mode = WAL");
	// FULL: a committed transaction survives a power failure, not only a crash of the process.
	database.exec("PRAGMA synchronous = FULL");
	database.exec("PRAGMA foreign_keys = ON");
	database.exec("PRAGMA cache_size = -32000");
	// From here on RetryingConnection retries instead.
	database.exec("PRAGMA busy_timeout = 0");
	const cache = new Map<string, CachedStatement>();
	return {
		close: () => {
			cache.clear();
			database.close();
		},
		prepare: (sql) => {
			const cached = cache.get(sql);
			if (cached !== undefined) return cached;
			if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
			const statement = new CachedStatement(database.prepare(sql));
			// `columns()` of a cached statement is a snapshot, so statements that change the schema are not cached.
			if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) cache.set(sql, statement);
			return statement;
		},
	};
}
