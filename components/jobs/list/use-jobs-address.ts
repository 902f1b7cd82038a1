"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useRef, useState } from "react";
import { filtersFromSearch, type JobFilters, searchFromFilters } from "#lib/client/job-filters.ts";
import { formToReplace } from "../create-form-door.ts";

/**
 * The address is the state of the page: `/jobs?status=failed` is the list, `/jobs/12?status=failed` the same
 * list with a drawer open. All of it changes without asking the server for a page.
 */
export function useJobsAddress() {
	const path = usePathname();
	const search = useSearchParams().toString();
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	const [jobId, goTo] = useAhead(path, Number(/^\/jobs\/(\d+)$/.exec(path)?.[1] ?? 0) || null);
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

	const openJob = useCallback(
		(id: number) => {
			goTo(id);
			const form = formToReplace();
			const address = `/jobs/${id}${form?.search ?? window.location.search}`;
			if (form !== null || /^\/jobs\/\d+$/.test(window.location.pathname)) {
				window.history.replaceState(null, "", address);
				if (form !== null) pushed.current = form.listIsBehind;
			} else {
				window.history.pushState(null, "", address);
				pushed.current = true;
			}
		},
		[goTo],
	);

	const closeJob = useCallback(() => {
		goTo(null);
		if (pushed.current) window.history.back();
		else window.history.replaceState(null, "", `/jobs${window.location.search}`);
		pushed.current = false;
	}, [goTo]);

	return { filters, jobId, setFilters, openJob, closeJob };
}

/**
 * The router follows an address when there is time for it; a drawer is to be there at once. So what was asked for is
 * shown until the router's path has moved on from where it was asked.
 */
function useAhead(path: string, jobId: number | null) {
	const [ahead, setAhead] = useState<{ from: string; jobId: number | null } | null>(null);
	const at = useRef(path);
	at.current = path;
	const goTo = useCallback((to: number | null) => setAhead({ from: at.current, jobId: to }), []);
	const holds = ahead?.from === path;
	// Forgotten, not only passed over: the path may come back to where it was asked.
	if (ahead !== null && !holds) setAhead(null);
	return [holds ? ahead.jobId : jobId, goTo] as const;
}
