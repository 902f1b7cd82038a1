/**
 * Kysely's own SQLite dialect on `node:sqlite`: an adapter of shapes, a cache of prepared statements,
 * and transactions that begin IMMEDIATE, because a deferred one that reads and then writes can fail half-way.
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

/** What SQLite can bind: it knows no booleans, no dates and no undefined. */
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

/** How long a write waits for another program that holds the database. Nothing else is blocked meanwhile. */
const BUSY_PATIENCE_MS = 1_000;
const BUSY_RETRY_MS = 20;
/** At the start nobody waits for an answer. */
const OPEN_PATIENCE_MS = 5_000;

/**
 * Tries again while another program holds the database. SQLite's own busy timeout would block the event loop. Once the
 * database has been held for longer than the patience, writes fail at once: each would make those behind it wait.
 */
class PatientConnection implements DatabaseConnection {
	readonly #connection: DatabaseConnection;
	#busySince: number | null = null;

	constructor(connection: DatabaseConnection) {
		this.#connection = connection;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		for (;;) {
			try {
				const result = await this.#connection.executeQuery<R>(query);
				// Others' locks do not keep us from reading.
				if (/^\s*(begin|insert|update|delete)/i.test(query.sql)) this.#busySince = null;
				return result;
			} catch (error) {
				if (sqliteFault(error) !== "busy") throw error;
				this.#busySince ??= performance.now();
				if (performance.now() - this.#busySince > BUSY_PATIENCE_MS) throw error;
				await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
			}
		}
	}

	streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
		return this.#connection.streamQuery<R>(query, chunkSize);
	}
}

class ImmediateDriver extends SqliteDriver {
	#patient: PatientConnection | null = null;

	override async acquireConnection(): Promise<DatabaseConnection> {
		this.#patient ??= new PatientConnection(await super.acquireConnection());
		return this.#patient;
	}

	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw("begin immediate"));
	}
}

class TransactionalDdlAdapter extends SqliteAdapter {
	/** SQLite rolls back DDL like anything else, so a migration happens whole or not at all. */
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
	// From the first statement on: another process that has just opened the file may hold it.
	const database = new DatabaseSync(file, { timeout: OPEN_PATIENCE_MS });
	database.exec("PRAGMA journal_mode = WAL");
	// FULL: a commit that was answered survives a power cut, not only a crash of the process.
	database.exec("PRAGMA synchronous = FULL");
	database.exec("PRAGMA foreign_keys = ON");
	database.exec("PRAGMA cache_size = -32000");
	// From now on PatientConnection waits instead.
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
			// `columns()` of a cached statement is a snapshot, so schema changes must not be cached over.
			if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) cache.set(sql, statement);
			return statement;
		},
	};
}
