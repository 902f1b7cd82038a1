/** How far an organization is on its way from no runner to its first video. */
import type { Job } from "../contract/job.ts";
import type { Runner } from "../contract/runner.ts";

export interface NewcomerWay {
	/** The runner to record with: one that is there, or else one that was. */
	runner: Runner | null;
	/** The job that is nearest to a video. */
	job: Job | null;
	recorded: boolean;
	/** Its video is stored and plays. */
	hasVideo: boolean;
}

const isPlayable = (job: Job): boolean =>
	job.recording !== null && job.recording.state !== "live" && job.endedAt !== null;

/** How near a job is to a video; the nearest one is looked at. */
function nearness(job: Job): number {
	if (isPlayable(job)) return 4;
	if (job.endedAt !== null) return 0;
	return job.startedAt === null ? 1 : 2;
}

/** @param jobs newest first */
export function newcomerWay(runners: readonly Runner[], jobs: readonly Job[]): NewcomerWay {
	const job = jobs.toSorted((a, b) => nearness(b) - nearness(a))[0] ?? null;
	return {
		runner: runners.find(({ state }) => state === "online") ?? runners[0] ?? null,
		job,
		recorded: job !== null && job.startedAt !== null,
		hasVideo: job !== null && isPlayable(job),
	};
}

/** Whether there ever was a video: also one that has been deleted since. */
export const everHadVideo = (jobs: readonly Job[]): boolean =>
	jobs.some((job) => job.status === "completed" || isPlayable(job));

const nameOf = (organizationId: number): string => `tapedeck.newcomer-done.${organizationId}`;

/** Whether the way was walked to its end, or hidden, in this browser. */
export function isWayDone(organizationId: number): boolean {
	try {
		return localStorage.getItem(nameOf(organizationId)) !== null;
	} catch {
		return false;
	}
}

export function markWayDone(organizationId: number): void {
	try {
		localStorage.setItem(nameOf(organizationId), "1");
	} catch {
		// A browser that keeps nothing: it is the jobs themselves that tell.
	}
}
