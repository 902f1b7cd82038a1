"use client";

import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { jobsQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import type { Page } from "#lib/contract/page.ts";
import { useJobsAddress } from "./list/use-jobs-address.ts";

interface Neighbours {
	/** The job above it in the list; null when there is none. */
	previous: number | null;
	/** The job below it, as far as the list is loaded. */
	next: number | null;
}

const NONE: Neighbours = { previous: null, next: null };

function neighboursIn(pages: readonly Page<Job>[], jobId: number): Neighbours {
	let previous: number | null = null;
	let found = false;
	for (const page of pages) {
		for (const { id } of page.data) {
			if (found) return { previous, next: id };
			if (id === jobId) found = true;
			else previous = id;
		}
	}
	return found ? { previous, next: null } : NONE;
}

/** Which jobs stand beside this one in the list behind the drawer, with its filters. Fetches nothing. */
export function useNeighbours(jobId: number): Neighbours {
	const { filters } = useJobsAddress();
	const select = useCallback((list: InfiniteData<Page<Job>>) => neighboursIn(list.pages, jobId), [jobId]);
	return useInfiniteQuery({ ...jobsQuery(filters), enabled: false, select }).data ?? NONE;
}
