/**
 * Kysely's SQLite dialect on `node:sqlite`: adapts the interface, caches prepared statements, and begins transactions
 * IMMEDIATE, because a deferred one that reads and then writes can fail midway.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
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
import { type SyncFile, WalSync } from "./wal-sync.ts";

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

/** The maximum time that a write waits, without blocking the event loop, while another process locks the database. */
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

/**
 * The time for which turns follow each other without a pause. SQLite answers at once, so that callers that have waited for a
 * transaction would otherwise run one after the other while the event loop does nothing else.
 */
const SLICE_MS = 5;

/** Turns on the single connection, in order of request. */
class Turns {
	#last: Promise<void> = Promise.resolve();
	/** The first turn since the event loop did something else. */
	#sliceBeganAt: number | null = null;

	/** @returns a function that ends the turn, once it has come. */
	async take(): Promise<() => void> {
		const turn = Promise.withResolvers<void>();
		const before = this.#last;
		this.#last = turn.promise;
		await before;
		if (this.#sliceBeganAt !== null && performance.now() - this.#sliceBeganAt > SLICE_MS) await nextTurnOfLoop();
		if (this.#sliceBeganAt === null) {
			this.#sliceBeganAt = performance.now();
			setImmediate(() => {
				this.#sliceBeganAt = null;
			});
		}
		return turn.resolve;
	}
}

/**
 * The connection for as long as one caller has it. A commit gives it back before it waits for the disk: otherwise no
 * other commit could share that wait, and reads would wait, too.
 */
class Lease implements DatabaseConnection {
	readonly #connection: DatabaseConnection;
	readonly #turns: Turns;
	readonly #wal: WalSync | null;
	#release: (() => void) | null;
	#inTransaction = false;
	#changedRows = 0;

	constructor(connection: DatabaseConnection, turns: Turns, wal: WalSync | null, release: () => void) {
		this.#connection = connection;
		this.#turns = turns;
		this.#wal = wal;
		this.#release = release;
	}

	async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
		this.#release ??= await this.#turns.take();
		if (!mayWrite(query)) return this.#connection.executeQuery<R>(query);
		this.#wal?.assertWorks();
		const result = await this.#connection.executeQuery<R>(query);
		const rows = changedRows(query, result);
		if (rows === 0) return result;
		this.#changedRows += rows;
		if (!this.#inTransaction) await this.#committed();
		return result;
	}

	async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
		this.#release ??= await this.#turns.take();
		yield* this.#connection.streamQuery<R>(query, chunkSize);
	}

	async begin(): Promise<void> {
		await this.#connection.executeQuery(CompiledQuery.raw("begin immediate"));
		this.#inTransaction = true;
	}

	async commit(): Promise<void> {
		await this.#connection.executeQuery(CompiledQuery.raw("commit"));
		this.#inTransaction = false;
		await this.#committed();
	}

	async rollback(): Promise<void> {
		// A commit that could not be synced cannot be undone.
		if (!this.#inTransaction) return;
		this.#inTransaction = false;
		this.#changedRows = 0;
		try {
			await this.#connection.executeQuery(CompiledQuery.raw("rollback"));
		} catch (error) {
			// A full disk may have made SQLite roll back already: the caller gets that error, not one about the rollback.
			if (!(error instanceof Error && /no transaction is active/.test(error.message))) throw error;
		}
	}

	giveBack(): void {
		this.#release?.();
		this.#release = null;
	}

	/** Also waits if this transaction changed nothing: its response may rest on a change that is not durable yet. */
	async #committed(): Promise<void> {
		if (this.#wal === null) return;
		if (this.#changedRows > 0) this.#wal.wrote(this.#changedRows);
		this.#changedRows = 0;
		this.giveBack();
		await this.#wal.durable();
	}
}

const mayWrite = ({ query, sql }: CompiledQuery): boolean =>
	query.kind !== "SelectQueryNode" && !/^\s*(select|pragma|explain)\b/i.test(sql);

/** @returns the number of rows that a statement changed; 1 for a change of the schema. */
function changedRows({ sql }: CompiledQuery, { numAffectedRows, rows }: QueryResult<unknown>): number {
	if (!/^\s*(insert|update|delete|with)\b/i.test(sql)) return 1;
	return Math.max(Number(numAffectedRows ?? 0), rows.length);
}

class ImmediateDriver implements Driver {
	readonly #driver: SqliteDriver;
	readonly #turns = new Turns();
	readonly #wal: WalSync | null;
	#retrying: RetryingConnection | null = null;

	constructor(database: SqliteDatabase, wal: WalSync | null) {
		this.#driver = new SqliteDriver({ database });
		this.#wal = wal;
	}

	init(): Promise<void> {
		return this.#driver.init();
	}

	async acquireConnection(): Promise<DatabaseConnection> {
		const release = await this.#turns.take();
		this.#retrying ??= new RetryingConnection(await this.#driver.acquireConnection());
		return new Lease(this.#retrying, this.#turns, this.#wal, release);
	}

	beginTransaction(connection: DatabaseConnection): Promise<void> {
		return (connection as Lease).begin();
	}

	commitTransaction(connection: DatabaseConnection): Promise<void> {
		return (connection as Lease).commit();
	}

	rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		return (connection as Lease).rollback();
	}

	async releaseConnection(connection: DatabaseConnection): Promise<void> {
		(connection as Lease).giveBack();
	}

	async destroy(): Promise<void> {
		await this.#wal?.close();
		await this.#driver.destroy();
	}
}

class TransactionalDdlAdapter extends SqliteAdapter {
	/** SQLite rolls back DDL too, so a migration happens completely or not at all. */
	override get supportsTransactionalDdl(): boolean {
		return true;
	}

	/** There is one, but the driver itself hands it out in turns. */
	override get supportsMultipleConnections(): boolean {
		return true;
	}
}

export class NodeSqliteDialect extends SqliteDialect {
	readonly #database: SqliteDatabase;
	readonly #wal: WalSync | null;

	/**
	 * @param file path of the database file, or `:memory:`.
	 * @param syncFile replaces fdatasync; for tests.
	 */
	constructor(file: string, syncFile?: SyncFile) {
		const database = openFile(file);
		super({ database });
		this.#database = database;
		this.#wal = file === ":memory:" ? null : new WalSync(file, syncFile);
	}
	override createDriver(): Driver {
		return new ImmediateDriver(this.#database, this.#wal);
	}
	override createAdapter(): SqliteAdapter {
		return new TransactionalDdlAdapter();
	}
}

function openFile(file: string): SqliteDatabase {
	// Set from the first statement on: another process that just opened the file may have locked it.
	const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
	database.exec("PRAGMA journal_mode = WAL");
	// Commits are synced by WalSync, so that a committed transaction survives a power failure, not only a crash of the
	// process. NORMAL still syncs where the order of writes matters: when the log starts anew.
	database.exec("PRAGMA synchronous = NORMAL");
	database.exec("PRAGMA wal_autocheckpoint = 0");
	// A log that a large change made longer is cut to this size when it starts anew. See checkpoint-worker.ts.
	database.exec("PRAGMA journal_size_limit = 67108864");
	database.exec("PRAGMA foreign_keys = ON");
	database.exec("PRAGMA cache_size = -32000");
	// From here on, RetryingConnection retries instead of SQLite.
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
