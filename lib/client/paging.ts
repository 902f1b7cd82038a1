/** Fetching lists page by page. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import { useEffect } from "react";
import { call, type QueryValue } from "./api.ts";

/**
 * Fetches all pages of a list. For lists that stay short.
 * @throws ApiError if one of the pages is refused
 */
export async function everyPage<T>(
	path: string,
	signal: AbortSignal,
	query: Record<string, QueryValue> = {},
): Promise<T[]> {
	const all: T[] = [];
	let cursor: string | undefined;
	do {
		const page: Page<T> = await call("GET", path, { query: { ...query, cursor, limit: 100 }, signal });
		all.push(...page.data);
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return all;
}

/**
 * The functions by which an infinite query fetches a list, page after page.
 * @param queryOf the query of a page, without its cursor. It may wait, such as for the language of searches.
 */
export const pagesOf = <P extends Pick<Page<unknown>, "nextCursor">>(
	path: string,
	queryOf: (isFirst: boolean) => Record<string, QueryValue> | Promise<Record<string, QueryValue>>,
) => ({
	queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) => {
		const query = { ...(await queryOf(pageParam === undefined)), cursor: pageParam };
		return call<P>("GET", path, { query, signal });
	},
	initialPageParam: undefined as string | undefined,
	getNextPageParam: (last: P) => last.nextCursor ?? undefined,
});

/** The part of an infinite query that paging needs. */
export type Pager = Pick<
	UseInfiniteQueryResult,
	"hasNextPage" | "isFetchingNextPage" | "isError" | "fetchNextPage" | "dataUpdatedAt"
>;

/**
 * Fetches the next page of a virtual list before its last loaded item is reached.
 * @param drawnEnd index after the last rendered item
 * @param loaded how many items are loaded
 * @param ahead how many items before the end of the loaded ones the next page is fetched
 */
export function useNextPages(pager: Pager, drawnEnd: number, loaded: number, ahead: number): void {
	const { hasNextPage, isFetchingNextPage, fetchNextPage, isError, dataUpdatedAt } = pager;
	// biome-ignore lint/correctness/useExhaustiveDependencies: a page that another fetch cancelled, such as that of an event, is fetched after it; isFetchingNextPage may never have been rendered as true
	useEffect(() => {
		if (hasNextPage && !isFetchingNextPage && !isError && drawnEnd >= loaded - ahead) void fetchNextPage();
	}, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, dataUpdatedAt, drawnEnd, loaded, ahead]);
}
