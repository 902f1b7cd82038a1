/** What really happened in a run, as the judges need it. All instants are milliseconds since the run began. */
import type { Job } from "#lib/contract/job.ts";
import type { FaultKind, PlannedJob } from "./plan.ts";

export interface Fault {
	kind: FaultKind;
	/** Index of the runner; null where the fault is not a runner's. */
	runner: number | null;
	from: number;
	/** When it was over: what was killed was started again, the network passed, the disk had room. */
	to: number;
	/** Jobs whose ffmpeg it struck. */
	jobIds: number[];
}

export interface JobFacts {
	id: number;
	plan: PlannedJob;
	/** When the 201 came. */
	createdAt: number;
	/** When a cancel was asked, and when the dashboard had answered that it was; null when it was not. */
	cancel: { asked: number; answered: number } | null;
	/** When its grid began to have no session for good. */
	idleFrom: number | null;
	/** The job as the dashboard tells it in the end; null when it is not there. */
	final: Job | null;
}

export interface RunFacts {
	/** Date.now() when the run began. */
	epoch: number;
	faults: Fault[];
	jobs: JobFacts[];
	/** Counters that each display has shown, by its index. */
	painted: (readonly number[])[];
}

/** A timestamp of the API as milliseconds since the run began. */
export const sinceEpoch = (epoch: number, timestamp: string | null): number | null =>
	timestamp === null ? null : Date.parse(timestamp) - epoch;
