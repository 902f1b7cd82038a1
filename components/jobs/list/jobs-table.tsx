"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { clsx } from "clsx";
import { type ComponentProps, memo, useEffect, useRef } from "react";
import { useCan } from "#components/account/use-session.ts";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { SpacerRow } from "#components/ui/spacer-row.tsx";
import { useSelection } from "#components/ui/use-selection.ts";
import type { VirtualRows } from "#components/ui/use-virtual-rows.ts";
import { counted } from "#lib/client/format.ts";
import { hasFilters, type JobFilters } from "#lib/client/job-filters.ts";
import { indexOfId } from "../by-id.ts";
import type { RunnerSummary } from "../job-note.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { JobRow } from "./job-row.tsx";
import { JobsEmpty } from "./jobs-empty.tsx";
import { JobsHead, Selecting, SkeletonRows } from "./jobs-head.tsx";
import { useLayout } from "./layout.ts";
import { useJobsScroll, useShownJobs } from "./use-jobs-list.ts";
import { useRowFocus } from "./use-row-focus.ts";

interface Props {
	filters: JobFilters;
	runners: ReadonlyMap<number, RunnerSummary>;
	hasRunners: boolean;
	openJobId: number | null;
	onOpen(id: number, from: HTMLElement | null): void;
	onChangeFilters(filters: JobFilters): void;
	onClearFilters(): void;
}

/** Jobs by age, loaded as the table is scrolled; only the virtual rows are in the document. */
export const JobsTable = memo(function JobsTable(props: Props) {
	const { filters, runners, hasRunners, openJobId, onOpen, onChangeFilters, onClearFilters } = props;
	const scroller = useRef<HTMLDivElement>(null);
	const inUse = useRef(false);
	const shown = useShownJobs(scroller, filters, inUse);
	const { list, jobs, ids, newAbove, isFull, toTop } = shown;
	const layout = useLayout();
	const selection = useSelection(ids);
	const selecting = selection.ids.size > 0;
	// Behind an open drawer, too: its row gets the focus back.
	inUse.current = selecting || openJobId !== null;
	const select = useCan("jobs:write") ? selection : null;
	const rows = useJobsScroll(scroller, { list, jobs, layout });
	const { tabStop, onRowFocus, focusRow } = useRowFocus(scroller, jobs, rows, select);
	const onDone = () => {
		selection.clear();
		// The bar disappears, and with it the button that had the focus.
		scroller.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
	};
	const focusTop = useRef(false);
	const onTop = () => {
		toTop();
		focusTop.current = true;
	};
	useEffect(() => {
		// Before the newest jobs are there, the focus would hold a row that is not among them.
		if (!focusTop.current || isFull) return;
		focusTop.current = false;
		focusRow(0);
	});
	const rowOf = (job: Job) => ({
		runner: runners.get(job.runnerId),
		layout,
		open: job.id === openJobId,
		selected: select?.ids.has(job.id) ?? null,
		tabStop: job.id === tabStop,
		onFocus: onRowFocus,
		onSelect: selection.onSelect,
		onOpen,
	});
	const sort = {
		oldestFirst: filters.order === "asc",
		onSort: () => onChangeFilters({ ...filters, order: filters.order === "asc" ? undefined : "asc" }),
	};
	// A search may have read many jobs without a match, and continues.
	const isWhole = !list.hasNextPage && !list.isPlaceholderData;
	const isEmpty = list.isSuccess && jobs.length === 0 && (isWhole || !hasFilters(filters));
	return (
		<div className="relative flex min-h-0 flex-1 flex-col">
			<div ref={scroller} className="min-h-0 flex-1 overflow-auto bg-canvas [overflow-anchor:none]">
				<div className={clsx(selecting && "pb-20")}>
					<NotLoaded what="jobs" of={list} />
					<NewItemsChip
						count={newAbove}
						label={isFull ? `${newAbove}+ new jobs` : counted(newAbove, "new job", "new jobs")}
						hint="New jobs at the top of the list."
						onPress={onTop}
						className="md:top-10"
					/>
					<JobsRows list={list} jobs={jobs} ids={ids} rows={rows} select={select} sort={sort} rowOf={rowOf} />
					{isEmpty ? <JobsEmpty filters={filters} hasRunners={hasRunners} onClearFilters={onClearFilters} /> : null}
				</div>
			</div>
			{selecting ? <BulkBar jobs={jobsOf(jobs, selection.ids)} onDone={onDone} /> : null}
		</div>
	);
});

const jobsOf = (jobs: readonly Job[], ids: ReadonlySet<number>): Job[] =>
	[...ids].flatMap((id) => jobs[indexOfId(jobs, id)] ?? []);

type Selection = ReturnType<typeof useSelection>;

interface RowsProps extends Pick<ReturnType<typeof useShownJobs>, "list" | "jobs" | "ids"> {
	rows: VirtualRows;
	/** Null when the user may not select. */
	select: Selection | null;
	sort: Omit<ComponentProps<typeof JobsHead>, "select">;
	rowOf(job: Job): Omit<ComponentProps<typeof JobRow>, "job" | "position">;
}

/** The table: its head, the virtual rows, and spacers for the others. */
function JobsRows({ list, jobs, ids, rows, select, sort, rowOf }: RowsProps) {
	return (
		<Selecting value={select !== null && select.ids.size > 0}>
			<table
				className="w-full border-separate border-spacing-0 md:table-fixed"
				aria-label="Jobs"
				aria-busy={list.isPending || list.isPlaceholderData}
				aria-rowcount={list.hasNextPage ? -1 : jobs.length + 1}
			>
				<JobsHead select={select && headBox(select, ids)} {...sort} />
				<tbody className={clsx(list.isPlaceholderData && "stale")}>
					{list.isPending ? <SkeletonRows selectable={select !== null} /> : null}
					<SpacerRow height={rows.before} />
					{jobs.slice(rows.first, rows.end).map((job, index) => (
						<JobRow key={job.id} job={job} position={rows.first + index + 2} {...rowOf(job)} />
					))}
					<SpacerRow height={rows.after} />
					{list.isFetchingNextPage ? <SkeletonRows count={3} selectable={select !== null} /> : null}
				</tbody>
			</table>
		</Selecting>
	);
}

/** The checkbox for all rows: what it shows and does. */
const headBox = ({ ids, selectAll, clear }: Selection, loaded: readonly number[]) => ({
	all: loaded.length > 0 && ids.size === loaded.length,
	some: ids.size > 0,
	toggle: ids.size === loaded.length ? clear : selectAll,
});
