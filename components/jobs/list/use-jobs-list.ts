"use client";

import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { holdJobs, jobsQuery, NEXT_PAGE_SIZE, reloadJobs } from "#lib/client/jobs.ts";
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
	const hold = useHeldList(scroller, filters, selecting);
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
	useTrimmedList(scroller, jobs.length, selecting || list.isFetching, filters);
	return { rows, newAbove, toTop };
}

/** While the list is in use, or rows are selected, rows stay although they no longer match the filters. */
function useHeldList(scroller: RefObject<HTMLDivElement | null>, filters: JobFilters, selecting: boolean) {
	const client = useQueryClient();
	const hold = useCallback(() => holdJobs(client, filters), [client, filters]);
	return useInteractionHold(scroller, hold, () => selecting);
}

/** A list that is at its top is cut back to its first page when it has grown to this many rows. */
const MAX_ROWS_AT_TOP = 600;

/** A list left open at its top grows with every new job. Nobody sees its end there, and scrolling loads it again. */
function useTrimmedList(
	scroller: RefObject<HTMLElement | null>,
	rows: number,
	inUse: boolean,
	filters: JobFilters,
): void {
	const client = useQueryClient();
	useEffect(() => {
		if (rows > MAX_ROWS_AT_TOP && !inUse && scroller.current?.scrollTop === 0) reloadJobs(client, filters);
	}, [rows, inUse, scroller, client, filters]);
}
