/**
 * The event bus of several dashboard processes on one PostgreSQL. Changes reach this process's listeners at once and
 * the other processes by NOTIFY: after the commit, as a statement of its own, because a NOTIFY inside of a transaction
 * takes a lock of the whole server until after the commit. The database is the truth: a lost notification delays what
 * waits for it by the seconds until it reads again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Change, EventBus, Log } from "#lib/core/context.ts";
import { socketOf } from "#lib/db/postgres-dialect.ts";
import { createEventBus, type OpenEventBus } from "./event-bus.ts";

const CHANNEL = "tapedeck_changes";
/** PostgreSQL refuses payloads of 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** The shortest interval between notifications. Two changes of the same item in between are sent once. */
const NOTIFY_EVERY_MS = 50;
/** If more changes than this wait, the other processes get a message to read everything again instead. */
const MAX_WAITING = 10_000;
const RECONNECT_MS = 500;
/** The interval at which the connection is probed, to find out whether its other end has vanished. */
const PROBE_EVERY_MS = 2_500;
const QUERY_TIMEOUT_MS = 3_000;

type Message = {
	from: string;
	/** When it was sent, by the sender's performance.now(). */
	at: number;
	changes: Change[];
};

export class PostgresEventBus implements OpenEventBus {
	readonly #url: string;
	readonly #log: Log;
	readonly #local: EventBus;
	/** Identifies this process, which ignores its own notifications. */
	readonly #id = randomUUID();
	/** Changes not yet sent to the other processes, as JSON: equal ones are sent once. */
	#waiting = new Set<string>();
	#notifiedAt = Number.NEGATIVE_INFINITY;
	#notifying = false;
	#client: pg.Client | null = null;
	#closed = false;
	#probe: NodeJS.Timeout | undefined;
	/** Called with how long a notification of this process took to PostgreSQL and back, in milliseconds. */
	onDelay: (ms: number) => void = () => undefined;

	/** @param url a connection to PostgreSQL itself: a pooler of transactions delivers no notifications. */
	constructor(url: string, log: Log) {
		this.#url = url;
		this.#log = log;
		this.#local = createEventBus(log);
	}

	/** @throws an Error with the remedy when the URL leads to a connection pooler, or PostgreSQL's error. */
	async open(): Promise<void> {
		const client = await this.#connect();
		const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
		const processId = (client as unknown as { processID: number | null }).processID;
		if (rows[0]?.pid !== processId) {
			await this.close();
			throw new Error(
				"The connection for notifications leads to a connection pooler, which does not deliver them. Set TAPEDECK_DATABASE_DIRECT_URL to the URL of PostgreSQL itself.",
			);
		}
		this.#probe = setInterval(() => void this.#tryOut(), PROBE_EVERY_MS).unref();
	}

	get delivered(): number {
		return this.#local.delivered;
	}

	publish(change: Change): void {
		this.#local.publish(change);
		if (this.#waiting.size >= MAX_WAITING) this.#waiting = new Set([RESYNC]);
		else this.#waiting.add(JSON.stringify(change));
		void this.#notify();
	}

	subscribe(listener: (change: Change) => void): () => void {
		return this.#local.subscribe(listener);
	}

	/** Notifies the other processes of pending changes, and closes the connection. */
	async close(): Promise<void> {
		this.#closed = true;
		clearInterval(this.#probe);
		const client = this.#client;
		this.#client = null;
		if (client === null) return;
		try {
			await this.#send(client);
			// Closed by the server once it has read them.
			await Promise.race([client.end(), sleep(QUERY_TIMEOUT_MS, undefined, { ref: false })]);
		} catch {
			// They read again by themselves.
		}
		socketOf(client).destroy();
	}

	/** A notification tries the connection out, too, and it has one statement at a time. */
	async #tryOut(): Promise<void> {
		const client = this.#client;
		if (client === null || this.#notifying) return;
		this.#notifying = true;
		try {
			await client.query("select 1");
		} catch {
			socketOf(client).destroy();
		} finally {
			this.#notifying = false;
		}
		await this.#notify();
	}

	async #notify(): Promise<void> {
		if (this.#notifying) return;
		this.#notifying = true;
		let client: pg.Client | null = null;
		try {
			while (this.#waiting.size > 0 && this.#client !== null) {
				// At least until the caller's turn ends: it may publish more.
				await sleep(Math.max(1, this.#notifiedAt + NOTIFY_EVERY_MS - performance.now()));
				client = this.#client;
				if (client === null) return;
				this.#notifiedAt = performance.now();
				await this.#send(client);
			}
		} catch (error) {
			this.#log.warn({ err: error }, "could not notify the other dashboards; they will read everything again");
			this.#waiting = new Set([RESYNC]);
			// It is opened again.
			if (client !== null) socketOf(client).destroy();
		} finally {
			this.#notifying = false;
		}
	}

	async #send(client: pg.Client): Promise<void> {
		const changes = [...this.#waiting];
		this.#waiting = new Set();
		for (const payload of payloadsOf(this.#id, changes)) {
			await client.query("select pg_notify($1, $2)", [CHANNEL, payload]);
		}
	}

	async #connect(): Promise<pg.Client> {
		const client = new pg.Client({
			connectionString: this.#url,
			connectionTimeoutMillis: QUERY_TIMEOUT_MS,
			query_timeout: QUERY_TIMEOUT_MS,
			keepAlive: true,
			keepAliveInitialDelayMillis: PROBE_EVERY_MS,
			application_name: "tapedeck events",
		});
		client.on("notification", ({ payload }) => this.#receive(payload ?? ""));
		client.on("error", (error) => this.#log.warn({ err: error }, "lost the connection for notifications"));
		client.once("end", () => void this.#reconnect(client));
		try {
			await client.connect();
			await client.query(`listen ${CHANNEL}`);
		} catch (error) {
			client.removeAllListeners("end");
			socketOf(client).destroy();
			throw error;
		}
		if (this.#closed) await client.end();
		else this.#client = client;
		return client;
	}

	async #reconnect(lost: pg.Client): Promise<void> {
		if (this.#client === lost) this.#client = null;
		while (!this.#closed) {
			await sleep(RECONNECT_MS * (0.5 + Math.random()));
			try {
				await this.#connect();
				this.#log.info({}, "receiving notifications again");
				// Both sides may have missed changes in the meantime.
				this.#local.publish({ type: "resync" });
				this.#waiting.add(RESYNC);
				return await this.#notify();
			} catch (error) {
				this.#log.debug({ err: error }, "could not connect for notifications; trying again");
			}
		}
	}

	#receive(payload: string): void {
		const { from, at, changes } = JSON.parse(payload) as Message;
		if (from === this.#id) {
			this.onDelay(performance.now() - at);
			return;
		}
		for (const change of changes) this.#local.publish(change);
	}
}

const RESYNC = JSON.stringify({ type: "resync" } satisfies Change);

/** Packs changes, each as JSON, into as few payloads as possible. */
function payloadsOf(from: string, changes: readonly string[]): string[] {
	const head = `{"from":"${from}","at":${performance.now()},"changes":[`;
	const payloads: string[] = [];
	let packed: string[] = [];
	let bytes = 0;
	const finish = () => {
		if (packed.length > 0) payloads.push(`${head}${packed.join(",")}]}`);
		packed = [];
		bytes = head.length + 2;
	};
	finish();
	for (const change of changes) {
		const size = Buffer.byteLength(change) + 1;
		if (bytes + size > MAX_PAYLOAD_BYTES) finish();
		packed.push(change);
		bytes += size;
	}
	finish();
	return payloads;
}
