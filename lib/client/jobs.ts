/** Jobs for the pages: query keys, queries and cache updates. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Job, JobCounts, JobEvent } from "@tapedeck/contract/job.ts";
import { JOB_TYPES } from "@tapedeck/contract/job-status.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { call } from "./api.ts";
import { apiQuery, type JobFilters, matchesFilters } from "./job-filters.ts";
import { type Kind, NewerEvents } from "./live/newer-events.ts";
import { whenOutdated } from "./outdated.ts";
import { newestFirst, oldestFirst, PATCHED, type Pages, patchLists } from "./page-cache.ts";
import { everyPage, pagesOf } from "./paging.ts";
import { jobCountKeys } from "./query-keys.ts";
import { usableSearch } from "./search-terms.ts";

/** Fills the tallest screen; later pages load on scroll. */
const FIRST_PAGE_SIZE = 50;
export const NEXT_PAGE_SIZE = 100;
/** Maximum number of jobs on the first page, so that a list that is left open does not grow forever. */
export const MAX_FIRST_PAGE = 600;
const newerJobs = new NewerEvents<Job>();

export const jobKeys = {
	all: ["jobs"] as const,
	lists: ["jobs", "list"] as const,
	list: (filters: JobFilters) => ["jobs", "list", filters] as const,
	one: (id: number) => ["jobs", "one", id] as const,
	events: (id: number) => ["jobs", "events", id] as const,
};

export const jobsQuery = (filters: JobFilters) =>
	infiniteQueryOptions({
		...PATCHED,
		queryKey: jobKeys.list(filters),
		...pagesOf<Page<Job>>("/v1/jobs", async (isFirst) => ({
			...apiQuery(filters, Date.now()),
			type: JOB_TYPES,
			q: await usableSearch(filters.q),
			limit: isFirst ? FIRST_PAGE_SIZE : NEXT_PAGE_SIZE,
		})),
		refetchInterval: whenOutdated,
	});

/** The jobs that record now, the newest first. Loaded rows are updated in place, so some have ended since they were loaded. */
export const recordingNowQuery = () => ({ ...jobsQuery({ status: ["recording"] }), select: onlyRecording });

const onlyRecording = (list: Pages<Job>): Pages<Job> => ({
	...list,
	pages: list.pages.map((page) => ({ ...page, data: page.data.filter(({ status }) => status === "recording") })),
});

/** Number of jobs of each status with these filters, ignoring the filter on the status. */
export const jobCountsQuery = ({ status: _, order: __, ...filters }: JobFilters) =>
	queryOptions({
		queryKey: jobCountKeys.of(filters),
		queryFn: async ({ signal }) =>
			call<JobCounts>("GET", "/v1/jobs/counts", {
				query: { ...apiQuery(filters, Date.now()), type: JOB_TYPES, q: await usableSearch(filters.q) },
				signal,
			}),
		refetchInterval: whenOutdated,
	});

export const jobQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.one(id),
		queryFn: ({ signal }) => call<Job>("GET", `/v1/jobs/${id}`, { signal }),
	});

export const jobEventsQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.events(id),
		queryFn: ({ signal }) => everyPage<JobEvent>(`/v1/jobs/${id}/events`, signal),
	});

/** A job from the cached lists, so that its drawer opens without waiting. */
export function jobFromLists(client: QueryClient, id: number): Job | undefined {
	for (const [, list] of client.getQueriesData<Pages<Job>>({ queryKey: jobKeys.lists })) {
		for (const page of list?.pages ?? []) {
			const found = page.data.find((job) => job.id === id);
			if (found) return found;
		}
	}
	return undefined;
}

/** The newest cached version of a job. */
export const shownJob = (client: QueryClient, id: number): Job | undefined =>
	client.getQueryData<Job>(jobKeys.one(id)) ?? jobFromLists(client, id);

/** Updates every cache with these jobs. Jobs that no page shows are not cached. */
export function applyJobs(client: QueryClient, jobs: readonly Job[]): void {
	for (const job of jobs) newerJobs.note(job.id, job);
	showJobs(client, jobs);
}

function showJobs(client: QueryClient, jobs: readonly Job[]): void {
	for (const job of jobs) {
		if (client.getQueryState(jobKeys.one(job.id)) !== undefined) client.setQueryData(jobKeys.one(job.id), job);
	}
	patchLists(client, jobKeys.lists, jobs, (job, filters) => matchesFilters(job, filters as JobFilters), {
		maxFirstPage: MAX_FIRST_PAGE,
		isSearched: (filters) => (filters as JobFilters).q !== undefined,
		compareBy: (filters) => ((filters as JobFilters).order === "asc" ? oldestFirst : newestFirst),
	});
}

export const applyJob = (client: QueryClient, job: Job): void => applyJobs(client, [job]);

/** Jobs from events since a time of `performance.now()`. */
export const jobsSince = (since: number): Job[] => newerJobs.since(since).flatMap(({ value }) => value ?? []);

export const JOBS: Kind = {
	key: jobKeys.all[0],
	showSince: (client, since) => showJobs(client, jobsSince(since)),
};

/** Fetches the first page of the list again and drops the other pages. */
export function reloadJobs(client: QueryClient, filters: JobFilters): void {
	client.setQueryData<Pages<Job>>(
		jobKeys.list(filters),
		(list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
	);
	void client.invalidateQueries({ queryKey: jobKeys.list(filters), exact: true });
}

/** Removes a deleted recording from its job. */
export function forgetRecordingOfJob(client: QueryClient, jobId: number): void {
	const job = shownJob(client, jobId);
	if (job !== undefined && job.recording !== null) applyJob(client, { ...job, recording: null });
	void client.invalidateQueries({ queryKey: jobKeys.one(jobId) });
}
