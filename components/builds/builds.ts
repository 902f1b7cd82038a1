/** Builds for the pages. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { TestRun } from "@tapedeck/contract/test-run.ts";
import { ApiError, call } from "#lib/client/api.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { pagesOf } from "#lib/client/paging.ts";
import { buildKeys, testKeys } from "#lib/client/query-keys.ts";
import { usableSearch } from "#lib/client/search-terms.ts";

/** Builds, the one with the newest job or recording first. @param q a search */
export const buildsQuery = (q: string) =>
	infiniteQueryOptions({
		queryKey: [...buildKeys.list, q],
		...pagesOf<Page<Build>>("/v1/builds", async () => ({ q: await usableSearch(q || undefined) })),
		refetchInterval: whenOutdated,
		placeholderData: keepPreviousData,
	});

/** The test runs of a build, the newest first. */
export const testRunsQuery = (build: string) =>
	infiniteQueryOptions({
		queryKey: [...testKeys.all, "runs", build],
		...pagesOf<Page<TestRun>>("/v1/test-runs", () => ({ build })),
		refetchInterval: whenOutdated,
	});

/** One build; null if no job, recording or test run has this label. */
export const buildQuery = (build: string) =>
	queryOptions({
		queryKey: buildKeys.one(build),
		queryFn: async ({ signal }): Promise<Build | null> => {
			try {
				return await call<Build>("GET", `/v1/builds/${encodeURIComponent(build)}`, { signal });
			} catch (error) {
				if (error instanceof ApiError && error.status === 404) return null;
				throw error;
			}
		},
		refetchInterval: whenOutdated,
	});

const NO_TESTS = { tests: 0, data: [] };
/** Report of a build without recordings: its address may be opened before its run begins. */
const emptyReport = (build: string): BuildReport => ({
	build,
	branch: null,
	commit: null,
	repository: null,
	ciUrl: null,
	startedAt: null,
	endedAt: null,
	isMore: false,
	previous: null,
	previousBranch: null,
	tests: { all: 0, passed: 0, failed: 0, error: 0, skipped: 0, running: 0 },
	newlyFailing: NO_TESTS,
	stillFailing: NO_TESTS,
	fixed: NO_TESTS,
	flaky: NO_TESTS,
	causes: { all: 0, new: 0, newTests: 0, data: [] },
});

/** The tests of a build, and what is different from the build before. */
export const buildReportQuery = (build: string) =>
	queryOptions({
		queryKey: [...testKeys.all, "report", build],
		queryFn: async ({ signal }): Promise<BuildReport> => {
			try {
				return await call<BuildReport>("GET", `/v1/builds/${encodeURIComponent(build)}/report`, { signal });
			} catch (error) {
				if (error instanceof ApiError && error.status === 404) return emptyReport(build);
				throw error;
			}
		},
		refetchInterval: whenOutdated,
	});
