/** Runners for the pages. An organization has few, so they are all fetched together. */
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { ENDED_STATUSES, isEnded, JOB_TYPES, type JobStatus, LEASED_STATUSES } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { call } from "./api.ts";
import { jobsSince } from "./jobs.ts";
import { type Kind, NewerEvents } from "./live/newer-events.ts";
import { everyPage } from "./paging.ts";

const newerRunners = new NewerEvents<Runner>();

export const runnerKeys = {
	list: ["runners"] as const,
	removed: ["removed-runners"] as const,
	lastJobs: (runnerId: number) => ["runners-last-jobs", runnerId] as const,
};

export const runnersQuery = () =>
	queryOptions({ queryKey: runnerKeys.list, queryFn: ({ signal }) => everyPage<Runner>("/v1/runners", signal) });

/** Removed runners, whose names their jobs still show. */
export const removedRunnersQuery = () =>
	queryOptions({
		queryKey: runnerKeys.removed,
		queryFn: ({ signal }) => everyPage<Runner>("/v1/runners", signal, { removed: "true" }),
	});

const LAST_JOBS = 5;

/** A runner's last ended jobs, newest first. */
export const lastJobsQuery = (runnerId: number) =>
	queryOptions({
		queryKey: runnerKeys.lastJobs(runnerId),
		queryFn: ({ signal }) =>
			call<Page<Job>>("GET", "/v1/jobs", {
				query: { runnerId, type: JOB_TYPES, status: ENDED_STATUSES, limit: LAST_JOBS },
				signal,
			}).then((page) => page.data),
	});

/** Applies changes of jobs to their runners: running, queued and last ended jobs. */
export function applyJobsToRunners(client: QueryClient, jobs: readonly Job[]): void {
	if (jobs.length === 0) return;
	client.setQueryData<Runner[]>(runnerKeys.list, (runners) =>
		runners?.map((runner) => {
			const own = jobs.filter((job) => job.runnerId === runner.id);
			return own.length === 0 ? runner : { ...runner, ...jobIdsWith(runner, own) };
		}),
	);
	for (const job of jobs) {
		if (!isEnded(job.status)) continue;
		client.setQueryData<Job[]>(runnerKeys.lastJobs(job.runnerId), (last) => {
			if (last === undefined) return undefined;
			const all = [job, ...last.filter(({ id }) => id !== job.id)].sort((a, b) => b.id - a.id);
			return all.slice(0, LAST_JOBS);
		});
	}
}

function jobIdsWith(runner: Runner, jobs: readonly Job[]): Pick<Runner, "runningJobIds" | "waitingJobIds"> {
	const changed = new Set(jobs.map(({ id }) => id));
	const idsWith = (before: readonly number[], statuses: readonly JobStatus[]) =>
		[
			...before.filter((id) => !changed.has(id)),
			...jobs.filter(({ status }) => statuses.includes(status)).map(({ id }) => id),
		].sort((a, b) => a - b);
	return {
		runningJobIds: idsWith(runner.runningJobIds, LEASED_STATUSES),
		waitingJobIds: idsWith(runner.waitingJobIds, ["queued"]),
	};
}

/**
 * Requests the current picture of a display, as JPEG.
 * @returns null if there is no picture: the runner is offline or doesn't support pictures, the display is gone, or the
 *   signal was aborted.
 */
export async function fetchDisplayPicture(
	runnerId: number,
	displayId: string,
	signal: AbortSignal,
): Promise<Blob | null> {
	try {
		const path = `/v1/runners/${runnerId}/displays/${displayId.slice(1)}/picture`;
		const answer = await fetch(path, { signal, credentials: "same-origin" });
		return answer.ok ? await answer.blob() : null;
	} catch {
		return null;
	}
}

/** Updates the cache with `runner`. */
export function applyRunner(client: QueryClient, runner: Runner): void {
	newerRunners.note(runner.id, runner);
	showRunner(client, runner);
}

function showRunner(client: QueryClient, runner: Runner): void {
	client.setQueryData<Runner[]>(runnerKeys.list, (runners) => {
		if (runners === undefined) return undefined;
		const known = runners.some((one) => one.id === runner.id);
		return known ? runners.map((one) => (one.id === runner.id ? runner : one)) : [...runners, runner];
	});
}

/** A runner's name; undefined while unknown. Removed runners are fetched only if needed. */
export function useRunnerName(runnerId: number): string | undefined {
	const runners = useQuery(runnersQuery()).data;
	const here = runners?.find(({ id }) => id === runnerId);
	const removed = useQuery({ ...removedRunnersQuery(), enabled: runners !== undefined && here === undefined }).data;
	return (here ?? removed?.find(({ id }) => id === runnerId))?.name;
}

/** Removes a runner from every cache. */
export function forgetRunner(client: QueryClient, runnerId: number): void {
	newerRunners.note(runnerId, null);
	hideRunner(client, runnerId);
	void client.invalidateQueries({ queryKey: runnerKeys.removed });
}

const hideRunner = (client: QueryClient, runnerId: number): void =>
	void client.setQueryData<Runner[]>(runnerKeys.list, (runners) => runners?.filter((one) => one.id !== runnerId));

export const RUNNERS: Kind = {
	key: runnerKeys.list[0],
	showSince(client, since) {
		newerRunners.showSince(
			since,
			(runner) => showRunner(client, runner),
			(id) => hideRunner(client, id),
		);
		applyJobsToRunners(client, jobsSince(since));
	},
};
