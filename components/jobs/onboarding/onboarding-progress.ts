/** Progress of an organization from no runner to its first video. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";

export interface OnboardingProgress {
	/** The runner to record with, preferably one that is online. */
	runner: Runner | null;
	/** The job that is closest to a video. */
	job: Job | null;
	/** `job` has recorded something. */
	recorded: boolean;
	/** The video of `job` is stored and plays. */
	hasVideo: boolean;
}

/** @param jobs newest first */
export function onboardingProgress(runners: readonly Runner[], jobs: readonly Job[]): OnboardingProgress {
	const job = jobs.toSorted((a, b) => closeness(b) - closeness(a))[0] ?? null;
	return {
		runner: runners.find(({ state }) => state === "online") ?? runners[0] ?? null,
		job,
		recorded: job !== null && job.startedAt !== null,
		hasVideo: job !== null && isPlayable(job),
	};
}

const isPlayable = (job: Job): boolean =>
	job.recording !== null && job.recording.state !== "live" && job.endedAt !== null;

/** A job's distance from a video, for comparison. */
function closeness(job: Job): number {
	if (isPlayable(job)) return 4;
	if (job.endedAt !== null) return 0;
	return job.startedAt === null ? 1 : 2;
}

/** Whether there ever was a video, including one that was deleted since. */
export const everHadVideo = (jobs: readonly Job[]): boolean =>
	jobs.some((job) => job.status === "completed" || isPlayable(job));
