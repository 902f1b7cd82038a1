/** A runner's ffmpegs, children and files, as Linux reports them in /proc. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SpooledJob } from "./run-record.ts";

export interface Capture {
	pid: number;
	job: SpooledJob;
	/** Bytes of the part that it writes. */
	bytes: number;
}

const read = (path: string): string => {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
};

const pids = (): number[] =>
	readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number);

/** Processes whose command line names a folder, or something inside. */
export function processesIn(folder: string): { pid: number; command: string }[] {
	return pids()
		.filter((pid) => pid !== process.pid)
		.map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }))
		.filter(({ command }) => command.includes(folder));
}

/** The ffmpegs that record into a runner's data directory. */
export function capturesOf(dataDir: string): Capture[] {
	return processesIn(join(dataDir, "jobs")).flatMap(({ pid, command }) => {
		const [file, folder] = /\S+\/jobs\/([^/]+)\/part-\d+\.mp4/.exec(command) ?? [];
		if (file === undefined || !command.includes("x11grab")) return [];
		const jobId = /^job-(\d+)/.exec(folder ?? "")?.[1];
		const job = jobId === undefined ? startedByRunner(dirname(file)) : Number(jobId);
		if (job === null) return [];
		return [{ pid, job, bytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0 }];
	});
}

/** A job that the runner started, by its manifest; null when its folder is being removed. */
function startedByRunner(folder: string): SpooledJob | null {
	const manifest = read(join(folder, "manifest.json"));
	if (manifest === "") return null;
	const { name, takenAt } = JSON.parse(manifest) as { name: string; takenAt: string };
	return { name, takenAt };
}

/** A job in a line of the log. */
export const describeJob = (job: SpooledJob): string => (typeof job === "number" ? `job ${job}` : job.name);

/** Sends a signal. @returns whether the process was there. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
	try {
		return process.kill(pid, name);
	} catch {
		return false;
	}
}

/** Children of a process that have ended and that it has not reaped. */
export function zombiesOf(parent: number): number[] {
	return pids().filter((pid) => {
		const [state, ppid] = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
		return state === "Z" && Number(ppid) === parent;
	});
}

/** Files that a process holds open though they are deleted. */
export function deletedFilesOf(pid: number): string[] {
	let names: string[] = [];
	try {
		names = readdirSync(`/proc/${pid}/fd`);
	} catch {
		return [];
	}
	return names.flatMap((name) => {
		try {
			const path = readlinkSync(`/proc/${pid}/fd/${name}`);
			// Memory that was mapped is no file of ours.
			return path.endsWith(" (deleted)") && !/^\/(memfd:|dev\/)/.test(path) ? [path] : [];
		} catch {
			return [];
		}
	});
}
