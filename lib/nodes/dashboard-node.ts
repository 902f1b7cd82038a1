/**
 * This dashboard among others on one PostgreSQL: a node is a data directory, whose processes come and go. A node holds
 * a lease while its process runs; uploads belong to nodes, and others may continue them when the lease has expired.
 */
import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database, EventBus, Log } from "#lib/core/context.ts";
import { postgresFault } from "#lib/db/database-errors.ts";
import { postgresNow } from "#lib/db/dialect.ts";

export interface NodeLeaseRules {
	leaseMs: number;
	renewMs: number;
	/** This machine stops relying on its lease so much earlier than others may take it. */
	marginMs: number;
}
export const NODE_LEASE_RULES: NodeLeaseRules = { leaseMs: 10_000, renewMs: 2_500, marginMs: 1_000 };
const RETRY_MS = 500;
/**
 * The time after a stop in which other dashboards wait for this one to return, if it is awaited. Then they continue its
 * uploads without its files.
 */
const RETURN_MS = 20_000;
/** Marks a lease that its process has given up: no other dashboard waits for the process to return. */
const NOT_AWAITED = "";

type NodeDeps = { db: Database; urgent: Database; events: EventBus; log: Log };

/**
 * The URL at which other dashboards reach one with this address. If it listens on all addresses, the first one in a
 * network.
 */
export function internalUrlOf({ host, port }: { host: string; port: number }): string {
	const everywhere = host === "0.0.0.0" || host === "::";
	const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
	const outside = addresses.find(({ internal, family }) => !internal && family === "IPv4")?.address;
	const shown = everywhere ? (outside ?? "127.0.0.1") : host;
	return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

export class DashboardNode {
	readonly id: string;
	readonly #deps: NodeDeps;
	readonly #internalUrl: string;
	readonly #rules: NodeLeaseRules;
	/** Identifies this process. */
	readonly #holder = randomUUID();
	/** The end of the lease by performance.now(). */
	#leaseUntil = Number.NEGATIVE_INFINITY;
	#term = 0;
	#others = new Map<string, string>();
	readonly #shutdown = new AbortController();
	#renewal: Promise<void> = Promise.resolve();
	readonly #unsubscribe: () => void;

	constructor(deps: NodeDeps, id: string, internalUrl: string, rules: NodeLeaseRules = NODE_LEASE_RULES) {
		this.#deps = deps;
		this.id = id;
		this.#internalUrl = internalUrl;
		this.#rules = rules;
		this.#unsubscribe = deps.events.subscribe((change) => {
			if (change.type === "dashboards" || change.type === "resync") this.findOthers().catch(() => undefined);
		});
	}

	/** Takes the node's lease and keeps it. */
	async join(): Promise<void> {
		await this.#deps.db.transaction().execute(async (db) => {
			// If two dashboards start at once, the second one sees the first.
			await sql`lock table "dashboardNode" in exclusive mode`.execute(db);
			await this.#take(db);
			await this.findOthers(db);
			// The database may have been restored, so every runner is asked again for its jobs.
			if (this.alone) await db.updateTable("runner").set({ syncedSessionId: null }).execute();
		});
		// Others hear of this node before it serves its first request.
		this.#deps.events.publish({ type: "dashboards" });
		this.#renewal = this.#renew();
	}

	/** Whether the lease holds, so that no other dashboard can have taken this one's uploads. */
	get holds(): boolean {
		return performance.now() < this.#leaseUntil;
	}

	/** Grows whenever the lease had expired: earlier knowledge about uploads may be wrong then. */
	get term(): number {
		return this.#term;
	}

	/** Whether no other dashboard is known to run. */
	get alone(): boolean {
		return this.#others.size === 0;
	}

	/** Number of running dashboards, including this one. */
	get count(): number {
		return this.#others.size + 1;
	}

	/** The URLs of the other dashboards that run. */
	get urlsOfOthers(): string[] {
		return [...this.#others.values()];
	}

	/** The URL of another dashboard; undefined if it does not run. */
	urlOf(nodeId: string): string | undefined {
		return this.#others.get(nodeId);
	}

	async findOthers(db = this.#deps.urgent): Promise<void> {
		const rows = await db
			.selectFrom("dashboardNode")
			.select(["id", "internalUrl"])
			.where("id", "!=", this.id)
			.where("until", ">", postgresNow)
			.execute();
		this.#others = new Map(rows.map(({ id, internalUrl }) => [id, internalUrl]));
	}

	/** Nodes whose lease ended without `leave`, or before they returned with the videos on their disks. */
	async findGone(): Promise<{ id: string; url: string; seconds: number }[]> {
		const rows = await this.#deps.urgent
			.selectFrom("dashboardNode")
			.select(["id", "internalUrl", sql<number>`${postgresNow} - until`.as("ms")])
			.where("until", "<", postgresNow)
			.where("holder", "!=", NOT_AWAITED)
			.execute();
		return rows.map(({ id, internalUrl, ms }) => ({ id, url: internalUrl, seconds: Number(ms) / 1_000 }));
	}

	/**
	 * Ends the lease. Others may continue this node's uploads at once; if it is awaited, after a time in which it usually
	 * returns.
	 * @param isAwaited whether it has anything that others do not have, such as videos on its disk.
	 */
	async leave(isAwaited: boolean): Promise<void> {
		// Once the lease has ended, others go on by themselves.
		const deadline = this.holds ? performance.now() + this.#rules.leaseMs : 0;
		this.#shutdown.abort();
		this.#unsubscribe();
		await this.#renewal;
		this.#leaseUntil = Number.NEGATIVE_INFINITY;
		const end = () =>
			this.#deps.urgent
				.updateTable("dashboardNode")
				.set(
					isAwaited
						? { until: sql`${postgresNow} + ${RETURN_MS}` }
						: { until: sql`${postgresNow}`, holder: NOT_AWAITED },
				)
				.where("id", "=", this.id)
				.where("holder", "=", this.#holder)
				.execute();
		// The connection may have been lost since it was used last; the next one is new.
		for (;;) {
			try {
				await end();
				break;
			} catch (error) {
				if (postgresFault(error) === null || performance.now() > deadline) throw error;
				await sleep(RETRY_MS);
			}
		}
		this.#deps.events.publish({ type: "dashboards" });
	}

	async #take(db = this.#deps.urgent): Promise<void> {
		const askedAt = performance.now();
		await sql`insert into "dashboardNode" (id, holder, "internalUrl", until)
			values (${this.id}, ${this.#holder}, ${this.#internalUrl}, ${postgresNow} + ${this.#rules.leaseMs})
			on conflict (id) do update set holder = excluded.holder, "internalUrl" = excluded."internalUrl",
				until = excluded.until`.execute(db);
		this.#term += 1;
		this.#leaseUntil = askedAt + this.#rules.leaseMs - this.#rules.marginMs;
	}

	async #renew(): Promise<void> {
		for (let wait = this.#rules.renewMs; ; ) {
			await sleep(wait, undefined, { ref: false, signal: this.#shutdown.signal }).catch(() => undefined);
			if (this.#shutdown.signal.aborted) return;
			try {
				await this.#extend();
				await this.findOthers();
				wait = this.#rules.renewMs;
			} catch (error) {
				this.#deps.log.debug({ err: error }, "could not renew this dashboard's lease; trying again");
				wait = RETRY_MS;
			}
		}
	}

	async #extend(): Promise<void> {
		const askedAt = performance.now();
		const { rows } = await sql`update "dashboardNode" set until = ${postgresNow} + ${this.#rules.leaseMs}
			where id = ${this.id} and holder = ${this.#holder} and until > ${postgresNow} returning id`.execute(
			this.#deps.urgent,
		);
		if (rows.length > 0 && this.holds) this.#leaseUntil = askedAt + this.#rules.leaseMs - this.#rules.marginMs;
		else {
			this.#deps.log.warn({}, "this dashboard's lease had expired; others may have continued its uploads");
			await this.#take();
		}
	}
}

/**
 * Forgets a node that will not return.
 * @throws an Error with the remedy if it runs, or is not known.
 */
export async function removeNode(db: Database, id: string): Promise<void> {
	const isGone = sql<boolean>`until < ${postgresNow}`;
	const removed = await db
		.deleteFrom("dashboardNode")
		.where("id", "=", id)
		.where(isGone)
		.returning("id")
		.executeTakeFirst();
	if (removed !== undefined) return;
	const known = await db
		.selectFrom("dashboardNode")
		.select(["id", isGone.as("isGone")])
		.orderBy("id")
		.execute();
	if (known.some((node) => node.id === id)) {
		throw new Error(`The node ${id} runs, or stopped less than 30 seconds ago. Stop it, then try again.`);
	}
	const gone = known.filter((node) => node.isGone).map((node) => node.id);
	const hint = gone.length === 0 ? "No node is gone." : `Nodes that are gone: ${gone.join(", ")}.`;
	throw new Error(`There is no node ${id}. ${hint}`);
}
