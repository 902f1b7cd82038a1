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
import type { TurnLimits } from "./fair-turns.ts";

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

/** Connections of the pool. */
const POOL_SIZE = 10;
/**
 * The part of the pool for reads that may take long (FairReads). The rest is for calls that cannot wait for these
 * reads.
 */
export const POOL_READ_LIMITS: TurnLimits = { all: 6, organization: 3, caller: 2 };

/** Maximum time of a statement before PostgreSQL's connection is given up, in milliseconds. */
export interface AnswerLimits {
	usual: number;
	/** Limit of an urgent statement. If it is exceeded, all connections that have been silent since are given up. */
	urgent: number;
}

/** @param limits without them, a statement may take as long as it takes. */
export function postgresDialects(location: string, limits?: AnswerLimits): { usual: Dialect; urgent: Dialect } {
	const answers = limits === undefined ? null : new Answers(limits);
	return {
		usual: poolDialect(location, { max: POOL_SIZE }, (client) => answers?.watch(client, "usual")),
		urgent: poolDialect(
			location,
			{ max: 1, connectionTimeoutMillis: limits?.urgent ?? CONNECTION.connectionTimeoutMillis },
			(client) => answers?.watch(client, "urgent"),
		),
	};
}

function poolDialect(location: string, options: pg.PoolConfig, connected: (client: pg.PoolClient) => void): Dialect {
	// Timestamps and ids are 64-bit integers that fit a double; pg would return them as strings.
	const types = {
		getTypeParser: (oid: number, format?: "text" | "binary") =>
			oid === 20 ? (value: string) => Number(value) : pg.types.getTypeParser(oid, format as "text"),
	};
	const pool = new pg.Pool({ connectionString: location, types: types as never, ...CONNECTION, ...options });
	pool.on("connect", connected);
	// Without these listeners, a connection closed by the server would end the process, whether idle or between the
	// statements of a transaction. The next statement on it reports the error.
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));
	return new TransactionDialect(pool);
}

/** A client that is being ended waits for the server, however long the server is silent. */
export const socketOf = (client: pg.ClientBase): Socket =>
	(client as unknown as { connection: { stream: Socket } }).connection.stream;

interface Watched {
	socket: Socket;
	/** The start of the statement that is not answered yet, by performance.now(). Null if there is none. */
	askedAt: number | null;
	heardAt: number;
	/** Maximum time until its answer, in milliseconds. */
	limit: number;
	timer: NodeJS.Timeout | undefined;
}

/**
 * Gives up connections that leave a statement unanswered. If a router forgets a connection during a statement, nothing
 * else notices it for a quarter of an hour. The driver's own limit would leave the connection in the pool, where the
 * next statements would wait for the response, too.
 *
 * Some statements take long, so the silence of one connection says nothing about others. An urgent statement never
 * takes long: if it is not answered, the network has forgotten its connection, and probably all of them.
 */
class Answers {
	readonly #limits: AnswerLimits;
	readonly #all = new Set<Watched>();

	constructor(limits: AnswerLimits) {
		this.#limits = limits;
	}

	watch(client: pg.ClientBase, kind: keyof AnswerLimits): void {
		const socket = socketOf(client);
		const watched: Watched = { socket, askedAt: null, heardAt: performance.now(), limit: 0, timer: undefined };
		this.#all.add(watched);
		socket.once("close", () => this.#all.delete(watched));
		const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
		const limited = (...args: unknown[]): Promise<unknown> => {
			this.#asked(watched, kind);
			return query(...args).finally(() => {
				clearTimeout(watched.timer);
				watched.heardAt = performance.now();
				watched.askedAt = null;
			});
		};
		client.query = limited as typeof client.query;
	}

	#asked(watched: Watched, kind: keyof AnswerLimits): void {
		const askedAt = performance.now();
		watched.askedAt = askedAt;
		this.#limit(watched, this.#limits[kind], () => {
			if (kind === "urgent") this.#giveUpSilent(askedAt);
		});
	}

	/** @param ms from when it was asked. */
	#limit(watched: Watched, ms: number, exceeded: () => void = () => undefined): void {
		const { askedAt } = watched;
		clearTimeout(watched.timer);
		if (askedAt === null) return;
		watched.limit = ms;
		// After a time in which this process itself stood still, the answer may have arrived: it is read first.
		const read = () =>
			setImmediate(() => {
				if (watched.askedAt !== askedAt) return;
				giveUp(watched);
				exceeded();
			});
		watched.timer = setTimeout(read, Math.max(0, askedAt + ms - performance.now())).unref();
	}

	/** Connections that have been silent since then are given up, or get the limit of an urgent statement. */
	#giveUpSilent(since: number): void {
		for (const watched of this.#all) {
			if (watched.heardAt >= since) continue;
			if (watched.askedAt === null) giveUp(watched);
			else this.#limit(watched, this.#limits.urgent);
		}
	}
}

function giveUp({ socket, limit, askedAt }: Watched): void {
	const what =
		askedAt === null
			? "The network has forgotten the connection to PostgreSQL"
			: `PostgreSQL did not answer a statement within ${limit / 1_000} s`;
	socket.destroy(Object.assign(new Error(what), { code: "ETIMEDOUT" }));
}
