"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef } from "react";
import { useMayWrite } from "#components/session/use-session.ts";
import { NewItemsChip } from "#components/ui/new-items-chip.tsx";
import { NotLoaded } from "#components/ui/not-loaded.tsx";
import { useSelection } from "#components/ui/use-selection.ts";
import { wordsOf } from "#lib/client/api.ts";
import { indexOfId } from "#lib/client/by-id.ts";
import { type JobFilters, matchesFilters } from "#lib/client/job-filters.ts";
import type { RunnerFacts } from "#lib/client/job-note.ts";
import { holdJobs } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { JobRow } from "./job-row.tsx";
import { CARD_PX, JobsHead, type Layout, ROW_PX, SkeletonRows, useLayout } from "./jobs-columns.tsx";
import { JobsFoot } from "./jobs-foot.tsx";
import { useHand } from "./use-hand.ts";
import { useLoadedJobs } from "./use-loaded-jobs.ts";
import { useNextPages } from "./use-next-pages.ts";
import { useRowFocus } from "./use-row-focus.ts";
import { useShortList } from "./use-short-list.ts";
import { useSteadyScroll } from "./use-steady-scroll.ts";

// Comes with the first selection.
const BulkBar = lazy(() => import("./bulk-bar.tsx").then((module) => ({ default: module.BulkBar })));

interface Props {
	filters: JobFilters;
	runners: ReadonlyMap<number, RunnerFacts>;
	hasRunners: boolean;
	openJobId: number | null;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** Newest first, as far as one scrolls; only the rows in sight are in the document. */
export function JobsTable({ filters, runners, hasRunners, openJobId, onOpen, onClearFilters }: Props) {
	const { list, jobs, ids } = useLoadedJobs(filters);
	const scroller = useRef<HTMLDivElement>(null);
	const layout = useLayout();
	const { rows, rowPx } = useRows(scroller, jobs, layout);

	const selection = useSelection(ids);
	const select = useMayWrite() ? selection : null;
	const { tabStop, onRowFocus, focusRow } = useRowFocus(scroller, jobs, rows, select);
	const hand = useHeldList(scroller, filters, selection.ids.size > 0);
	const { newAbove, toTop } = useSteadyScroll({
		scroller,
		jobs,
		rows,
		rowPx,
		heldRow: () => hand.current.row(),
		list: list.isPlaceholderData ? null : filters,
	});
	const items = rows.getVirtualItems();
	useNextPages(list, items.at(-1)?.index ?? 0, jobs.length, rows.isScrolling);

	useShortList(scroller, jobs.length, selection.ids.size > 0 || list.isFetching, filters);
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
	return (
		<div className="relative flex min-h-0 flex-1 flex-col">
			<div ref={scroller} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
				<div className={clsx(selection.ids.size > 0 && "pb-20")}>
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
					<table
						className="group/table w-full md:table-fixed"
						aria-label={jobsTexts.title}
						aria-busy={list.isPlaceholderData}
						aria-rowcount={list.hasNextPage ? -1 : jobs.length + 1}
						data-selecting={selection.ids.size > 0 || undefined}
					>
						<JobsHead select={select && headBox(select, ids)} />
						<tbody className={clsx(list.isPlaceholderData && "opacity-60")}>
							{list.isPending ? <SkeletonRows selectable={select !== null} /> : null}
							<Spacer height={items[0]?.start ?? 0} />
							{items.map(({ index, key }) => {
								const job = jobs[index];
								return job === undefined ? null : <JobRow key={key} job={job} position={index + 2} {...rowOf(job)} />;
							})}
							<Spacer height={rows.getTotalSize() - (items.at(-1)?.end ?? 0)} />
							{list.isFetchingNextPage ? <SkeletonRows count={3} selectable={select !== null} /> : null}
						</tbody>
					</table>
					{list.isSuccess ? (
						<JobsFoot
							filters={filters}
							jobs={jobs}
							isWhole={!list.hasNextPage && !list.isPlaceholderData}
							hasRunners={hasRunners}
							onOpen={onOpen}
							onClearFilters={onClearFilters}
						/>
					) : null}
				</div>
			</div>
			<BarPlace jobs={jobsOf(jobs, selection.ids)} onDone={onDone} />
		</div>
	);
}

/** The rows that are in sight, and some around them. */
function useRows(scroller: RefObject<HTMLDivElement | null>, jobs: readonly Job[], layout: Layout) {
	const rowPx = layout === "cards" ? CARD_PX : ROW_PX;
	const rows = useVirtualizer({
		count: jobs.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => rowPx,
		getItemKey: (index) => jobs[index]?.id ?? index,
		overscan: 12,
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are measured anew when the layout changes
	useEffect(() => rows.measure(), [rowPx]);
	return { rows, rowPx };
}

function useOnSelect({ toggle, extend }: ReturnType<typeof useSelection>) {
	return useCallback((id: number, range: boolean) => (range ? extend(id) : toggle(id)), [extend, toggle]);
}

/** What the box above all boxes shows and does. */
const headBox = ({ ids, selectAll, clear }: ReturnType<typeof useSelection>, loaded: readonly number[]) => ({
	all: loaded.length > 0 && ids.size === loaded.length,
	some: ids.size > 0,
	toggle: ids.size === loaded.length ? clear : selectAll,
});

const jobsOf = (jobs: readonly Job[], ids: ReadonlySet<number>): Job[] =>
	[...ids].flatMap((id) => jobs[indexOfId(jobs, id)] ?? []);

/** Rows that no longer fit the filters stay for as long as the reader has a hand on the list, or something selected. */
function useHeldList(scroller: RefObject<HTMLDivElement | null>, filters: JobFilters, selecting: boolean) {
	const client = useQueryClient();
	const take = useCallback(() => holdJobs(client, filters), [client, filters]);
	return useHand(scroller, take, () => selecting);
}

/** Stands for the rows that are out of sight. One cell: spanning columns that are hidden would bring them back. */
const Spacer = ({ height }: { height: number }) =>
	height > 0 ? (
		<tr aria-hidden>
			<td style={{ height, padding: 0 }} />
		</tr>
	) : null;

/** Over the last rows, at the bottom, while something is selected. */
const BarPlace = ({ jobs, onDone }: { jobs: readonly Job[]; onDone(): void }) =>
	jobs.length === 0 ? null : (
		<Suspense fallback={null}>
			<BulkBar jobs={jobs} onDone={onDone} />
		</Suspense>
	);
