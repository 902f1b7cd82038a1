/**
 * The times of the runners' last polls, and the polls' contents: collected in memory and written every second, all in
 * one statement.
 */
import { sql } from "kysely";
import type { Database, Log } from "#lib/core/context.ts";
import { dialectOf } from "#lib/db/dialect.ts";

const WRITE_AFTER_MS = 1_000;

/** The state of a runner as reported by its poll; null for values that it did not report. */
export type Poll = {
	/** The time at which the long poll ends. */
	until: number | null;
	/** Video that it has not uploaded yet. */
	waitingBytes: number | null;
};

type Seen = { at: number; pollUntil: number | null; waitingBytes: number | null };

/** Records when runners polled. There is one per process, in the app context. */
export class LastSeen {
	readonly #deps: { db: Database; log: Log; nodeId?: string | null };
	#pending = new Map<number, Seen>();
	#timer: NodeJS.Timeout | null = null;

	/** @param deps.nodeId this dashboard's id among several. */
	constructor(deps: { db: Database; log: Log; nodeId?: string | null }) {
		this.#deps = deps;
	}

	/** Notes that a runner was heard from. Returns at once. */
	note(runnerId: number, at: number, poll: Poll = { until: null, waitingBytes: null }): void {
		this.#pending.set(runnerId, { at, pollUntil: poll.until, waitingBytes: poll.waitingBytes });
		this.#timer ??= setTimeout(() => {
			this.write().catch((error: unknown) =>
				this.#deps.log.warn({ err: error }, "could not write when runners were last seen"),
			);
		}, WRITE_AFTER_MS).unref();
	}

	/** The runner's poll has broken. */
	forgetPoll(runnerId: number): void {
		const seen = this.#pending.get(runnerId);
		if (seen !== undefined) seen.pollUntil = null;
	}

	/** Writes the collected polls. Called by the timer, and before the process exits. */
	async write(): Promise<void> {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		if (this.#pending.size === 0) return;
		const seen = JSON.stringify([...this.#pending].map(([id, seen]) => ({ id, ...seen })));
		this.#pending = new Map();
		const { db, nodeId = null } = this.#deps;
		// A runner that signed out meanwhile, or in another process, may have been seen later.
		const update =
			dialectOf(db) === "sqlite"
				? sql`update runner set "lastSeenAt" = max(coalesce("lastSeenAt", 0), seen.value ->> 'at'),
						"waitingBytes" = coalesce(seen.value ->> 'waitingBytes', runner."waitingBytes")
					from json_each(${seen}) as seen where runner.id = seen.value ->> 'id'`
				: sql`update runner set "lastSeenAt" = greatest("lastSeenAt", seen.at),
						"pollNodeId" = case when seen."pollUntil" > coalesce(runner."pollUntil", 0)
							then ${nodeId} else runner."pollNodeId" end,
						"pollUntil" = greatest(runner."pollUntil", seen."pollUntil"),
						"waitingBytes" = coalesce(seen."waitingBytes", runner."waitingBytes")
					from json_to_recordset(${seen}::json)
						as seen(id bigint, at bigint, "pollUntil" bigint, "waitingBytes" bigint)
					where runner.id = seen.id`;
		await update.execute(db);
	}
}
