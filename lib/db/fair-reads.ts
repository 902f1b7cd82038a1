/**
 * Turns at the connections for long reads (fair-turns.ts): a search may take seconds, and a hundred of one
 * caller's as many minutes. Each caller has a Kysely database, and all of these have the same connections.
 */
import {
	type DatabaseConnection,
	type DatabaseIntrospector,
	type Dialect,
	type DialectAdapter,
	type Driver,
	Kysely,
	type QueryCompiler,
	type TransactionSettings,
} from "kysely";
import { readsBusy } from "./database-errors.ts";
import { FairTurns, type TurnLimits, type TurnTaker } from "./fair-turns.ts";

/** The maximum time that a user waits for a page. */
const WAIT_MS = 10_000;
/**
 * The maximum number of callers whose databases are kept. Beyond it, the database of the caller that was silent longest
 * is dropped.
 */
const MAX_READERS = 1_000;

/** Databases that share a dialect's connections, each for a reader of its own. */
export class FairReads<Tables> {
	readonly #dialect: Dialect;
	readonly #driver: Driver;
	readonly #turns: FairTurns;
	readonly #databases = new Map<string, Kysely<Tables>>();
	#initialized: Promise<void> | null = null;

	constructor(dialect: Dialect, limits: TurnLimits, waitMs = WAIT_MS) {
		this.#dialect = dialect;
		this.#driver = dialect.createDriver();
		this.#turns = new FairTurns({ ...limits, waitMs }, readsBusy);
	}

	of(reader: TurnTaker): Kysely<Tables> {
		const key = `${reader.organizationId} ${reader.caller}`;
		const database = this.#databases.get(key) ?? new Kysely<Tables>({ dialect: this.#dialectFor(reader) });
		// A Map is in the order of insertion: the first one has been silent for longest.
		this.#databases.delete(key);
		this.#databases.set(key, database);
		if (this.#databases.size > MAX_READERS) {
			for (const oldest of this.#databases.keys()) {
				this.#databases.delete(oldest);
				break;
			}
		}
		return database;
	}

	/** Ends the connections. */
	async destroy(): Promise<void> {
		this.#databases.clear();
		if (this.#initialized !== null) await this.#driver.destroy();
	}

	#dialectFor(reader: TurnTaker): Dialect {
		const dialect = this.#dialect;
		return {
			createAdapter: (): DialectAdapter => dialect.createAdapter(),
			createIntrospector: (db): DatabaseIntrospector => dialect.createIntrospector(db),
			createQueryCompiler: (): QueryCompiler => dialect.createQueryCompiler(),
			createDriver: () => this.#driverFor(reader),
		};
	}

	#driverFor(reader: TurnTaker): Driver {
		const driver = this.#driver;
		const ends = new WeakMap<DatabaseConnection, () => void>();
		return {
			init: () => {
				this.#initialized ??= driver.init();
				return this.#initialized;
			},
			acquireConnection: async () => {
				const end = await this.#turns.take(reader);
				try {
					const connection = await driver.acquireConnection();
					ends.set(connection, end);
					return connection;
				} catch (error) {
					end();
					throw error;
				}
			},
			releaseConnection: async (connection) => {
				try {
					await driver.releaseConnection(connection);
				} finally {
					ends.get(connection)?.();
				}
			},
			beginTransaction: refuse,
			commitTransaction: refuse,
			rollbackTransaction: refuse,
			// The connections belong to all readers.
			destroy: async () => undefined,
		};
	}
}

async function refuse(_connection: DatabaseConnection, _settings?: TransactionSettings): Promise<void> {
	throw new Error("A reader has no transactions.");
}
