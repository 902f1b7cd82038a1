"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback } from "react";
import { useRowsInSight } from "#components/ui/use-virtual-rows.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { holdJobs } from "#lib/client/jobs.ts";
import { CARD_PX, type Layout, ROW_PX } from "./list/jobs-head.tsx";
import { useHand } from "./use-hand.ts";
import type { useLoadedJobs } from "./use-loaded-jobs.ts";
import { useNextPages } from "./use-next-pages.ts";
import { useShortList } from "./use-short-list.ts";
import { useSteadyScroll } from "./use-steady-scroll.ts";

interface Options extends Pick<ReturnType<typeof useLoadedJobs>, "list" | "jobs"> {
	filters: JobFilters;
	layout: Layout;
	selecting: boolean;
}

/** How the list moves: what of it is in sight, what is fetched next, and what stays in place while rows come and go. */
export function useJobsScroll(scroller: RefObject<HTMLDivElement | null>, options: Options) {
	const { list, jobs, filters, layout, selecting } = options;
	const rowPx = layout === "cards" ? CARD_PX : ROW_PX;
	const rows = useRowsInSight(scroller, { count: jobs.length, rowPx, overscan: 12 });
	const hand = useHeldList(scroller, filters, selecting);
	const { newAbove, toTop } = useSteadyScroll({
		scroller,
		jobs,
		rows,
		rowPx,
		heldRow: () => hand.current.row(),
		list: list.isPlaceholderData ? null : filters,
	});
	useNextPages(list, rows.end, jobs.length, rows.scrolling);
	useShortList(scroller, jobs.length, selecting || list.isFetching, filters);
	return { rows, newAbove, toTop };
}

/** Rows that no longer fit the filters stay for as long as the reader has a hand on the list, or something selected. */
function useHeldList(scroller: RefObject<HTMLDivElement | null>, filters: JobFilters, selecting: boolean) {
	const client = useQueryClient();
	const take = useCallback(() => holdJobs(client, filters), [client, filters]);
	return useHand(scroller, take, () => selecting);
}
