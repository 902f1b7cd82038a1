/** When runners were last heard from: collected in memory and written every second, all in one statement. */
import { sql } from "kysely";
import type { Database, Log } from "#lib/core/context.ts";
import { dialectOf } from "#lib/db/dialect.ts";

const WRITE_AFTER_MS = 1_000;

/** One per process, in the app context. */
export class LastSeen {
	readonly #deps: { db: Database; log: Log };
	#pending = new Map<number, number>();
	#timer: NodeJS.Timeout | null = null;

	constructor(deps: { db: Database; log: Log }) {
		this.#deps = deps;
	}

	/** Notes that a runner was heard from. Returns at once. */
	note(runnerId: number, at: number): void {
		this.#pending.set(runnerId, at);
		this.#timer ??= setTimeout(() => {
			this.write().catch((error: unknown) =>
				this.#deps.log.warn({ err: error }, "could not write when runners were last seen"),
			);
		}, WRITE_AFTER_MS).unref();
	}

	/** Writes what was noted. Called by the timer, and before the process exits. */
	async write(): Promise<void> {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		if (this.#pending.size === 0) return;
		const seen = JSON.stringify([...this.#pending].map(([id, at]) => ({ id, at })));
		this.#pending = new Map();
		const { db } = this.#deps;
		// A runner that signed out meanwhile, or in another process, may have been seen later.
		const update =
			dialectOf(db) === "sqlite"
				? sql`update runner set "lastSeenAt" = max(coalesce("lastSeenAt", 0), seen.value ->> 'at')
					from json_each(${seen}) as seen where runner.id = seen.value ->> 'id'`
				: sql`update runner set "lastSeenAt" = greatest("lastSeenAt", seen.at)
					from json_to_recordset(${seen}::json) as seen(id bigint, at bigint) where runner.id = seen.id`;
		await update.execute(db);
	}
}
