/** What a row tells of a job beside its status: why it waits, why it failed, or that it ended in an unusual way. */
import type { Job } from "../contract/job.ts";
import type { Runner } from "../contract/runner.ts";

/** What a job's row tells of its runner. */
export type RunnerFacts = Pick<Runner, "id" | "name" | "state" | "lastSeenAt">;

/** The same facts as before where nothing of them changed, so that no row is drawn again for the rest of a runner. */
export function runnerFacts(
	runners: readonly Runner[],
	before: ReadonlyMap<number, RunnerFacts>,
): ReadonlyMap<number, RunnerFacts> {
	const facts = runners.map(({ id, name, state, lastSeenAt }): RunnerFacts => {
		const known = before.get(id);
		const same = known?.name === name && known.state === state && known.lastSeenAt === lastSeenAt;
		// While it is there, when it was last seen is nobody's business.
		return known !== undefined && (same || (state === "online" && known.state === state && known.name === name))
			? known
			: { id, name, state, lastSeenAt };
	});
	return new Map(facts.map((one) => [one.id, one]));
}

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
