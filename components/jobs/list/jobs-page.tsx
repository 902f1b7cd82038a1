"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { preload } from "react-dom";
import { PageHead } from "#components/ui/page-head.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { useUserIntent } from "#components/ui/use-user-intent.ts";
import { posterPath } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { NewJobButton } from "../create/new-job-button.tsx";
import { type RunnerSummary, runnerSummaries } from "../job-note.ts";
import { JobsFilterBar } from "./jobs-filter-bar.tsx";
import { JobsTable } from "./jobs-table.tsx";
import { useJobsAddress } from "./use-jobs-address.ts";

const NO_RUNNERS: readonly RunnerSummary[] = [];
const importDrawer = () => import("../drawer/job-drawer.tsx");
const loadDrawer = () => importDrawer().then((module) => module.JobDrawer);

/** Loads what the drawer of the page's own job needs while the page hydrates, instead of one after the other afterwards. */
function preloadDrawer({ recording }: Job): void {
	if (recording !== null) preload(posterPath(recording.id), { as: "image", fetchPriority: "high" });
	if (typeof window === "undefined") return;
	importDrawer()
		.then(({ loadPlayer }) => (recording === null ? undefined : loadPlayer()))
		// The drawer itself says what cannot be loaded.
		.catch(() => undefined);
}

/**
 * The list of jobs, and above it the drawer of the one in the address.
 * @param props.initialJob the job in the address, as the server read it for the page
 */
export function JobsPage({ initialJob = null }: { initialJob?: Job | null }) {
	const { filters, jobId, setFilters, openJob, closeJob } = useJobsAddress();
	useState(() => (initialJob === null ? undefined : preloadDrawer(initialJob)));
	const runners = useQuery({ ...runnersQuery(), select: runnerSummaries }).data;
	const runnersById = useMemo(() => new Map(runners?.map((one) => [one.id, one])), [runners]);
	const [JobDrawer, fetchDrawer] = useLazyModule(loadDrawer);
	useUserIntent(useCallback(() => void fetchDrawer(true), [fetchDrawer]));
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
			// Also when the address did not change: loading may have failed the last time.
			void fetchDrawer();
		},
		[openJob, fetchDrawer],
	);

	const [clears, setClears] = useState(0);
	const clearFilters = useCallback(() => {
		setFilters({});
		setClears((count) => count + 1);
	}, [setFilters]);

	/** Focuses what opened the drawer; if that is gone, the job's row, else the search. */
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
				<PageHead title="Jobs">
					<NewJobButton onOpenJob={open} />
				</PageHead>
				<JobsFilterBar filters={filters} clears={clears} runners={runners ?? NO_RUNNERS} onChange={setFilters} />
			</div>
			<JobsTable
				filters={filters}
				runners={runnersById}
				hasRunners={runners === undefined || runners.length > 0}
				openJobId={jobId}
				onOpen={open}
				onChangeFilters={setFilters}
				onClearFilters={clearFilters}
			/>
			{JobDrawer === null ? null : (
				<JobDrawer
					initialJob={initialJob}
					jobId={jobId}
					onClose={closeJob}
					onCloseAutoFocus={giveFocusBack}
					onOpen={(id) => open(id, null)}
				/>
			)}
		</div>
	);
}
