"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { jobsQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";

const NONE: readonly Job[] = [];

/** The jobs that fit the filters, as far as they are loaded; while others are on their way, the ones before. */
export function useLoadedJobs(filters: JobFilters) {
	const list = useInfiniteQuery({ ...jobsQuery(filters), placeholderData: keepPreviousData });
	const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? NONE, [list.data]);
	// Most changes are of a job, not of which there are: then this array stays the same, and so does what is made of it.
	const known = useRef<readonly number[]>([]);
	const ids = useMemo(() => {
		const same = jobs.length === known.current.length && jobs.every(({ id }, index) => id === known.current[index]);
		if (!same) known.current = jobs.map(({ id }) => id);
		return known.current;
	}, [jobs]);
	return { list, jobs, ids };
}
