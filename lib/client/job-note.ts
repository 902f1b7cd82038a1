/** What a row tells of a job beside its status: why it waits, why it failed, or that it ended in an unusual way. */
import type { Job } from "../contract/job.ts";
import type { Runner } from "../contract/runner.ts";

/** What a job's row tells of its runner. */
export type RunnerFacts = Pick<Runner, "id" | "name" | "state" | "lastSeenAt">;

/** Of all that is known of runners, what the list of jobs tells: it is not drawn again for the rest. */
export const runnerFacts = (runners: readonly Runner[]): RunnerFacts[] =>
	runners.map(({ id, name, state, lastSeenAt }) => ({
		...{ id, name, state },
		// While it is there, when it was last seen is nobody's business.
		lastSeenAt: state === "online" ? null : lastSeenAt,
	}));

export type JobNote =
	/** Its runner is away, since then; null: it was never there. */
	| { kind: "offline"; since: string | null }
	| { kind: "waiting" }
	| { kind: "failed" }
	| { kind: "stopped-early" }
	| { kind: "ended"; reason: "runner_shutdown" | "grid_unreachable" };

/** @param runner undefined while it is not known */
export function noteOf(job: Job, runner: RunnerFacts | undefined): JobNote | null {
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
