/**
 * Read-only connections to a SQLite file, each in its own thread, as a Kysely dialect: a search that reads for a second
 * does not delay other work. In WAL mode, readers see the data that was committed before their statement began.
 */
import { Worker } from "node:worker_threads";
import {
	type CompiledQuery,
	type DatabaseConnection,
	type Driver,
	type QueryResult,
	SqliteDialect,
	type SqliteDialectConfig,
} from "kysely";
import { slowRead } from "./database-errors.ts";
import type { TurnLimits } from "./fair-turns.ts";
import type { ReaderAnswer, ReaderQuery } from "./sqlite-reader-thread.ts";

/** Number of concurrent readers. More would only compete for the disk and the processors (FairReads). */
export const READER_LIMITS: TurnLimits = { all: 4, organization: 2, caller: 1 };
/** A page is read in milliseconds; what takes this long would not be waited for. */
const TIMEOUT_MS = 10_000;

export class SqliteReaderDialect extends SqliteDialect {
	readonly #file: string;
	readonly #timeoutMs: number;

	constructor(file: string, timeoutMs = TIMEOUT_MS) {
		super({} as SqliteDialectConfig);
		this.#file = file;
		this.#timeoutMs = timeoutMs;
	}

	override createDriver(): Driver {
		return new ReaderDriver(this.#file, this.#timeoutMs);
	}
}

class ReaderDriver implements Driver {
	readonly #file: string;
	readonly #timeoutMs: number;
	#idle: ReaderThread[] = [];

	constructor(file: string, timeoutMs: number) {
		this.#file = file;
		this.#timeoutMs = timeoutMs;
	}

	async init(): Promise<void> {}

	/** FairReads limits how many are in use. */
	async acquireConnection(): Promise<DatabaseConnection> {
		const idle = this.#idle.pop();
		// A thread can also end while it is idle.
		return idle?.isUsable ? idle : new ReaderThread(this.#file, this.#timeoutMs);
	}

	async releaseConnection(connection: DatabaseConnection): Promise<void> {
		const thread = connection as ReaderThread;
		if (thread.isUsable) this.#idle.push(thread);
	}

	beginTransaction = refuse;
	commitTransaction = refuse;
	rollbackTransaction = refuse;

	async destroy(): Promise<void> {
		await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
	}
}

async function refuse(): Promise<void> {
	throw new Error("A reader has no transactions.");
}

class ReaderThread implements DatabaseConnection {
	readonly #timeoutMs: number;
	readonly #worker: Worker;
	/** A thread that starts is not a slow read. */
	readonly #started: Promise<unknown>;
	#answer: ((answer: ReaderAnswer) => void) | null = null;
	isUsable = true;

	constructor(file: string, timeoutMs: number) {
		this.#timeoutMs = timeoutMs;
		this.#worker = new Worker(new URL("./sqlite-reader-thread.ts", import.meta.url), {
			workerData: file,
			execArgv: [],
		});
		this.#worker.unref();
		this.#started = new Promise((resolve) => {
			this.#worker.once("online", resolve);
			this.#worker.once("error", resolve);
		});
		this.#worker.on("message", (answer: ReaderAnswer) => this.#answer?.(answer));
		this.#worker.on("error", (error) => {
			this.isUsable = false;
			this.#answer?.({ error: { message: error.message, errcode: (error as { errcode?: number }).errcode } });
		});
	}

	async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
		const { promise, resolve } = Promise.withResolvers<ReaderAnswer>();
		this.#answer = resolve;
		await this.#started;
		const timer = setTimeout(() => {
			// SQLite cannot be interrupted from here: the thread ends after its statement, and another takes its place.
			void this.end();
			resolve({ timedOut: true });
		}, this.#timeoutMs);
		this.#worker.postMessage({ sql, parameters } satisfies ReaderQuery);
		const answer = await promise;
		clearTimeout(timer);
		this.#answer = null;
		if ("rows" in answer) return { rows: answer.rows as R[] };
		if ("timedOut" in answer) throw slowRead();
		throw Object.assign(new Error(answer.error.message), { errcode: answer.error.errcode });
	}

	// biome-ignore lint/correctness/useYield: rows come all at once
	async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
		throw new Error("A reader has no streams: read by pages.");
	}

	async end(): Promise<void> {
		this.isUsable = false;
		await this.#worker.terminate();
	}
}
