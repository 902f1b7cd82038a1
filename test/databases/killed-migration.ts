/** A migration in a process of its own, which kills itself at a step. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * @param location a file of SQLite or a URL of PostgreSQL
 * @param step part of a step's name, as the migration reports it
 */
export const migrateKilledAt = (location: string, step: string): SpawnSyncReturns<string> =>
	spawnSync(
		process.execPath,
		[
			"--input-type=module",
			"-e",
			`import { migrateDatabase, openDatabase } from "#lib/db/open.ts";
			const note = ({ step }) => { if (step?.includes(${JSON.stringify(step)})) process.kill(process.pid, "SIGKILL"); };
			await migrateDatabase(openDatabase(${JSON.stringify(location)}), { info: note, warn: note });`,
		],
		{ cwd: join(import.meta.dirname, "../.."), encoding: "utf8" },
	);
