"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { closeOverlay, isDrawerOpen, pushOverlay, replaceOverlay } from "#components/navigation/overlay-url.ts";
import { filtersFromSearch, type JobFilters, searchFromFilters } from "#lib/client/job-filters.ts";
import { openFormEntry } from "../create/create-form-url.ts";

/**
 * The address is the state of the page: `/jobs?status=failed` is the list, `/jobs/12?status=failed` the same
 * list with a drawer open. All of it changes without asking the server for a page.
 */
export function useJobsAddress() {
	const path = usePathname();
	// The same filters stay the same object, whatever else the address has.
	const search = searchFromFilters(filtersFromSearch(useSearchParams()));
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	const [jobId, showJob] = useOptimisticJobId(path);
	/** A choice is a step that back undoes; letters typed into the search are not steps. */
	const setFilters = useCallback((next: JobFilters) => {
		const params = new URLSearchParams(window.location.search);
		const now = filtersFromSearch(params);
		const address = window.location.pathname + searchFromFilters(next, params);
		const chosen = searchFromFilters({ ...next, q: undefined }) !== searchFromFilters({ ...now, q: undefined });
		if (chosen) window.history.pushState(null, "", address);
		else window.history.replaceState(null, "", address);
	}, []);

	const openJob = useCallback(
		(id: number) => {
			showJob(id);
			const form = openFormEntry();
			const address = `/jobs/${id}${form?.search ?? searchOfList()}`;
			if (form !== null) replaceOverlay(address, form.listIsBehind);
			else if (isDrawerOpen()) replaceOverlay(address);
			else pushOverlay(address);
		},
		[showJob],
	);

	const closeJob = useCallback(() => {
		showJob(null);
		closeOverlay(`/jobs${searchOfList()}`);
	}, [showJob]);

	return { filters, jobId, setFilters, openJob, closeJob };
}

/** The job whose drawer an address opens, or null. */
const jobIdOf = (path: string): number | null => Number(/^\/jobs\/(\d+)$/.exec(path)?.[1] ?? 0) || null;

/** The search of the address without `t`, which is a moment of one job's video. */
function searchOfList(): string {
	const params = new URLSearchParams(window.location.search);
	if (!params.has("t")) return window.location.search;
	params.delete("t");
	return params.size === 0 ? "" : `?${params}`;
}

/**
 * The router reports a new address with low priority, and a drawer must open at once: the job that was opened is shown
 * until the router's path has changed.
 */
function useOptimisticJobId(path: string) {
	const [opened, setOpened] = useState<{ from: string; jobId: number | null } | null>(null);
	const at = useRef(path);
	at.current = path;
	const showJob = useCallback((to: number | null) => setOpened({ from: at.current, jobId: to }), []);
	useEffect(() => {
		// Back may come before the router has reported the address that was opened. Its path then never changes.
		const follow = () => showJob(jobIdOf(window.location.pathname));
		window.addEventListener("popstate", follow);
		return () => window.removeEventListener("popstate", follow);
	}, [showJob]);
	const holds = opened?.from === path;
	// Dropped, not only ignored: the path may come back to what it was.
	if (opened !== null && !holds) setOpened(null);
	return [holds ? opened.jobId : jobIdOf(path), showJob] as const;
}
