"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { filtersFromSearch, type RecordingFilters, searchFromFilters } from "#lib/client/recording-filters.ts";

/**
 * The address says what the list shows. What is chosen is a step that "back" undoes; what is typed is not, or every
 * pause in typing would be one.
 */
export function useRecordingsAddress() {
	const search = useSearchParams().toString();
	const filters = useMemo(() => filtersFromSearch(new URLSearchParams(search)), [search]);
	const setFilters = useCallback((change: RecordingFilters) => {
		const now = filtersFromSearch(new URLSearchParams(window.location.search));
		const address = window.location.pathname + searchFromFilters({ ...now, ...change });
		if ("q" in change) window.history.replaceState(null, "", address);
		else window.history.pushState(null, "", address);
	}, []);
	const clearFilters = useCallback(() => window.history.pushState(null, "", window.location.pathname), []);
	return { filters, setFilters, clearFilters };
}
