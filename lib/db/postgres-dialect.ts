/** Connections to PostgreSQL that a server which stops answering, a pooler and a silent network cannot hold up for long. */
import type { Socket } from "node:net";
import {
	CompiledQuery,
	type DatabaseConnection,
	type Dialect,
	PostgresDialect,
	PostgresDriver,
	type TransactionSettings,
} from "kysely";
import pg from "pg";

/** A server that doesn't respond, or whose network fails silently, must not block calls forever. */
const CONNECTION = { connectionTimeoutMillis: 5_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * A process that stands still in the middle of a transaction, or whose network does, must not hold its locks until it
 * comes back. In the same message as `begin`: a pooler refuses it as a parameter of the connection, and would run it once
 * on any of its own connections.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '30s'";

class TransactionDriver extends PostgresDriver {
	override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
		if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
			throw new Error("Transactions have PostgreSQL's own settings.");
		}
		await connection.executeQuery(CompiledQuery.raw(BEGIN));
	}
}

class TransactionDialect extends PostgresDialect {
	readonly #pool: pg.Pool;

	constructor(pool: pg.Pool) {
		super({ pool });
		this.#pool = pool;
	}

	override createDriver(): PostgresDriver {
		return new TransactionDriver({ pool: this.#pool });
	}
}

/** @param answerMs how long PostgreSQL may take for a statement before its connection is given up. */
export function postgresDialect(location: string, answerMs: number | undefined): Dialect {
	// Timestamps and ids are 64-bit integers that fit a double; pg would return them as strings.
	const types = {
		getTypeParser: (oid: number, format?: "text" | "binary") =>
			oid === 20 ? (value: string) => Number(value) : pg.types.getTypeParser(oid, format as "text"),
	};
	const pool = new pg.Pool({ connectionString: location, max: 10, types: types as never, ...CONNECTION });
	if (answerMs !== undefined) pool.on("connect", (client) => limitAnswers(client, answerMs));
	// Without these listeners, a connection closed by the server would end the process, whether idle or between the
	// statements of a transaction. The next statement on it reports the error.
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));
	return new TransactionDialect(pool);
}

/** A client that is asked to end waits for the server, however long it is silent. */
export const socketOf = (client: pg.ClientBase): Socket =>
	(client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Gives up a connection that leaves a statement unanswered: what a router forgets while a statement is under way is
 * noticed by nobody else for a quarter of an hour. The driver's own limit would leave the connection in the pool, where
 * the next statements wait for the answer, too.
 */
function limitAnswers(client: pg.ClientBase, ms: number): void {
	const socket = socketOf(client);
	const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
	const limited = (...args: unknown[]): Promise<unknown> => {
		const giveUp = () => {
			const message = `PostgreSQL did not answer a statement within ${ms / 1_000} s`;
			socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
		};
		const timer = setTimeout(giveUp, ms).unref();
		return query(...args).finally(() => clearTimeout(timer));
	};
	client.query = limited as typeof client.query;
}
