"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useVirtualRows, type VirtualRows } from "#components/ui/use-virtual-rows.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { cutJobs, holdJobs, jobsQuery, MAX_FIRST_PAGE, NEXT_PAGE_SIZE, reloadJobs } from "#lib/client/jobs.ts";
import { useNextPages } from "#lib/client/paging.ts";
import type { Job } from "#lib/contract/job.ts";
import { CARD_PX, type Layout, ROW_PX } from "./jobs-head.tsx";
import { useInteractionHold } from "./use-interaction-hold.ts";
import { useScrollAnchor } from "./use-scroll-anchor.ts";

const NONE: readonly Job[] = [];

/** The loaded jobs that match the filters; while others load, the ones before. `ids` stays the same array while the ids do. */
export function useLoadedJobs(filters: JobFilters) {
	const list = useInfiniteQuery({ ...jobsQuery(filters), placeholderData: keepPreviousData });
	const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? NONE, [list.data]);
	// Most events change a job, not the list of ids: then nothing that is derived from the ids renders again.
	const known = useRef<readonly number[]>([]);
	const ids = useMemo(() => {
		const same = jobs.length === known.current.length && jobs.every(({ id }, index) => id === known.current[index]);
		if (!same) known.current = jobs.map(({ id }) => id);
		return known.current;
	}, [jobs]);
	return { list, jobs, ids };
}

interface Options extends Pick<ReturnType<typeof useLoadedJobs>, "list" | "jobs"> {
	filters: JobFilters;
	layout: Layout;
	selecting: boolean;
}

/** How the list scrolls: its virtual rows, loading the next pages, and keeping rows in place while others come and go. */
export function useJobsScroll(scroller: RefObject<HTMLDivElement | null>, options: Options) {
	const { list, jobs, filters, layout, selecting } = options;
	const rowPx = layout === "cards" ? CARD_PX : ROW_PX;
	const rows = useVirtualRows(scroller, { count: jobs.length, rowPx, overscan: 12 });
	const { hold, released } = useHeldList(scroller, filters, selecting);
	const { newAbove, toTop } = useScrollAnchor({
		scroller,
		jobs,
		rows,
		rowPx,
		heldRow: () => hold.current.row(),
		list: list.isPlaceholderData ? null : filters,
	});
	// Half a page ahead while the list is at rest, two pages ahead while it scrolls.
	useNextPages(list, rows.end, jobs.length, NEXT_PAGE_SIZE * (rows.scrolling ? 2 : 0.5));
	const isFull = (list.data?.pages[0]?.data.length ?? 0) >= MAX_FIRST_PAGE;
	useShortList(rows, {
		count: jobs.length,
		isFull,
		inUse: selecting || rows.scrolling || list.isFetching || list.isError,
		heldRow: () => hold.current.row(),
		released,
		filters,
	});
	return { rows, newAbove, hasMoreAbove: isFull, toTop };
}

/** While the list is in use, or rows are selected, rows stay although they no longer match the filters. */
function useHeldList(scroller: RefObject<HTMLDivElement | null>, filters: JobFilters, selecting: boolean) {
	const client = useQueryClient();
	const [released, setReleased] = useState(0);
	const hold = useCallback(() => {
		const release = holdJobs(client, filters);
		return () => {
			release();
			setReleased((count) => count + 1);
		};
	}, [client, filters]);
	return { hold: useInteractionHold(scroller, hold, () => selecting), released };
}

/** How many rows below the visible ones are kept at rest. */
const MAX_ROWS_BELOW = 1_000;
const ROWS_KEPT_BELOW = 500;

interface ShortList {
	/** How many rows are loaded. */
	count: number;
	/** The first page takes no more new jobs. */
	isFull: boolean;
	inUse: boolean;
	/** The row that must stay in place. */
	heldRow(): number | null;
	/** How often rows were held and released. */
	released: number;
	filters: JobFilters;
}

/**
 * A list grows as it is scrolled, and with every new job. At rest the rows far below are dropped, and scrolling loads
 * them again; back at its top, a list whose first page is full is loaded again.
 */
function useShortList(rows: VirtualRows, options: ShortList): void {
	const { count, isFull, inUse, released, filters } = options;
	const client = useQueryClient();
	const { topRow, end, scrolledPx } = rows;
	const heldRow = useRef(options.heldRow);
	heldRow.current = options.heldRow;
	// biome-ignore lint/correctness/useExhaustiveDependencies: once a row is released, the list may be loaded again
	useEffect(() => {
		if (inUse) return;
		if (count - end > MAX_ROWS_BELOW) cutJobs(client, filters, end + ROWS_KEPT_BELOW);
		if (isFull && topRow === 0 && scrolledPx() === 0 && heldRow.current() === null) reloadJobs(client, filters);
	}, [topRow, end, scrolledPx, count, isFull, inUse, released, client, filters]);
}
