/**
 * The time of PostgreSQL's machine: leases are written by one dashboard process and checked by another, whose clocks may
 * differ.
 */
import { sql } from "kysely";
import type { Clock, Database, Log } from "#lib/core/context.ts";
import { postgresNow } from "#lib/db/dialect.ts";

const MEASURE_EVERY_MS = 30_000;
const MEASURES = 3;
/** Sign-ins, certificates and signed requests fail with clocks that are further apart. */
const MAX_OFFSET_MS = 60_000;
const NOTABLE_OFFSET_MS = 1_000;

export class DatabaseClock implements Clock {
	readonly #db: Database;
	/** The correction of this machine's clock, from the last measurement. */
	#offsetMs = 0;
	/** The database's time at performance.now() = 0: this machine's clock may be set between two measurings. */
	#originMs = 0;
	/** The possible error of the offset: the database may have read its clock at any time before its answer arrived. */
	#errorMs = Number.POSITIVE_INFINITY;

	private constructor(db: Database) {
		this.#db = db;
	}

	/**
	 * @param stopping ends the periodic measuring.
	 * @param everyMs how often the database's clock is read.
	 * @throws an Error with the remedy if the clocks are more than a minute apart.
	 */
	static async open(db: Database, log: Log, stopping: AbortSignal, everyMs = MEASURE_EVERY_MS): Promise<DatabaseClock> {
		const clock = new DatabaseClock(db);
		await clock.#measure();
		const offset = Math.round(clock.#offsetMs);
		if (Math.abs(offset) > MAX_OFFSET_MS) {
			throw new Error(
				`This machine's clock is ${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? "behind" : "ahead of"} the database's. Set both by NTP, then start again.`,
			);
		}
		if (Math.abs(offset) > NOTABLE_OFFSET_MS)
			log.warn({ offsetMs: offset }, "this machine's clock differs from the database's");
		const timer = setInterval(() => {
			// While the database cannot be reached, the last offset is the best one.
			clock.#measure().catch((error) => log.debug({ err: error }, "could not read the database's clock"));
		}, everyMs).unref();
		stopping.addEventListener("abort", () => clearInterval(timer));
		return clock;
	}

	/** A property, so that it can be passed on alone. */
	now = (): number => Math.round(this.#originMs + performance.now());

	/**
	 * Uses the quickest response: the database read its clock about halfway. A slow response does not change the known
	 * offset, unless the two contradict each other.
	 */
	async #measure(): Promise<void> {
		let best = { tookMs: Number.POSITIVE_INFINITY, offsetMs: 0, originMs: 0 };
		for (let count = 0; count < MEASURES; count++) {
			const askedAt = Date.now();
			const began = performance.now();
			const { rows } = await sql<{ now: number }>`select ${postgresNow} as now`.execute(this.#db);
			const tookMs = performance.now() - began;
			const now = Number(rows[0]?.now);
			const halfway = tookMs / 2;
			if (tookMs < best.tookMs) {
				best = { tookMs, offsetMs: now - (askedAt + halfway), originMs: now - (began + halfway) };
			}
		}
		const errorMs = best.tookMs / 2;
		const contradicts = Math.abs(best.originMs - this.#originMs) > errorMs + this.#errorMs;
		if (!contradicts && errorMs >= this.#errorMs) return;
		this.#offsetMs = best.offsetMs;
		this.#originMs = best.originMs;
		this.#errorMs = errorMs;
	}
}
