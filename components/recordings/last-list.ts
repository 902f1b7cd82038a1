"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";
import { useNextPages } from "#lib/client/paging.ts";
import { filtersFromSearch } from "#lib/client/recording-filters.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";

/** The search of the list of recordings that was shown last in this tab. */
let lastSearch = "";

/** Call it in the list: the page of a recording leads back to this list, and on to its next recording. */
export function useRememberedList(search: string): void {
	useEffect(() => {
		lastSearch = search;
	}, [search]);
}

/** This many recordings before the end of what is loaded, the next page is fetched. */
const AHEAD = 4;

/** The list that a recording was opened from; without neighbours where it was not opened from a list. */
export function useLastList(recordingId: number): { href: string; previous: number | null; next: number | null } {
	const [search] = useState(lastSearch);
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	// Shows what the list has loaded; a recording that was opened by its address loads no list.
	const list = useInfiniteQuery({ ...recordingsQuery(filters), enabled: false });
	const deleted = useDeletedHere();
	const ids = useMemo(
		() => [...new Set(list.data?.pages.flatMap(({ data }) => data.map(({ id }) => id)))],
		[list.data],
	).filter((id) => id === recordingId || !deleted.has(id));
	const at = ids.indexOf(recordingId);
	useNextPages(list, at + 1, at === -1 ? Number.POSITIVE_INFINITY : ids.length, AHEAD);
	return {
		href: `/recordings${search}`,
		previous: ids[at - 1] ?? null,
		next: at === -1 ? null : (ids[at + 1] ?? null),
	};
}
