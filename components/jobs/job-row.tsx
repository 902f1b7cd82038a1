"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { VerdictBadge } from "#components/recordings/verdict-badge.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { Job } from "#lib/contract/job.ts";
import { STOP_CONDITION_WORDS } from "#lib/texts/job-words.ts";
import { JobActionsMenu } from "./job-actions-menu.tsx";
import { JobDuration } from "./job-duration.tsx";
import { JobStatusMark } from "./job-status.tsx";
import { conditionDetail } from "./job-words.ts";

interface Props {
	job: Job;
	runnerName: string;
	/** Its place in the whole table, the head being 1. */
	position: number;
	open: boolean;
	/** Whether Tab reaches this row and what is in it; the keys of the list move between rows. */
	tabStop: boolean;
	onFocus(id: number): void;
	onOpen(id: number, from: HTMLElement | null): void;
}

// On a phone each row is a card of three lines: name and menu, status and duration, the rest.
const ROW =
	"max-md:grid max-md:h-[84px] max-md:grid-cols-[minmax(0,1fr)_auto] max-md:grid-rows-[28px_20px_20px] max-md:items-center max-md:gap-x-3 max-md:py-1.5 max-md:ps-4 md:h-10";
const CELL = "md:px-2 md:first:ps-6";

/** One job. A click anywhere opens it; so does its name, which is a link for the keyboard and for a new tab. */
export const JobRow = memo(function JobRow({ job, runnerName, position, open, tabStop, onFocus, onOpen }: Props) {
	const openHere = (event: MouseEvent<HTMLElement>) => {
		if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
		if (window.getSelection()?.isCollapsed === false) return;
		event.preventDefault();
		onOpen(job.id, event.currentTarget.querySelector("a"));
	};
	const openByKey = (event: KeyboardEvent<HTMLElement>) => {
		if (event.key !== "Enter" || event.target !== event.currentTarget) return;
		if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
		event.preventDefault();
		onOpen(job.id, event.currentTarget);
	};
	const detail = conditionDetail(job);
	return (
		<tr
			onClick={openHere}
			onKeyDown={openByKey}
			onFocus={() => onFocus(job.id)}
			tabIndex={tabStop ? 0 : -1}
			data-row={job.id}
			aria-rowindex={position}
			className={clsx(
				ROW,
				"cursor-pointer border-b border-line text-sm hover:bg-hover md:scroll-mt-8",
				"focus-visible:bg-accent-soft focus-visible:-outline-offset-2",
				open && "bg-accent-soft",
			)}
		>
			<td className={clsx(CELL, "max-md:col-start-1 max-md:row-start-2")}>
				<JobStatusMark status={job.status} />
			</td>
			<td className={clsx(CELL, "min-w-0 max-md:col-start-1 max-md:row-start-1")}>
				<span className="flex items-center gap-2">
					<a
						href={`/jobs/${job.id}`}
						data-job={job.id}
						tabIndex={tabStop ? undefined : -1}
						title={job.name}
						className="block min-w-0 truncate rounded-sm font-medium hover:underline"
					>
						{job.name}
					</a>
					<VerdictBadge narrow verdict={job.recording?.verdict} />
				</span>
			</td>
			<td
				className={clsx(
					CELL,
					"truncate text-muted max-md:col-start-1 max-md:row-start-3 max-md:text-xs md:max-lg:hidden",
				)}
				title={runnerName}
			>
				{runnerName}
				<span className="md:hidden"> · {job.displayId}</span>
			</td>
			<td className={clsx(CELL, "font-mono text-xs max-[1180px]:hidden")}>{job.displayId}</td>
			<td className={clsx(CELL, "truncate max-[1180px]:hidden")} title={detail}>
				{STOP_CONDITION_WORDS[job.stopCondition]}
				{detail === "" ? null : <span className="text-muted"> · {detail}</span>}
			</td>
			<td
				className={clsx(
					CELL,
					"text-muted tabular-nums max-md:col-start-2 max-md:row-start-3 max-md:pe-4 max-md:text-end max-md:text-xs",
				)}
			>
				{job.startedAt === null ? <NotStarted job={job} /> : <TimeAgo at={job.startedAt} />}
			</td>
			<td className={clsx(CELL, "text-end tabular-nums max-md:col-start-2 max-md:row-start-2 max-md:pe-4")}>
				<JobDuration job={job} />
			</td>
			<td className="max-md:col-start-2 max-md:row-start-1 max-md:pe-2 max-md:text-end md:pe-3 md:text-end">
				<JobActionsMenu job={job} tabStop={tabStop} onOpen={onOpen} />
			</td>
		</tr>
	);
});

const NotStarted = ({ job }: { job: Job }) =>
	job.status === "queued" ? (
		<span>
			waiting<span className="sr-only"> since </span> <TimeAgo at={job.createdAt} className="sr-only" />
		</span>
	) : (
		<span>–</span>
	);

/** Rows that are on their way. */
export const SkeletonRows = ({ count = 8 }: { count?: number }) =>
	Array.from({ length: count }, (_, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
		<tr key={index} aria-hidden className="border-b border-line max-md:block max-md:h-[84px] max-md:p-4 md:h-10">
			<td className="md:px-2 md:ps-6">
				<Skeleton className="h-3 w-20" />
			</td>
			<td className="max-md:mt-3 max-md:block md:px-2">
				<Skeleton className="h-3 w-2/3" />
			</td>
			<td className="max-md:hidden md:px-2">
				<Skeleton className="h-3 w-1/2" />
			</td>
		</tr>
	));
