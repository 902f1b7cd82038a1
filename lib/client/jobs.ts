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
import { NewerFacts } from "./newer-facts.ts";
import { patchLists } from "./page-cache.ts";

export const PAGE_SIZE = 50;
export const newerJobs = new NewerFacts<Job>();

export const jobKeys = {
	all: ["jobs"] as const,
	lists: ["jobs", "list"] as const,
	list: (filters: JobFilters) => ["jobs", "list", filters] as const,
	one: (id: number) => ["jobs", "one", id] as const,
	events: (id: number) => ["jobs", "events", id] as const,
};

export const jobsQuery = (filters: JobFilters) =>
	infiniteQueryOptions({
		queryKey: jobKeys.list(filters),
		initialPageParam: undefined as string | undefined,
		queryFn: async ({ pageParam, signal }) => {
			const since = performance.now();
			const page = await call<Page<Job>>("GET", "/v1/jobs", {
				query: { ...filters, cursor: pageParam, limit: PAGE_SIZE },
				signal,
			});
			return { ...page, data: newerJobs.overlay(page.data, since) };
		},
		getNextPageParam: (page) => page.nextCursor ?? undefined,
	});

export const jobQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.one(id),
		queryFn: async ({ signal }) => {
			const since = performance.now();
			const job = await call<Job>("GET", `/v1/jobs/${id}`, { signal });
			return newerJobs.overlay([job], since)[0] ?? job;
		},
	});

export const jobEventsQuery = (id: number) =>
	queryOptions({
		queryKey: jobKeys.events(id),
		queryFn: ({ signal }) => call<Page<JobEvent>>("GET", `/v1/jobs/${id}/events`, { signal }).then((page) => page.data),
	});

/** What the lists already know of a job, so that its drawer opens without waiting. */
export function jobFromLists(client: QueryClient, id: number): Job | undefined {
	for (const [, list] of client.getQueriesData<{ pages: Page<Job>[] }>({ queryKey: jobKeys.lists })) {
		const found = list?.pages.flatMap((page) => page.data).find((job) => job.id === id);
		if (found) return found;
	}
	return undefined;
}

/** Shows `job` everywhere. */
export function applyJob(client: QueryClient, job: Job): void {
	newerJobs.note(job.id, job);
	client.setQueryData(jobKeys.one(job.id), job);
	patchLists(client, jobKeys.lists, job, (filters) => matchesFilters(job, filters as JobFilters));
}

/** Cancels a job: shown at once, taken back when the server refuses. */
export function useCancelJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (job: Job) => call<Job>("POST", `/v1/jobs/${job.id}/cancel`),
		onMutate: (job) => {
			applyJob(client, { ...job, cancelRequestedAt: new Date().toISOString() });
		},
		onSuccess: (job) => {
			// The event of a fast runner may have been here first, and is newer than this answer.
			const shown = client.getQueryData<Job>(jobKeys.one(job.id));
			if (!shown || (shown.endedAt === null && shown.stoppedAt === null)) applyJob(client, job);
		},
		onError: (_error, job) => {
			// Only the wish is taken back: whatever else events said meanwhile stays.
			const shown = client.getQueryData<Job>(jobKeys.one(job.id)) ?? jobFromLists(client, job.id) ?? job;
			applyJob(client, { ...shown, cancelRequestedAt: job.cancelRequestedAt });
			void client.invalidateQueries({ queryKey: jobKeys.one(job.id) });
		},
	});
}

/** Creates a job. The same `key` for the same body makes it exactly once, however often it is sent. */
export function useCreateJob() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ body, key }: { body: CreateJobBody; key: string }) =>
			call<Job>("POST", "/v1/jobs", { body, headers: { "idempotency-key": key } }),
		onSuccess: (job) => {
			if (!client.getQueryData<Job>(jobKeys.one(job.id)) && !jobFromLists(client, job.id)) applyJob(client, job);
		},
	});
}
