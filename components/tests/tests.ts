/** Test results for the pages. Live updates mark all of them as outdated, because one result changes many numbers. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { TestHistory, TestResult, TestResultDetail } from "@tapedeck/contract/test-result.ts";
import type { TestRunDetail } from "@tapedeck/contract/test-run.ts";
import { ApiError, call } from "#lib/client/api.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { pagesOf } from "#lib/client/paging.ts";
import { testKeys } from "#lib/client/query-keys.ts";
import { usableSearch } from "#lib/client/search-terms.ts";

/** Filters of a list of results; omitted fields limit nothing. */
export interface TestFilters {
	/** A search, such as `outcome:failed test:login`. */
	q?: string;
	jobId?: number;
	recordingId?: number;
	/** A build: each of its tests once, with its last result there. */
	lastOfBuild?: string;
	/** RFC 3339 times: only results that began then. */
	createdAfter?: string;
	createdBefore?: string;
}

/**
 * Results, the newest first, page by page: each with at most 100 steps and the first 4 KiB of its stack.
 * @param first how many the first page has, where a page of the dashboard waits for it
 */
export const testResultsQuery = (filters: TestFilters, limit = 50, first = limit) =>
	infiniteQueryOptions({
		queryKey: testKeys.list({ ...filters, limit }),
		...pagesOf<Page<TestResult>>("/v1/tests", async (isFirst) => ({
			...filters,
			q: filters.q === undefined ? undefined : await usableSearch(filters.q),
			limit: isFirst ? first : limit,
		})),
		refetchInterval: whenOutdated,
	});

/** One result with all its steps and its whole stack; null if there is none with this id. */
export const testResultQuery = (id: number) =>
	queryOptions({
		queryKey: testKeys.one(id),
		queryFn: ({ signal }) => orNull(call<TestResultDetail>("GET", `/v1/tests/${id}`, { signal })),
		refetchInterval: whenOutdated,
	});

/** One test run with the attachments of its own. */
export const testRunQuery = (id: number) =>
	queryOptions({
		queryKey: [...testKeys.all, "run", id],
		queryFn: ({ signal }) => call<TestRunDetail>("GET", `/v1/test-runs/${id}`, { signal }),
		refetchInterval: whenOutdated,
	});

/** Selects a test: by its id, or by its title. */
export type HistoryOf = ({ testId: number } | { test: string }) & {
	/** Left out: all of them. */
	project?: string;
	branch?: string;
};

/** The results of a test, the newest first, with its numbers; null if there is no such test. */
export const testHistoryQuery = (of: HistoryOf, limit = 50) =>
	infiniteQueryOptions({
		queryKey: testKeys.history({ ...of, limit }),
		queryFn: ({ pageParam, signal }) =>
			orNull(call<TestHistory>("GET", "/v1/test-history", { query: { ...of, limit, cursor: pageParam }, signal })),
		initialPageParam: undefined as string | undefined,
		getNextPageParam: (page) => page?.nextCursor ?? undefined,
		refetchInterval: whenOutdated,
	});

/** The moment of its failure, 480 px wide: for results with `hasFrame`. */
export const failureFramePath = (resultId: number): string => `/v1/tests/${resultId}/frame`;

/** The path of its URL, whose host differs if the page is open under another name than TAPEDECK_URL. */
export const attachmentPath = ({ url }: Pick<Attachment, "url">): string => new URL(url).pathname;

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof ApiError && error.status === 404) return null;
		throw error;
	}
}
