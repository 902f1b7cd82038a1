"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect } from "react";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { startJobsAnew } from "#lib/client/jobs.ts";

/** How much longer than its first page a list may grow at its top before it is made short again. */
const MAX_ROWS = 600;

/**
 * A list that stays open at its top, day and night, grows by every new job. There nobody sees its end, so that it can
 * begin anew with its first page; scrolling brings the rest back.
 * @param used something is selected, or on its way
 */
export function useShortList(
	scroller: RefObject<HTMLElement | null>,
	rows: number,
	used: boolean,
	filters: JobFilters,
): void {
	const client = useQueryClient();
	useEffect(() => {
		if (rows > MAX_ROWS && !used && scroller.current?.scrollTop === 0) startJobsAnew(client, filters);
	}, [rows, used, scroller, client, filters]);
}
