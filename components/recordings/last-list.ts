"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNextPages } from "#lib/client/paging.ts";
import type { RecordingFilters } from "#lib/client/recording-filters.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import { useLoadedRecordings } from "./library/use-loaded-recordings.ts";

interface Neighbour {
	id: number;
	path: string;
}

interface List {
	name: string;
	href: string;
	filters?: RecordingFilters;
	/** In lists of two parts: the filters of the recordings that follow those of `filters`. */
	filtersBehind?: RecordingFilters;
	/** Instead of filters: the list's recordings, each with the address that shows it. */
	items?: readonly Neighbour[];
}

/** The list of recordings that was shown last in this tab. */
let last: List = { name: "Recordings", href: "/recordings", filters: {} };

/** Call it in a list: the page of a recording leads back to this list, and on to its next recording. */
export function useRememberedList(list: List): void {
	useEffect(() => {
		last = list;
	});
}

/** The next page is fetched this many recordings before the end of the loaded ones. */
const AHEAD = 4;

interface LastList extends Pick<List, "name" | "href"> {
	previous: Neighbour | null;
	next: Neighbour | null;
}

/** The list that a recording was opened from; without neighbours where it was not opened from a list. */
export function useLastList(recordingId: number): LastList {
	const [{ name, href, filters = {}, filtersBehind, items }] = useState(last);
	// Shows the recordings that the list has loaded. A recording that was opened by its address loads no list.
	const list = useInfiniteQuery({ ...recordingsQuery(filters), enabled: false });
	const behind = useInfiniteQuery({ ...recordingsQuery(filtersBehind ?? filters), enabled: false });
	const recordings = useLoadedRecordings(list.data, list.hasNextPage ? undefined : behind.data);
	const shown = items ?? recordings.map(({ id }) => ({ id, path: `/recordings/${id}` }));
	const at = shown.findIndex(({ id }) => id === recordingId);
	const loaded = at === -1 || items !== undefined ? Number.POSITIVE_INFINITY : recordings.length;
	useNextPages(list.hasNextPage ? list : behind, at + 1, loaded, AHEAD);
	return {
		name,
		href,
		previous: shown[at - 1] ?? null,
		next: at === -1 ? null : (shown[at + 1] ?? null),
	};
}
