/** Whether a process runs: by id, or by start time where its id may have been reused. */
import { readFileSync } from "node:fs";

export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}

/** @returns the process's start time in clock ticks since boot, as text, or null when it does not run. */
export function startTimeOf(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name in parentheses may hold spaces; the start time is field 22, the 20th after it.
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
	} catch {
		return null;
	}
}
