"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useRef } from "react";
import { filtersFromSearch, type JobFilters, searchFromFilters } from "#lib/client/job-filters.ts";

/**
 * The address is the state of the page: `/jobs?status=failed` is the list, `/jobs/12?status=failed` the same
 * list with a drawer open. All of it changes without asking the server for a page.
 */
export function useJobsAddress() {
	const path = usePathname();
	const search = useSearchParams().toString();
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	const jobId = Number(/^\/jobs\/(\d+)$/.exec(path)?.[1] ?? 0) || null;
	/** Whether closing the drawer is one step back. */
	const pushed = useRef(false);

	/** A choice is a step that back undoes; letters typed into the search are not steps. */
	const setFilters = useCallback((next: JobFilters) => {
		const params = new URLSearchParams(window.location.search);
		const now = filtersFromSearch(params);
		const address = window.location.pathname + searchFromFilters(next, params);
		const chosen = searchFromFilters({ ...next, q: undefined }) !== searchFromFilters({ ...now, q: undefined });
		if (chosen) window.history.pushState(null, "", address);
		else window.history.replaceState(null, "", address);
	}, []);

	const openJob = useCallback((id: number) => {
		const address = `/jobs/${id}${window.location.search}`;
		if (/^\/jobs\/\d+$/.test(window.location.pathname)) window.history.replaceState(null, "", address);
		else {
			window.history.pushState(null, "", address);
			pushed.current = true;
		}
	}, []);

	const closeJob = useCallback(() => {
		if (pushed.current) window.history.back();
		else window.history.replaceState(null, "", `/jobs${window.location.search}`);
		pushed.current = false;
	}, []);

	return { filters, jobId, setFilters, openJob, closeJob };
}
