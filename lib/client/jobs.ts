/** Jobs for the pages: keys, fetchers and mutations together. */
import {
	infiniteQueryOptions,
	type QueryClient,
	queryOptions,
	useMutation,
	useQueryClient,
} from "@tanstack/react-query";
import type { CreateJobBody, Job, JobEvent } from "../contract/job.ts";
import type { Page } from "../contract/page.ts";
import { call } from "./api.ts";
import { type JobFilters, matchesFilters } from "./job-filters.ts";
import { type Kind, NewerFacts } from "./newer-facts.ts";
import { holdList, PATCHED, type Pages, patchLists } from "./page-cache.ts";

/** Enough for the tallest screen; and what comes after is for those who scroll. */
const FIRST_PAGE_SIZE = 50;
export const NEXT_PAGE_SIZE = 100;
const newerJobs = new NewerFacts<Job>();

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
		initialPageParam: undefined as string | undefined,
		queryFn: ({ pageParam, signal }) =>
			call<Page<Job>>("GET", "/v1/jobs", {
				query: { ...filters, cursor: pageParam, limit: pageParam === undefined ? FIRST_PAGE_SIZE : NEXT_PAGE_SIZE },
				signal,
			}),
		getNextPageParam: (page) => page.nextCursor ?? undefined,
	});

export const jobQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.one(id),
		queryFn: ({ signal }) => call<Job>("GET", `/v1/jobs/${id}`, { signal }),
	});

export const jobEventsQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.events(id),
		queryFn: ({ signal }) => call<Page<JobEvent>>("GET", `/v1/jobs/${id}/events`, { signal }).then((page) => page.data),
	});

/** What the lists already know of a job, so that its drawer opens without waiting. */
export function jobFromLists(client: QueryClient, id: number): Job | undefined {
	for (const [, list] of client.getQueriesData<Pages<Job>>({ queryKey: jobKeys.lists })) {
		for (const page of list?.pages ?? []) {
			const found = page.data.find((job) => job.id === id);
			if (found) return found;
		}
	}
	return undefined;
}

/** The newest that any page holds of a job. */
const shownJob = (client: QueryClient, id: number): Job | undefined =>
	client.getQueryData<Job>(jobKeys.one(id)) ?? jobFromLists(client, id);

/** Shows these jobs everywhere. Of what nobody looks at nothing is kept. */
export function applyJobs(client: QueryClient, jobs: readonly Job[]): void {
	for (const job of jobs) newerJobs.note(job.id, job);
	showJobs(client, jobs);
}

function showJobs(client: QueryClient, jobs: readonly Job[]): void {
	for (const job of jobs) {
		if (client.getQueryState(jobKeys.one(job.id)) !== undefined) client.setQueryData(jobKeys.one(job.id), job);
	}
	patchLists(client, jobKeys.lists, jobs, (job, filters) => matchesFilters(job, filters as JobFilters));
}

export const applyJob = (client: QueryClient, job: Job): void => applyJobs(client, [job]);

/** What was said of jobs since an instant of `performance.now()`. */
export const jobsSince = (since: number): Job[] => newerJobs.since(since).flatMap(({ value }) => value ?? []);

export const JOBS: Kind = {
	key: jobKeys.all[0],
	showSince: (client, since) => showJobs(client, jobsSince(since)),
};

/** What the list shows stays until it is let go, also a job that fits its filters no longer. */
export const holdJobs = (client: QueryClient, filters: JobFilters): (() => void) =>
	holdList<Job>(client, jobKeys.list(filters), (job) => matchesFilters(job, filters));

/** Reads the list's first page anew, and forgets the rest. */
export function startJobsAnew(client: QueryClient, filters: JobFilters): void {
	const queryKey = jobKeys.list(filters);
	client.setQueryData<Pages<Job>>(queryKey, (list) =>
		list === undefined ? undefined : { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
	);
	void client.invalidateQueries({ queryKey, exact: true });
}

/** The video of a job is gone: nothing offers it any more. */
export function forgetRecordingOfJob(client: QueryClient, jobId: number): void {
	const job = shownJob(client, jobId);
	if (job !== undefined && job.recording !== null) applyJob(client, { ...job, recording: null });
	void client.invalidateQueries({ queryKey: jobKeys.one(jobId) });
}

/** Shows that these jobs were asked to stop, before the server has been asked. */
export function showCancelling(client: QueryClient, jobs: readonly Job[]): void {
	const cancelRequestedAt = new Date().toISOString();
	applyJobs(
		client,
		jobs.map((job) => ({ ...job, cancelRequestedAt })),
	);
}

/**
 * Asks the server to cancel a job that is shown as asked already; that is taken back when the server refuses.
 * @throws ApiError in the server's words
 */
export async function sendCancel(client: QueryClient, job: Job): Promise<void> {
	try {
		const answer = await call<Job>("POST", `/v1/jobs/${job.id}/cancel`);
		// The event of a fast runner may have been here first, and is newer than this answer.
		const shown = shownJob(client, job.id);
		if (!shown || (shown.endedAt === null && shown.stoppedAt === null)) applyJob(client, answer);
	} catch (error) {
		// Only the wish is taken back: whatever else events said meanwhile stays.
		applyJob(client, { ...(shownJob(client, job.id) ?? job), cancelRequestedAt: job.cancelRequestedAt });
		void client.invalidateQueries({ queryKey: jobKeys.one(job.id) });
		throw error;
	}
}

/** Cancels a job: shown at once, taken back when the server refuses. */
export function useCancelJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (job: Job) => sendCancel(client, job),
		onMutate: (job) => showCancelling(client, [job]),
	});
}

/** Creates a job. The same `key` for the same body makes it exactly once, however often it is sent. */
export function useCreateJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ body, key }: { body: CreateJobBody; key: string }) =>
			call<Job>("POST", "/v1/jobs", { body, headers: { "idempotency-key": key } }),
		onSuccess: (job) => {
			// An event may have been here first, and is newer than this answer.
			if (shownJob(client, job.id) === undefined) applyJob(client, job);
		},
	});
}
