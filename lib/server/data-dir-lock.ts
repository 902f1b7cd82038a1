/** One dashboard for each data directory: two would delete each other's uploads and answer from stale state. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFault } from "../db/sqlite-fault.ts";

/**
 * Locks the directory until the returned function is called or the process ends, however it ends. The lock is the
 * kernel's, on a file that SQLite opens: Node has no file locks of its own.
 *
 * @throws an Error with the remedy when another dashboard holds it.
 */
export function lockDataDir(dataDir: string): () => void {
	const lock = new DatabaseSync(join(dataDir, "dashboard.lock"), { timeout: 0 });
	try {
		lock.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		lock.close();
		if (sqliteFault(error) !== "busy") throw error;
		throw new Error(
			`Another dashboard uses the data directory ${dataDir}. Stop it, or choose another directory with TAPEDECK_DATA_DIR.`,
			{ cause: error },
		);
	}
	return () => lock.close();
}
