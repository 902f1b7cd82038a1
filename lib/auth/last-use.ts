/** When a key, token or session was last used: collected in memory and written now and then, never while a call waits. */
import type { Database, Log } from "../core/context.ts";
import { accountTables } from "./better-auth/account-tables.ts";

const WRITE_AFTER_MS = 1_000;
export const LAST_USE_EVERY_MS = 60_000;

export type CredentialTable = "apiKey" | "runnerToken";
type UsedTable = CredentialTable | "session";
type Uses = { at: Map<string, { table: UsedTable; id: number; at: number }>; timer: NodeJS.Timeout | null };

const slot = Symbol.for("tapedeck.last-use");
const shared = globalThis as { [slot]?: WeakMap<object, Uses> };
shared[slot] ??= new WeakMap();
const pending = shared[slot];

/**
 * Notes a use. @param lastUsedAt what the database said when the credential was read: within a minute of it
 * nothing is noted.
 */
export function noteUse(
	deps: { db: Database; log: Log },
	table: UsedTable,
	id: number,
	lastUsedAt: number | null,
	now: number,
): void {
	if (lastUsedAt !== null && now - lastUsedAt < LAST_USE_EVERY_MS) return;
	let uses = pending.get(deps.db);
	if (uses === undefined) {
		uses = { at: new Map(), timer: null };
		pending.set(deps.db, uses);
	}
	uses.at.set(`${table} ${id}`, { table, id, at: now });
	if (uses.timer !== null) return;
	uses.timer = setTimeout(() => {
		writeUses(deps.db).catch((error: unknown) => deps.log.warn({ err: error }, "Last uses could not be written."));
	}, WRITE_AFTER_MS);
	uses.timer.unref();
}

/** Writes what was noted. Called by the timer, and before the process ends. */
export async function writeUses(db: Database): Promise<void> {
	const uses = pending.get(db);
	if (uses === undefined) return;
	if (uses.timer !== null) clearTimeout(uses.timer);
	uses.timer = null;
	const noted = [...uses.at.values()];
	uses.at.clear();
	for (const { table, id, at } of noted) {
		if (table === "session") {
			await writeSeen(db, id, at);
			continue;
		}
		await db
			.updateTable(table)
			.set({ lastUsedAt: at })
			.where("id", "=", id)
			.where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<=", at - LAST_USE_EVERY_MS)]))
			.execute();
	}
}

/** better-auth's own column, an instant; it too is written at most once a minute. */
async function writeSeen(db: Database, sessionId: number, at: number): Promise<void> {
	await accountTables(db)
		.updateTable("session")
		.set({ updatedAt: new Date(at).toISOString() })
		.where("id", "=", sessionId)
		.where("updatedAt", "<=", new Date(at - LAST_USE_EVERY_MS).toISOString())
		.execute();
}
