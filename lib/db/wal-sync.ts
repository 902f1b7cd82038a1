/**
 * Makes commits of a SQLite database durable without blocking the event loop. SQLite writes its write-ahead log (WAL)
 * without an fsync; this class syncs the log on a thread of libuv's pool, once for all commits that wait for it, and
 * checkpoints the log on a worker thread with a connection of its own.
 */
import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { type DatabaseError, notSynced } from "./database-errors.ts";

/** Checkpoint after this many changed rows, or this long after the first change. */
const CHECKPOINT_ROWS = 2_000;
const CHECKPOINT_MS = 60_000;

export type SyncFile = (file: FileHandle) => Promise<void>;

export class WalSync {
	readonly #database: string;
	readonly #syncFile: SyncFile;
	#file: Promise<FileHandle> | null = null;
	/** The sync that runs now; the commits that wait for it were written before it began. */
	#running: Promise<void> | null = null;
	/** The sync after it, for commits that were written since. */
	#next: Promise<void> | null = null;
	/** Whether anything was written since the last sync began. */
	#dirty = false;
	#broken: DatabaseError | null = null;
	#rows = 0;
	#timer: NodeJS.Timeout | null = null;
	#worker: Worker | null = null;

	/** @param syncFile replaces fdatasync; for tests. */
	constructor(database: string, syncFile: SyncFile = (file) => file.datasync()) {
		this.#database = database;
		this.#syncFile = syncFile;
	}

	/** Reports a commit. @param rows how many rows it changed at least. */
	wrote(rows: number): void {
		this.#dirty = true;
		this.#rows += rows;
		if (this.#rows >= CHECKPOINT_ROWS) this.#checkpoint();
		else this.#timer ??= setTimeout(() => this.#checkpoint(), CHECKPOINT_MS).unref();
	}

	/** @throws DatabaseError if an earlier commit could not be written to the disk. */
	assertWorks(): void {
		if (this.#broken !== null) throw this.#broken;
	}

	/**
	 * Resolves once everything committed before the call is on the disk.
	 * @throws DatabaseError if it is not. From then on every call throws: after a failed fsync the kernel may have
	 *   dropped the pages, and a second one that succeeds would prove nothing.
	 */
	async durable(): Promise<void> {
		this.assertWorks();
		if (!this.#dirty) return this.#running ?? undefined;
		this.#next ??= (this.#running ?? Promise.resolve()).then(() => this.#sync());
		return this.#next;
	}

	async close(): Promise<void> {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		await (this.#next ?? this.#running)?.catch(() => undefined);
		if (this.#worker !== null) {
			const exited = new Promise((resolve) => this.#worker?.once("exit", resolve));
			// Otherwise a command that has nothing else to do would end before its checkpoint.
			this.#worker.ref();
			this.#worker.postMessage("close");
			await exited;
		}
		await (await this.#file?.catch(() => undefined))?.close();
	}

	async #sync(): Promise<void> {
		this.#running = this.#next;
		this.#next = null;
		// Later commits may not be in this sync.
		this.#dirty = false;
		try {
			this.#file ??= open(`${this.#database}-wal`, "r+");
			await this.#syncFile(await this.#file);
		} catch (cause) {
			this.#broken ??= notSynced(cause);
			throw this.#broken;
		} finally {
			this.#running = null;
		}
	}

	#checkpoint(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#rows = 0;
		if (this.#worker === null) {
			const worker = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), {
				workerData: this.#database,
				execArgv: [],
			});
			worker.unref();
			// A checkpoint that fails is tried again with the next one; until then the log grows.
			worker.on("error", () => undefined);
			worker.on("exit", () => {
				if (this.#worker === worker) this.#worker = null;
			});
			this.#worker = worker;
		}
		this.#worker.postMessage("checkpoint");
	}
}
