/** Whether a job ended as what was done to it demands. */
import type { StopReason } from "#lib/contract/job.ts";
import { type Fault, type JobFacts, sinceEpoch } from "./facts.ts";
import { BUSY, IDLE_LEAST, LEASE_LEAST } from "./rules.ts";

export type Outcome = "cancelled before it began" | StopReason;

/** A fault that was there while the job's runner had something to do with it. */
export interface JobFault extends Fault {
	/** Whether it struck this job's own ffmpeg. */
	struck: boolean;
}

/** @param end when the job's capture was over, ms since the run began. */
export function faultsOf(job: JobFacts, faults: readonly Fault[], end: number): JobFault[] {
	return faults
		.filter(({ runner }) => runner === null || runner === job.plan.runner)
		.map((fault) => ({ ...fault, struck: fault.jobIds.includes(job.id) }))
		.filter((fault) => fault.struck || (fault.from <= end + BUSY && fault.to >= job.createdAt));
}

/** When the job's own end had come, whoever noticed it when; Infinity when it never did. */
export function naturalEnd(job: JobFacts, epoch: number): number {
	const started = sinceEpoch(epoch, job.final?.startedAt ?? null);
	const ends = [job.cancel?.asked ?? Infinity, job.idleFrom === null ? Infinity : job.idleFrom + IDLE_LEAST];
	if (job.plan.stopCondition === "duration" && started !== null) ends.push(started + job.plan.seconds * 1_000);
	return Math.min(...ends);
}

/** Every outcome that is true of the job. */
export function truthful(job: JobFacts, faults: readonly JobFault[], epoch: number): Set<Outcome> {
	const allowed = new Set<Outcome>();
	const started = sinceEpoch(epoch, job.final?.startedAt ?? null);
	const natural = naturalEnd(job, epoch);
	const ownReasons = () => {
		if (job.plan.stopCondition === "duration") allowed.add("duration_elapsed");
		if (job.idleFrom !== null) allowed.add("selenium_idle");
		if (job.cancel !== null) allowed.add(started === null ? "cancelled before it began" : "cancelled");
	};
	let brokenOff = false;
	for (const fault of faults) {
		// Handed out in an answer that was lost, and its runner was out of reach until the lease had run out.
		if (started === null && fault.to - fault.from >= LEASE_LEAST) allowed.add("runner_lost");
		const reason = breakingReason(fault);
		if (reason === null) continue;
		allowed.add(reason);
		// The end may have been decided before the fault came; otherwise the fault is the truth.
		if (fault.struck && started !== null && natural > fault.from && fault.kind !== "fill_runner_disk") brokenOff = true;
	}
	if (!brokenOff) ownReasons();
	return allowed;
}

/** The reason with which a fault ends a recording; null when recordings survive it. */
function breakingReason({ kind, struck }: JobFault): StopReason | null {
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

/** The outcome that the dashboard tells; null while the job is not over. */
export function outcomeOf(job: JobFacts): Outcome | null {
	const { final } = job;
	if (final === null || final.endedAt === null) return null;
	if (final.status === "cancelled") return "cancelled before it began";
	return final.status === "completed" || final.status === "failed" ? final.stopReason : null;
}

/** What is wrong with how a job ended; null when nothing is. */
export function judgeOutcome(job: JobFacts, faults: readonly JobFault[], epoch: number): string | null {
	const { final } = job;
	if (final === null) return "it was answered with 201 and is not there any more";
	const outcome = outcomeOf(job);
	if (outcome === null) return `it is not over: ${final.status}`;
	const allowed = truthful(job, faults, epoch);
	if (!allowed.has(outcome)) {
		const told = final.error === null ? "" : ` (${final.error.message})`;
		return `it ended as ${outcome}${told}, which is not what was done to it: ${[...allowed].join(" or ") || "nothing"}`;
	}
	if (final.status === "failed" && final.error?.code !== final.stopReason) {
		return `its error is ${final.error?.code}, its reason ${final.stopReason}`;
	}
	if (final.startedAt !== null && final.recording === null) return "it has recorded and has no recording";
	if (final.recording?.state === "live") return "its recording is still live";
	return null;
}
