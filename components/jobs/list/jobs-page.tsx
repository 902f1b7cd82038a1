"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { PageHead } from "#components/ui/page-head.tsx";
import { useFirstSign } from "#components/ui/use-user-intent.ts";
import { usePart } from "#components/ui/use-part.ts";
import { type RunnerFacts, runnerFacts } from "#lib/client/job-note.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { JobsFilterBar } from "./jobs-filter-bar.tsx";
import { JobsTable } from "./jobs-table.tsx";
import { NewJobButton } from "../new-job-button.tsx";
import { useJobsAddress } from "./use-jobs-address.ts";

const NO_RUNNERS: readonly RunnerFacts[] = [];
const loadDrawer = () => import("../job-drawer.tsx").then((module) => module.JobDrawer);

/** The list of jobs, and above it the drawer of the one that the address names. */
export function JobsPage() {
	const { filters, jobId, setFilters, openJob, closeJob } = useJobsAddress();
	const runners = useQuery({ ...runnersQuery(), select: runnerFacts }).data;
	const facts = useMemo(() => new Map(runners?.map((one) => [one.id, one])), [runners]);
	const [JobDrawer, fetchDrawer] = usePart(loadDrawer);
	useFirstSign(useCallback(() => void fetchDrawer(true), [fetchDrawer]));
	useEffect(() => {
		if (jobId !== null) void fetchDrawer();
	}, [jobId, fetchDrawer]);
	const opener = useRef<HTMLElement | null>(null);
	const shown = useRef(jobId);
	if (jobId !== null) shown.current = jobId;

	const open = useCallback(
		(id: number, from: HTMLElement | null) => {
			opener.current = from;
			openJob(id);
			// Also when the address names it already: the drawer may not have come the last time.
			void fetchDrawer();
		},
		[openJob, fetchDrawer],
	);

	const clearFilters = useCallback(() => setFilters({}), [setFilters]);

	/** Focus goes back to what opened the drawer; when that has gone, to the job's row, else to the search. */
	const giveFocusBack = useCallback(() => {
		const from = opener.current;
		const target = from?.isConnected
			? from
			: (document.querySelector<HTMLElement>(`a[data-job="${shown.current}"]`) ??
				document.querySelector<HTMLElement>('input[type="search"]'));
		opener.current = null;
		target?.focus();
	}, []);

	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title={jobsTexts.title}>
					<NewJobButton onOpenJob={open} />
				</PageHead>
				<JobsFilterBar filters={filters} runners={runners ?? NO_RUNNERS} onChange={setFilters} />
			</div>
			<JobsTable
				filters={filters}
				runners={facts}
				hasRunners={runners === undefined || runners.length > 0}
				openJobId={jobId}
				onOpen={open}
				onClearFilters={clearFilters}
			/>
			{JobDrawer === null ? null : (
				<JobDrawer jobId={jobId} onClose={closeJob} onCloseAutoFocus={giveFocusBack} onOpen={(id) => open(id, null)} />
			)}
		</div>
	);
}
