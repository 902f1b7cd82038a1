/**
 * Periodic work that one dashboard process does for all of them. It is claimed in the database by compare-and-set. If
 * the holder dies, another process takes over when the claim expires.
 */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { dialectOf, postgresNow } from "./dialect.ts";
import type { Tables } from "./schema.ts";

/** A holder that does not renew its claim for this long has died. */
const CLAIM_MS = 15_000;
const RENEW_MS = 5_000;

/** This process's claims. */
export class Claims {
	readonly #db: Kysely<Tables>;
	readonly #holder = randomUUID();
	readonly #claimMs: number;

	/** @param claimMs for tests: how long a claim lasts that is not renewed. */
	constructor(db: Kysely<Tables>, claimMs = CLAIM_MS) {
		this.#db = db;
		this.#claimMs = claimMs;
	}

	/**
	 * Does the work, unless another process is doing it or did it less than `periodMs` ago. A SQLite database has one
	 * process, which always does it.
	 * @param work gets a signal that aborts when the claim could not be kept.
	 */
	async perform(name: string, periodMs: number, work: (lost: AbortSignal) => Promise<unknown>): Promise<void> {
		const lost = new AbortController();
		if (dialectOf(this.#db) === "sqlite") {
			await work(lost.signal);
			return;
		}
		if (!(await this.#take(name))) return;
		let renewal = Promise.resolve();
		const timer = setInterval(
			() => {
				renewal = this.#hold(name, this.#claimMs).then(
					(held) => (held ? undefined : lost.abort()),
					() => lost.abort(),
				);
			},
			(this.#claimMs * RENEW_MS) / CLAIM_MS,
		);
		try {
			await work(lost.signal);
		} finally {
			clearInterval(timer);
			await renewal;
			await this.#hold(name, periodMs);
		}
	}

	async #take(name: string): Promise<boolean> {
		const { rows } = await sql`
			insert into claim (name, holder, until) values (${name}, ${this.#holder}, ${postgresNow} + ${this.#claimMs})
			on conflict (name) do update set holder = excluded.holder, until = excluded.until where claim.until <= ${postgresNow}
			returning name`.execute(this.#db);
		return rows.length > 0;
	}

	/** @returns false if another process has taken the claim in the meantime. */
	async #hold(name: string, ms: number): Promise<boolean> {
		const { rows } = await sql`
			update claim set until = ${postgresNow} + ${ms} where name = ${name} and holder = ${this.#holder} returning name`.execute(
			this.#db,
		);
		return rows.length > 0;
	}
}
