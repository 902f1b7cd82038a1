"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { useCalmList } from "#components/ui/use-calm-list.ts";
import { useVirtualRows, type VirtualRows } from "#components/ui/use-virtual-rows.ts";
import { type JobFilters, matchesFilters } from "#lib/client/job-filters.ts";
import { cutJobs, holdJobs, jobsQuery, MAX_FIRST_PAGE, NEXT_PAGE_SIZE, reloadJobs } from "#lib/client/jobs.ts";
import { useNextPages } from "#lib/client/paging.ts";
import { CARD_PX, type Layout, ROW_PX } from "./jobs-head.tsx";

const NONE: readonly Job[] = [];

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
	const list = useInfiniteQuery({ ...jobsQuery(filters), placeholderData: keepPreviousData });
	const loaded = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? NONE, [list.data]);
	const calm = useCalmList(scroller, loaded, { list: list.isPlaceholderData ? null : filters, inUse });
	const { shown: jobs, waiting, frozen, showAll } = calm;
	useEffect(() => (frozen ? holdJobs(client, filters) : undefined), [frozen, client, filters]);
	// Most events change a job, not the list of ids: then nothing that is derived from the ids renders again.
	const known = useRef<readonly number[]>([]);
	const ids = useMemo(() => {
		const same = jobs.length === known.current.length && jobs.every(({ id }, index) => id === known.current[index]);
		if (!same) known.current = jobs.map(({ id }) => id);
		return known.current;
	}, [jobs]);
	const isFull = (list.data?.pages[0]?.data.length ?? 0) >= MAX_FIRST_PAGE;
	return {
		list,
		jobs,
		ids,
		frozen,
		/** Number of loaded jobs that wait, whether or not they still match the filters. */
		waiting: waiting.length,
		newAbove: waiting.filter((job) => matchesFilters(job, filters)).length,
		/** The first page takes no more new jobs: there are more than `newAbove`. */
		isFull,
		toTop: () => {
			showAll();
			if (isFull) reloadJobs(client, filters);
		},
	};
}

interface Options extends Pick<ReturnType<typeof useShownJobs>, "list" | "jobs" | "frozen" | "waiting" | "isFull"> {
	filters: JobFilters;
	layout: Layout;
}

/** Scrolling of the list: its virtual rows, and loading the next pages. */
export function useJobsScroll(scroller: RefObject<HTMLDivElement | null>, options: Options): VirtualRows {
	const { list, jobs, filters, layout, frozen, waiting, isFull } = options;
	const rowPx = layout === "cards" ? CARD_PX : ROW_PX;
	const rows = useVirtualRows(scroller, { count: jobs.length, rowPx, overscan: 12 });
	// Half a page ahead while the list is at rest, two pages ahead while it scrolls.
	useNextPages(list, rows.end, jobs.length, NEXT_PAGE_SIZE * (rows.scrolling ? 2 : 0.5));
	useShortList(rows, { list, count: jobs.length, waiting, isFull: isFull && !frozen, filters });
	return rows;
}

/** Number of rows that are kept below the visible ones at rest. */
const MAX_ROWS_BELOW = 1_000;
const ROWS_KEPT_BELOW = 500;

interface ShortList extends Pick<Options, "list" | "filters" | "waiting"> {
	/** Number of rows. */
	count: number;
	/** The first page takes no more new jobs, and may be loaded again. */
	isFull: boolean;
}

/**
 * A list grows as it is scrolled, and with every new job. At rest the rows far below are dropped, and scrolling loads
 * them again; back at its top, a list whose first page is full is loaded again.
 */
function useShortList({ end, scrolling }: VirtualRows, { list, count, waiting, isFull, filters }: ShortList): void {
	const client = useQueryClient();
	const inUse = scrolling || list.isFetching || list.isError;
	useEffect(() => {
		if (inUse) return;
		if (count - end > MAX_ROWS_BELOW) cutJobs(client, filters, waiting + end + ROWS_KEPT_BELOW);
		if (isFull) reloadJobs(client, filters);
	}, [end, count, waiting, isFull, inUse, client, filters]);
}
