/** Allows one start per data directory, because two dashboards must not share a database. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTimeOf } from "./process-table.mjs";
import { Remedy } from "./remedy.mjs";

/**
 * @param command starts it, such as `npm run up`.
 * @returns a function that releases the directory.
 * @throws Remedy when another start holds it.
 */
export function lockDataDir(dataDir, command) {
	const file = join(dataDir, "up.lock");
	const [pid, startTime] = holder(file);
	if (pid !== undefined && startTime !== undefined && startTimeOf(pid) === startTime) {
		throw new Remedy(
			`Another ${command} (process ${pid}) uses the data directory ${dataDir}: stop it first, or set TAPEDECK_DATA_DIR to another one.`,
		);
	}
	writeFileSync(file, `${process.pid} ${startTimeOf(process.pid)}`, { mode: 0o600 });
	return () => rmSync(file, { force: true });
}

function holder(file) {
	try {
		return readFileSync(file, "utf8").split(" ");
	} catch {
		return [];
	}
}
