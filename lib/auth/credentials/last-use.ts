/**
 * When a key, token or session was last used: collected in memory and written every second, so that no call waits for
 * it.
 */
import type { Database, Log } from "#lib/core/context.ts";
import { accountTables } from "../better-auth/account-tables.ts";

const WRITE_AFTER_MS = 1_000;
const WRITE_AT_MOST_EVERY_MS = 60_000;

export type CredentialTable = "apiKey" | "runnerToken";
type UsedTable = CredentialTable | "session";

/** One per process, in the app context. */
export class LastUses {
	readonly #db: Database;
	readonly #log: Log;
	readonly #pending = new Map<string, { table: UsedTable; id: number; at: number }>();
	#timer: NodeJS.Timeout | null = null;

	constructor({ db, log }: { db: Database; log: Log }) {
		this.#db = db;
		this.#log = log;
	}

	/** Records a use. @param lastUsedAt as read from the database; a use within a minute of it is skipped. */
	note(table: UsedTable, id: number, lastUsedAt: number | null, now: number): void {
		if (lastUsedAt !== null && now - lastUsedAt < WRITE_AT_MOST_EVERY_MS) return;
		this.#pending.set(`${table} ${id}`, { table, id, at: now });
		if (this.#timer !== null) return;
		this.#timer = setTimeout(() => {
			this.write().catch((error: unknown) =>
				this.#log.warn({ err: error }, "could not write when keys were last used"),
			);
		}, WRITE_AFTER_MS);
		this.#timer.unref();
	}

	/** Writes the recorded uses. Called by the timer, and before the process exits. */
	async write(): Promise<void> {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		const pending = [...this.#pending.values()];
		this.#pending.clear();
		for (const { table, id, at } of pending) {
			if (table === "session") await this.#writeSession(id, at);
			else await this.#writeCredential(table, id, at);
		}
	}

	async #writeCredential(table: CredentialTable, id: number, at: number): Promise<void> {
		await this.#db
			.updateTable(table)
			.set({ lastUsedAt: at })
			.where("id", "=", id)
			.where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", at - WRITE_AT_MOST_EVERY_MS)]))
			.execute();
	}

	/** Writes better-auth's own column, which is a timestamp. */
	async #writeSession(id: number, at: number): Promise<void> {
		await accountTables(this.#db)
			.updateTable("session")
			.set({ updatedAt: new Date(at).toISOString() })
			.where("id", "=", id)
			.where("updatedAt", "<=", new Date(at - WRITE_AT_MOST_EVERY_MS).toISOString())
			.execute();
	}
}
