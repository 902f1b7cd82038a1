/** The list of tests for its page. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { ListedTest } from "@tapedeck/contract/listed-test.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { call } from "#lib/client/api.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { testKeys } from "#lib/client/query-keys.ts";
import { usableSearch } from "#lib/client/search-terms.ts";
import { ORDERS, SHOWN, type TestFilters } from "./test-filters.ts";

/** The search that finds what is shown. */
export const searchOf = ({ show, q }: Pick<TestFilters, "show" | "q">): string => `${SHOWN[show].q} ${q}`.trim();

export const listedTestsQuery = (filters: TestFilters) =>
	infiniteQueryOptions({
		queryKey: testKeys.summaries(filters),
		queryFn: async ({ pageParam, signal }) => {
			const { sort, order } = ORDERS[filters.order];
			const q = await usableSearch(searchOf(filters) || undefined);
			return call<Page<ListedTest>>("GET", "/v1/test-summaries", {
				query: { q, sort, order, limit: 50, cursor: pageParam },
				signal,
			});
		},
		initialPageParam: undefined as string | undefined,
		getNextPageParam: (last) => last.nextCursor ?? undefined,
		refetchInterval: whenOutdated,
		placeholderData: keepPreviousData,
	});
