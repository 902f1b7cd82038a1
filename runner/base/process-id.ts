/** Unique identities of processes: pids are reused, but not together with the same start time. */
import { readFileSync } from "node:fs";

export interface ProcessId {
	pid: number;
	/** Clock ticks since boot at which it started (field 22 of /proc/<pid>/stat). */
	startTicks: number;
}

/** Parses a line of /proc/<pid>/stat, whose process name may contain spaces and brackets. Null when it is invalid. */
export function parseStat(line: string): (ProcessId & { state: string }) | null {
	const close = line.lastIndexOf(")");
	const pid = Number.parseInt(line, 10);
	const rest = line.slice(close + 2).split(" ");
	const startTicks = Number(rest[19]);
	if (close < 0 || !Number.isInteger(pid) || !Number.isInteger(startTicks)) return null;
	return { pid, startTicks, state: rest[0] ?? "" };
}

function statOf(pid: number | "self") {
	try {
		return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return null;
	}
}

/** This process. */
export function ownProcess(): ProcessId {
	const stat = statOf("self");
	if (stat === null) throw new Error("Cannot read /proc/self/stat: the runner needs Linux with /proc mounted.");
	return { pid: stat.pid, startTicks: stat.startTicks };
}

/** Whether this exact process is still running; false for a zombie. */
export function isAlive(id: ProcessId): boolean {
	const stat = statOf(id.pid);
	return stat !== null && stat.startTicks === id.startTicks && stat.state !== "Z" && stat.state !== "X";
}

/** Signals this exact process. @returns whether it was running. */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
	if (!isAlive(id)) return false;
	try {
		process.kill(id.pid, signal);
		return true;
	} catch {
		return false;
	}
}
