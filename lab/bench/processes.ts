/** Processor time and memory of processes, and their children, as Linux reports them in /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second of /proc/…/stat; 100 on every Linux that Node runs on. */
const TICKS = 100;

const read = (path: string): string => {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
};

/** @returns the processor time of a process so far, in seconds; 0 if it has ended. */
export const cpuSeconds = (pid: number): number => sumOfTicks(pid, 11);

/**
 * The sum of two fields of /proc/…/stat, counted from the field after the program's name: the process's own CPU time,
 * or that of its ended children.
 */
function sumOfTicks(pid: number, field: 11 | 13): number {
	const fields = read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
	return (Number(fields[field] ?? 0) + Number(fields[field + 1] ?? 0)) / TICKS;
}

/** The same to the nanosecond, for short windows. Time of threads that have ended is missing. */
export function exactCpuSeconds(pid: number): number {
	const tasks = `/proc/${pid}/task`;
	const nanoseconds = readdirSync(tasks).map((task) => Number(read(`${tasks}/${task}/schedstat`).split(" ")[0] ?? 0));
	return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** @returns processor time of a program that this process has started, with processes of it that have ended, seconds. */
export function cpuSecondsOfProgram(name: string): number {
	const pids = processTree(process.pid).filter((pid) => read(`/proc/${pid}/comm`).trim() === name);
	return pids.reduce((sum, pid) => sum + cpuSeconds(pid) + endedChildrenSeconds(pid), 0);
}

const endedChildrenSeconds = (pid: number): number => sumOfTicks(pid, 13);

/** @returns the most memory that a process has held so far, MB. */
export function peakMegabytes(pid: number): number {
	return Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** @returns the memory that a process uses now, in MB; 0 if it has ended. */
export function megabytes(pid: number): number {
	return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** @returns a process and all its running descendants. */
export function processTree(pid: number): number[] {
	const parents = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map((name) => ({ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]) }));
	const tree = [pid];
	for (const root of tree) tree.push(...parents.filter(({ parent }) => parent === root).map((child) => child.pid));
	return tree;
}
