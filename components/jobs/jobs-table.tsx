"use client";

import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useMediaQuery } from "#components/ui/use-media-query.ts";
import { wordsOf } from "#lib/client/api.ts";
import type { JobFilters } from "#lib/client/job-filters.ts";
import { jobsQuery } from "#lib/client/jobs.ts";
import type { Job } from "#lib/contract/job.ts";
import { JobRow, SkeletonRows } from "./job-row.tsx";
import { JobsEmpty } from "./jobs-empty.tsx";
import { useRowFocus } from "./use-row-focus.ts";

const ROW_PX = 40;
const CARD_PX = 84;
/** How many rows before the end of what is loaded the next page is asked for. */
const AHEAD = 25;

// Where room is short the drawer tells the rest; on a phone the cards do.
const COLUMNS = [
	{ name: "Status", look: "w-34" },
	{ name: "Name", look: "" },
	{ name: "Runner", look: "w-36 md:max-lg:hidden" },
	{ name: "Display", look: "w-20 md:max-[1180px]:hidden" },
	{ name: "Stop condition", look: "w-44 md:max-[1180px]:hidden" },
	{ name: "Started", look: "w-28" },
	{ name: "Duration", look: "w-20 text-end" },
] as const;

interface Props {
	filters: JobFilters;
	runnerNames: ReadonlyMap<number, string>;
	hasRunners: boolean;
	openJobId: number | null;
	onOpen(id: number, from: HTMLElement | null): void;
	onClearFilters(): void;
}

/** Newest first, as far as one scrolls; only the rows in sight are in the document. */
export function JobsTable({ filters, runnerNames, hasRunners, openJobId, onOpen, onClearFilters }: Props) {
	const list = useInfiniteQuery({ ...jobsQuery(filters), placeholderData: keepPreviousData });
	const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? [], [list.data]);
	const scroller = useRef<HTMLDivElement>(null);
	const rowPx = useMediaQuery("(min-width: 768px)") ? ROW_PX : CARD_PX;
	const rows = useVirtualizer({
		count: jobs.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => rowPx,
		getItemKey: (index) => jobs[index]?.id ?? index,
		overscan: 12,
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are measured anew when the layout changes
	useEffect(() => rows.measure(), [rowPx]);
	useSteadyScroll(scroller, jobs, rowPx);

	const { tabStop, onRowFocus } = useRowFocus(scroller, jobs, rows);

	const items = rows.getVirtualItems();
	const lastSeen = items.at(-1)?.index ?? 0;
	useNextPages(list, lastSeen, jobs.length);

	const before = items[0]?.start ?? 0;
	const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
	const empty = list.isSuccess && jobs.length === 0;

	return (
		<div ref={scroller} className="min-h-0 flex-1 overflow-auto [overflow-anchor:none]">
			{list.isError ? (
				<Notice tone="danger" alert className="mx-4 mt-4 md:mx-6">
					The jobs could not be loaded. {wordsOf(list.error)}{" "}
					<Button size="small" className="ms-2" onClick={() => void list.refetch()}>
						Try again
					</Button>
				</Notice>
			) : null}
			<table
				className="w-full md:table-fixed"
				aria-label="Jobs"
				aria-busy={list.isPlaceholderData}
				aria-rowcount={list.hasNextPage ? -1 : jobs.length + 1}
			>
				<Head />
				<tbody className={clsx(list.isPlaceholderData && "opacity-60")}>
					{list.isPending ? <SkeletonRows /> : null}
					<Spacer height={before} />
					{items.map(({ index, key }) => {
						const job = jobs[index];
						return job === undefined ? null : (
							<JobRow
								key={key}
								job={job}
								runnerName={runnerNames.get(job.runnerId) ?? `Runner ${job.runnerId}`}
								position={index + 2}
								open={job.id === openJobId}
								tabStop={job.id === tabStop}
								onFocus={onRowFocus}
								onOpen={onOpen}
							/>
						);
					})}
					<Spacer height={after} />
					{list.isFetchingNextPage ? <SkeletonRows count={3} /> : null}
				</tbody>
			</table>
			{empty ? <JobsEmpty filters={filters} hasRunners={hasRunners} onClearFilters={onClearFilters} /> : null}
		</div>
	);
}

const Head = () => (
	<thead className="max-md:sr-only md:sticky md:top-0 md:z-10 md:bg-canvas">
		<tr className="text-start text-xs text-muted">
			{COLUMNS.map(({ name, look }) => (
				<th
					key={name}
					scope="col"
					className={clsx("h-8 px-2 font-medium shadow-[inset_0_-1px_0_var(--line)] first:ps-6", look)}
				>
					{name}
				</th>
			))}
			<th scope="col" className="w-13 shadow-[inset_0_-1px_0_var(--line)]">
				<span className="sr-only">Actions</span>
			</th>
		</tr>
	</thead>
);

/** Stands for the rows that are out of sight. One cell: spanning columns that are hidden would bring them back. */
const Spacer = ({ height }: { height: number }) =>
	height > 0 ? (
		<tr aria-hidden>
			<td style={{ height, padding: 0 }} />
		</tr>
	) : null;

type Pager = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isError" | "fetchNextPage">;

/** Asks for the next page before the end of what is loaded comes into sight. */
function useNextPages(pager: Pager, lastSeen: number, loaded: number): void {
	const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = pager;
	useEffect(() => {
		if (hasNextPage && !isFetchingNextPage && !isError && lastSeen >= loaded - AHEAD) void fetchNextPage();
	}, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, lastSeen, loaded]);
}

/** New jobs come in at the top: whoever has scrolled down keeps looking at the same rows. */
function useSteadyScroll(scroller: React.RefObject<HTMLDivElement | null>, jobs: Job[], rowPx: number): void {
	const first = useRef<number | undefined>(undefined);
	useLayoutEffect(() => {
		const before = first.current;
		first.current = jobs[0]?.id;
		const box = scroller.current;
		if (box === null || before === undefined || before === first.current || box.scrollTop === 0) return;
		const added = jobs.findIndex((job) => job.id === before);
		if (added > 0) box.scrollTop += added * rowPx;
	}, [jobs, rowPx, scroller]);
}
