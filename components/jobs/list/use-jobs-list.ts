"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { useStableList } from "#components/ui/use-stable-list.ts";
import { useVirtualRows, type VirtualRows } from "#components/ui/use-virtual-rows.ts";
import { type JobFilters, matchesFilters } from "#lib/client/job-filters.ts";
import { jobsQuery, MAX_FIRST_PAGE, NEXT_PAGE_SIZE, reloadJobs } from "#lib/client/jobs.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { useNextPages } from "#lib/client/paging.ts";
import { CARD_PX, type Layout, ROW_PX } from "./layout.ts";

const NONE: readonly Job[] = [];
/** A list with more loaded jobs is loaded again when it is back at its top. */
const MAX_LOADED = 1_000;

/**
 * The jobs that the list shows; while those of other filters load, the ones before.
 * @param inUse whether rows are selected, or the drawer is open: then the list stays as it is, too
 * @returns `ids` stays the same array while the ids do; `newAbove`: how many new jobs wait
 */
export function useShownJobs(
	scroller: RefObject<HTMLDivElement | null>,
	filters: JobFilters,
	inUse: RefObject<boolean>,
) {
	const client = useQueryClient();
	const isFrozen = useRef(false);
	const list = useInfiniteQuery({
		...jobsQuery(filters),
		placeholderData: keepPreviousData,
		refetchInterval: (query) => !isFrozen.current && whenOutdated(query),
	});
	const loaded = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? NONE, [list.data]);
	// While other filters load, the list shows what matches the ones before.
	const loadedFilters = useRef(filters);
	if (!list.isPlaceholderData) loadedFilters.current = filters;
	const { current: itsFilters } = loadedFilters;
	const fits = useCallback((job: Job) => matchesFilters(job, itsFilters), [itsFilters]);
	const stable = useStableList(scroller, loaded, { list: list.isPlaceholderData ? null : filters, inUse, fits });
	const { shown: jobs, waiting, frozen, showAll } = stable;
	isFrozen.current = frozen;
	// Most events change a job, not the list of ids: then nothing that is derived from the ids renders again.
	const known = useRef<readonly number[]>([]);
	const ids = useMemo(() => {
		const same = jobs.length === known.current.length && jobs.every(({ id }, index) => id === known.current[index]);
		if (!same) known.current = jobs.map(({ id }) => id);
		return known.current;
	}, [jobs]);
	const isFull = (list.data?.pages[0]?.data.length ?? 0) >= MAX_FIRST_PAGE;
	// Back at its top, a long list is loaded again from there, so that a list that is left open does not grow forever.
	const isLong = !frozen && !list.isFetching && !list.isError && (isFull || loaded.length > MAX_LOADED);
	useEffect(() => {
		if (isLong) reloadJobs(client, filters);
	}, [isLong, client, filters]);
	return {
		list,
		jobs,
		ids,
		newAbove: waiting.length,
		/** The first page takes no more new jobs: there are more than `newAbove`. */
		isFull,
		toTop: () => {
			showAll();
			if (isFull) reloadJobs(client, filters);
		},
	};
}

interface Options extends Pick<ReturnType<typeof useShownJobs>, "list" | "jobs"> {
	layout: Layout;
}

/** Scrolling of the list: its virtual rows, and loading the next pages. */
export function useJobsScroll(
	scroller: RefObject<HTMLDivElement | null>,
	{ list, jobs, layout }: Options,
): VirtualRows {
	const rowPx = layout === "cards" ? CARD_PX : ROW_PX;
	const rows = useVirtualRows(scroller, { count: jobs.length, rowPx, overscan: 12 });
	// Half a page ahead while the list is at rest, two pages ahead while it scrolls.
	useNextPages(list, rows.end, jobs.length, NEXT_PAGE_SIZE * (rows.scrolling ? 2 : 0.5));
	return rows;
}
