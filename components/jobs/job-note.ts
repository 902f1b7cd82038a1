/** The note beside a job's status: why it waits, why it failed, or that it ended unusually. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";

/** The part of a runner that a job's row shows. */
export type RunnerSummary = Pick<Runner, "id" | "name" | "state" | "lastSeenAt">;

/** Selects what job rows show of the runners, so that other changes don't render the list again. */
export const runnerSummaries = (runners: readonly Runner[]): RunnerSummary[] =>
	runners.map(({ id, name, state, lastSeenAt }) => ({
		id,
		name,
		state,
		// Hidden while the runner is online.
		lastSeenAt: state === "online" ? null : lastSeenAt,
	}));

export type JobNote =
	/** Its runner has been offline since then; null if it has never connected. */
	| { kind: "offline"; since: string | null }
	| { kind: "waiting" }
	| { kind: "failed" }
	| { kind: "stopped-early" }
	| { kind: "ended"; reason: "runner_shutdown" | "grid_unreachable" };

/** @param runner undefined while unknown */
export function noteOf(job: Job, runner: RunnerSummary | undefined): JobNote | null {
	if (job.status === "queued") {
		if (runner === undefined || runner.state === "online") return { kind: "waiting" };
		return { kind: "offline", since: runner.lastSeenAt };
	}
	if (job.status === "failed") return { kind: "failed" };
	if (job.status !== "completed") return null;
	if (job.stopReason === "runner_shutdown" || job.stopReason === "grid_unreachable") {
		return { kind: "ended", reason: job.stopReason };
	}
	return job.stopReason === "cancelled" && job.stopCondition !== "interrupt" ? { kind: "stopped-early" } : null;
}
