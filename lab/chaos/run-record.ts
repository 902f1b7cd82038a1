/** The record of a run, as the checks need it. All instants are milliseconds since the run began. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { FaultKind, PlannedJob } from "./plan.ts";

/** A job as a runner's spool names it: by its number, or, where the runner began it, by its name and its beginning. */
export type SpooledJob = number | { name: string; takenAt: string };

export interface Fault {
	kind: FaultKind;
	/** Index of the runner; null where the fault is not a runner's. */
	runner: number | null;
	from: number;
	/** The end of the fault: the killed process runs again, the network works, the disk has space. */
	to: number;
	/** Jobs whose ffmpeg it struck. */
	struck: SpooledJob[];
}

export interface JobRecord {
	id: number;
	plan: PlannedJob;
	/** When the 201 came, or the runner began it. */
	createdAt: number;
	/** When a cancel was sent, and when the dashboard had answered it; null when there was none. */
	cancel: { asked: number; answered: number } | null;
	/** The time from which its grid had no session until the end. */
	idleFrom: number | null;
	/** The job as the dashboard reports it in the end; null when it is gone. */
	final: Job | null;
}

export interface RunRecord {
	/** Date.now() when the run began. */
	epoch: number;
	faults: Fault[];
	jobs: JobRecord[];
	/** Counters that each display has shown, by its index. */
	painted: (readonly number[])[];
}

/** The time by which a fault sets the dashboard's clock ahead, so that everything is older than its retention. */
export const AHEAD_MS = 40 * 86_400_000;

/** A timestamp of the API in ms since 1970. Those recorded while the dashboard's clock was ahead are corrected. */
function rightTime(timestamp: string): number {
	const at = Date.parse(timestamp);
	return at - Date.now() > AHEAD_MS / 2 ? at - AHEAD_MS : at;
}

/** A timestamp of the API as milliseconds since the run began. */
export const sinceEpoch = (epoch: number, timestamp: string | null): number | null =>
	timestamp === null ? null : rightTime(timestamp) - epoch;

/** The runner takes note of a job and asks for it with the same clock. */
const SAME_MS = 1_500;

/** Whether the folder in the spool is the job's. */
export function isSameJob(
	spooled: SpooledJob,
	{ id, name, createdAt }: Pick<Job, "id" | "name" | "createdAt">,
): boolean {
	if (typeof spooled === "number") return spooled === id;
	return spooled.name === name && Math.abs(Date.parse(spooled.takenAt) - rightTime(createdAt)) <= SAME_MS;
}
