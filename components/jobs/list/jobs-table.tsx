"use client";

import { clsx } from "clsx";
import { memo, useCallback, useRef } from "react";
import { useCan } from "#components/session/use-session.ts";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/not-loaded.tsx";
import { useWantedPart } from "#components/ui/use-part.ts";
import { useSelection } from "#components/ui/use-selection.ts";
import { wordsOf } from "#lib/client/api.ts";
import { indexOfId } from "#lib/client/by-id.ts";
import { type JobFilters, matchesFilters } from "#lib/client/job-filters.ts";
import type { RunnerFacts } from "#lib/client/job-note.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { useLayout } from "./jobs-head.tsx";
import { JobsFoot } from "../jobs-foot.tsx";
import { JobsRows } from "../jobs-rows.tsx";
import { useJobsScroll } from "../use-jobs-scroll.ts";
import { useLoadedJobs } from "../use-loaded-jobs.ts";
import { useRowFocus } from "./use-row-focus.ts";

// Comes with the first selection.
const loadBulkBar = () => import("./bulk-bar.tsx").then((module) => module.BulkBar);

interface Props {
	filters: JobFilters;
	runners: ReadonlyMap<number, RunnerFacts>;
	hasRunners: boolean;
	openJobId: number | null;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** Newest first, as far as one scrolls; only the rows in sight are in the document. */
export const JobsTable = memo(function JobsTable(props: Props) {
	const { filters, runners, hasRunners, openJobId, onOpen, onClearFilters } = props;
	const { list, jobs, ids } = useLoadedJobs(filters);
	const scroller = useRef<HTMLDivElement>(null);
	const layout = useLayout();
	const selection = useSelection(ids);
	const selecting = selection.ids.size > 0;
	const select = useCan("write") ? selection : null;
	const { rows, newAbove, toTop } = useJobsScroll(scroller, { list, jobs, filters, layout, selecting });
	const { tabStop, onRowFocus, focusRow } = useRowFocus(scroller, jobs, rows, select);
	const onSelect = useOnSelect(selection);
	const onDone = () => {
		selection.clear();
		// The bar goes, and with it the button that was pressed.
		scroller.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
	};
	const onTop = () => {
		toTop();
		focusRow(0);
	};
	const rowOf = (job: Job) => ({
		runner: runners.get(job.runnerId),
		layout,
		open: job.id === openJobId,
		selected: select?.ids.has(job.id) ?? null,
		leaving: !list.isPlaceholderData && !matchesFilters(job, filters),
		tabStop: job.id === tabStop,
		onFocus: onRowFocus,
		onSelect,
		onOpen,
	});
	const foot = { filters, jobs, isWhole: !list.hasNextPage && !list.isPlaceholderData };
	return (
		<div className="relative flex min-h-0 flex-1 flex-col">
			<div ref={scroller} className="min-h-0 flex-1 overflow-auto bg-canvas [overflow-anchor:none]">
				<div className={clsx(selecting && "pb-20")}>
					{list.isError ? (
						<NotLoaded why={`${jobsTexts.notLoaded} ${wordsOf(list.error)}`} onRetry={() => void list.refetch()} />
					) : null}
					<NewItemsChip
						count={newAbove}
						words={jobsTexts.newJobs(newAbove)}
						hint={jobsTexts.newJobsAbove}
						onPress={onTop}
						className="md:top-10"
					/>
					<JobsRows list={list} jobs={jobs} ids={ids} rows={rows} select={select} rowOf={rowOf} />
					{list.isSuccess ? <JobsFoot {...foot} {...{ hasRunners, onOpen, onClearFilters }} /> : null}
				</div>
			</div>
			<BarPlace jobs={jobsOf(jobs, selection.ids)} onDone={onDone} />
		</div>
	);
});

function useOnSelect({ toggle, extend }: ReturnType<typeof useSelection>) {
	return useCallback((id: number, range: boolean) => (range ? extend(id) : toggle(id)), [extend, toggle]);
}

const jobsOf = (jobs: readonly Job[], ids: ReadonlySet<number>): Job[] =>
	[...ids].flatMap((id) => jobs[indexOfId(jobs, id)] ?? []);

/** Over the last rows, at the bottom, while something is selected. */
function BarPlace({ jobs, onDone }: { jobs: readonly Job[]; onDone(): void }) {
	const BulkBar = useWantedPart(loadBulkBar, jobs.length);
	return BulkBar === null || jobs.length === 0 ? null : <BulkBar jobs={jobs} onDone={onDone} />;
}
