/**
 * Kysely's own SQLite dialect on `node:sqlite`: an adapter of shapes, a cache of prepared statements,
 * and transactions that begin IMMEDIATE, because a deferred one that reads and then writes can fail half-way.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Driver,
	SqliteAdapter,
	type SqliteDatabase,
	SqliteDialect,
	SqliteDriver,
	type SqliteStatement,
} from "kysely";

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

class ImmediateDriver extends SqliteDriver {
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
	const database = new DatabaseSync(file, { timeout: 5_000 });
	database.exec("PRAGMA journal_mode = WAL");
	// FULL: a commit that was answered survives a power cut, not only a crash of the process.
	database.exec("PRAGMA synchronous = FULL");
	database.exec("PRAGMA foreign_keys = ON");
	database.exec("PRAGMA cache_size = -32000");
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
