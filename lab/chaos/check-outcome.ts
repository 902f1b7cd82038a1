/** Whether a job ended as its plan and the faults that struck it demand. */
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import { HARMLESS_TO_RUNNERS } from "./plan.ts";
import { BUSY, CRASH_BEFORE, IDLE_LEAST, LEASE_LEAST } from "./rules.ts";
import { type Fault, isSameJob, type JobRecord, type SpooledJob, sinceEpoch } from "./run-record.ts";

export type Outcome = "cancelled before it began" | StopReason;

/** A fault that occurred during the job. */
export interface JobFault extends Omit<Fault, "struck"> {
	/** Whether it struck this job's own ffmpeg. */
	struck: boolean;
}

/** @param end when the job's capture was over, ms since the run began. */
export function faultsOf(job: JobRecord, faults: readonly Fault[], end: number): JobFault[] {
	return faults
		.filter(({ runner }) => runner === null || runner === job.plan.runner)
		.map((fault) => ({ ...fault, struck: fault.struck.some((spooled) => isStruck(spooled, job)) }))
		.filter((fault) => fault.struck || (fault.from <= end + BUSY && fault.to >= job.createdAt));
}

/** A deleted job is identified by its number only. */
const isStruck = (spooled: SpooledJob, { id, final }: JobRecord): boolean =>
	final === null ? spooled === id : isSameJob(spooled, final);

/** When the job's own end came, noticed or not; Infinity when it never did. */
export function naturalEnd(job: JobRecord, epoch: number): number {
	const started = sinceEpoch(epoch, job.final?.startedAt ?? null);
	const ends = [job.cancel?.asked ?? Infinity, job.idleFrom === null ? Infinity : job.idleFrom + IDLE_LEAST];
	if (job.plan.stopCondition === "duration" && started !== null) ends.push(started + job.plan.seconds * 1_000);
	return Math.min(...ends);
}

/** Every acceptable outcome. */
export function acceptableOutcomes(job: JobRecord, faults: readonly JobFault[], epoch: number): Set<Outcome> {
	const started = sinceEpoch(epoch, job.final?.startedAt ?? null);
	if (job.plan.origin === "worker") return outcomesOfWorker(faults, started !== null);
	const allowed = new Set<Outcome>();
	const natural = naturalEnd(job, epoch);
	const ownReasons = () => {
		if (job.plan.stopCondition === "duration") allowed.add("duration_elapsed");
		if (job.idleFrom !== null) allowed.add("selenium_idle");
		if (job.cancel !== null) allowed.add(started === null ? "cancelled before it began" : "cancelled");
	};
	let brokenOff = false;
	for (const fault of faults) {
		// Handed out in an answer that was lost, and its runner was out of reach until the lease had run out.
		if (started === null && mayLoseJob(fault)) allowed.add("runner_lost");
		const reason = breakingReason(fault);
		if (reason === null) continue;
		allowed.add(reason);
		// The end may have been decided before the fault; otherwise the job must report the fault.
		if (fault.struck && started !== null && natural > fault.from && fault.kind !== "fill_runner_disk") brokenOff = true;
	}
	if (!brokenOff) ownReasons();
	return allowed;
}

/**
 * The end of its command ends the recording of a worker. A display that a runner has lent ends with the runner; and a browser ends with
 * its display, so that the command may end before the runner has noticed.
 */
function outcomesOfWorker(faults: readonly JobFault[], hasStarted: boolean): Set<Outcome> {
	const allowed = new Set<Outcome>(["cancelled", "cancelled before it began"]);
	for (const fault of faults) {
		const { kind, struck } = fault;
		if (kind === "kill_xvfb" && struck) allowed.add(hasStarted ? "display_lost" : "display_unavailable");
		if (/^(kill|terminate|pause)_runner/.test(kind)) {
			allowed.add("display_lost");
			if (!hasStarted) allowed.add("display_unavailable");
		}
		if (mayLoseJob(fault)) allowed.add("runner_lost");
		const reason = breakingReason({ kind, struck: true });
		if (reason !== null) allowed.add(reason);
	}
	return allowed;
}

/** Whether its runner may have been out of reach until the lease of a job that had not begun ran out. */
const mayLoseJob = ({ kind, from, to }: Pick<Fault, "kind" | "from" | "to">): boolean =>
	to - from >= LEASE_LEAST && !HARMLESS_TO_RUNNERS.includes(kind);

/** The reason with which a fault ends a recording; null when recordings survive it. */
export function breakingReason({ kind, struck }: Pick<JobFault, "kind" | "struck">): StopReason | null {
	switch (kind) {
		case "kill_runner_and_ffmpeg":
			return struck ? "ffmpeg_failed" : null;
		case "terminate_runner":
			return struck ? "runner_shutdown" : null;
		case "fill_runner_disk":
			return "storage_full";
		default:
			return null;
	}
}

/** The outcome that the dashboard reports; null while the job is not over. */
export function outcomeOf(job: JobRecord): Outcome | null {
	const { final } = job;
	if (final === null || final.endedAt === null) return null;
	if (final.status === "cancelled") return "cancelled before it began";
	return final.status === "completed" || final.status === "failed" ? final.stopReason : null;
}

/** Whether runner and ffmpeg were killed so soon that the first frames may not have been on the disk. */
const wasKilledAtOnce = (started: number, faults: readonly JobFault[]): boolean =>
	faults.some(({ kind, struck, from }) => kind === "kill_runner_and_ffmpeg" && struck && from - started < CRASH_BEFORE);

/** Describes the fault in a job's end; null if there is none. */
export function checkOutcome(job: JobRecord, faults: readonly JobFault[], epoch: number): string | null {
	const { final } = job;
	if (final === null) return "it was created and is gone";
	const outcome = outcomeOf(job);
	if (outcome === null) return `it is not over: ${final.status}`;
	const allowed = acceptableOutcomes(job, faults, epoch);
	if (!allowed.has(outcome)) {
		const words = final.error === null ? "" : ` (${final.error.message})`;
		return `it ended as ${outcome}${words}; expected ${[...allowed].join(" or ") || "no end"}`;
	}
	if (final.status === "failed" && final.error?.code !== final.stopReason) {
		return `its error is ${final.error?.code}, its reason ${final.stopReason}`;
	}
	const started = sinceEpoch(epoch, final.startedAt);
	if (started !== null && final.recording === null && !wasKilledAtOnce(started, faults))
		return "it recorded something and has no recording";
	if (final.recording?.state === "live") return "its recording is still live";
	return null;
}
