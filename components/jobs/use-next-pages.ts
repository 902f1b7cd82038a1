"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { NEXT_PAGE_SIZE } from "#lib/client/jobs.ts";

type Pager = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isError" | "fetchNextPage">;

/**
 * Asks for the next page before the end of what is loaded comes into sight: half a page ahead of one who reads, two
 * pages ahead of one who scrolls.
 */
export function useNextPages(pager: Pager, lastSeen: number, loaded: number, scrolling: boolean): void {
	const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = pager;
	const ahead = NEXT_PAGE_SIZE * (scrolling ? 2 : 0.5);
	useEffect(() => {
		// Nothing of a list that is empty so far is in sight: its first page is on its way.
		if (loaded === 0 || !hasNextPage || isFetchingNextPage || isError) return;
		if (lastSeen >= loaded - ahead) void fetchNextPage();
	}, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, lastSeen, loaded, ahead]);
}
