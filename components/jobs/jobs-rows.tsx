"use client";

import { clsx } from "clsx";
import type { ComponentProps } from "react";
import type { RowsInSight } from "#components/ui/use-virtual-rows.ts";
import type { useSelection } from "#components/ui/use-selection.ts";
import type { Job } from "#lib/contract/job.ts";
import { jobsTexts } from "#lib/texts/jobs.ts";
import { JobRow } from "./job-row.tsx";
import { JobsHead, SkeletonRows } from "./list/jobs-head.tsx";
import { Selecting } from "./select-box.tsx";
import type { useLoadedJobs } from "./use-loaded-jobs.ts";

type Selection = ReturnType<typeof useSelection>;

interface Props extends ReturnType<typeof useLoadedJobs> {
	rows: RowsInSight;
	/** Null for who may not select. */
	select: Selection | null;
	rowOf(job: Job): Omit<ComponentProps<typeof JobRow>, "job" | "position">;
}

/** The table: its head, the rows that are in sight and some around them, and what stands for the others. */
export function JobsRows({ list, jobs, ids, rows, select, rowOf }: Props) {
	return (
		<Selecting value={select !== null && select.ids.size > 0}>
			<table
				className="w-full border-separate border-spacing-0 md:table-fixed"
				aria-label={jobsTexts.title}
				aria-busy={list.isPlaceholderData}
				aria-rowcount={list.hasNextPage ? -1 : jobs.length + 1}
			>
				<JobsHead select={select && headBox(select, ids)} />
				<tbody className={clsx(list.isPlaceholderData && "opacity-60")}>
					{list.isPending ? <SkeletonRows selectable={select !== null} /> : null}
					<Spacer height={rows.before} />
					{jobs.slice(rows.first, rows.end).map((job, index) => (
						<JobRow key={job.id} job={job} position={rows.first + index + 2} {...rowOf(job)} />
					))}
					<Spacer height={rows.after} />
					{list.isFetchingNextPage ? <SkeletonRows count={3} selectable={select !== null} /> : null}
				</tbody>
			</table>
		</Selecting>
	);
}

/** What the box above all boxes shows and does. */
const headBox = ({ ids, selectAll, clear }: Selection, loaded: readonly number[]) => ({
	all: loaded.length > 0 && ids.size === loaded.length,
	some: ids.size > 0,
	toggle: ids.size === loaded.length ? clear : selectAll,
});

/** Stands for the rows that are out of sight. One cell: spanning columns that are hidden would bring them back. */
const Spacer = ({ height }: { height: number }) =>
	height > 0 ? (
		<tr aria-hidden>
			<td style={{ height, padding: 0 }} />
		</tr>
	) : null;
