/** One dashboard for each data directory: two would delete each other's uploads and answer from stale state. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteErrorAtStart, sqliteFault } from "../db/database-errors.ts";

/**
 * Locks the directory until the returned function is called or the process ends, however it ends. The lock is the
 * kernel's, on a file that SQLite opens: Node has no file locks of its own.
 *
 * @throws an Error with the remedy when another dashboard holds it, or this user may not write there.
 */
export function lockDataDir(dataDir: string): () => void {
	const file = join(dataDir, "dashboard.lock");
	let lock: DatabaseSync | null = null;
	try {
		const held = new DatabaseSync(file, { timeout: 0 });
		lock = held;
		held.exec("BEGIN EXCLUSIVE");
		return () => held.close();
	} catch (cause) {
		lock?.close();
		if (sqliteFault(cause) !== "busy") throw sqliteErrorAtStart(cause, file);
		throw new Error(
			`Another dashboard uses the data directory ${dataDir}. Stop it, or choose another directory with TAPEDECK_DATA_DIR.`,
			{ cause },
		);
	}
}
