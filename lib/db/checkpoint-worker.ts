/** The thread that copies SQLite's write-ahead log into the database, with a connection and fsyncs of its own. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** Above this, writers wait for a moment until the log has been copied completely, so that it starts anew: 64 MB. */
const MAX_PAGES = 16_000;
const BUSY_MS = 500;

const database = new DatabaseSync(workerData as string, { timeout: BUSY_MS });
database.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
const passive = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
const restart = database.prepare("PRAGMA wal_checkpoint(RESTART)");

parentPort?.on("message", (order: "checkpoint" | "close") => {
	if (order === "close") {
		database.close();
		parentPort?.close();
		return;
	}
	const { log } = passive.get() as { log: number };
	if (log > MAX_PAGES) restart.get();
});
