"use client";

import { clsx } from "clsx";
import { VerdictBadge } from "#components/recordings/verdict-badge.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { useRunnerName } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import { STOP_CONDITION_WORDS } from "#lib/texts/job-words.ts";
import { jobsTexts, rowTexts, selectionTexts } from "#lib/texts/jobs.ts";
import { JobDuration } from "./job-duration.tsx";
import type { Layout } from "./list/jobs-head.tsx";
import { conditionDetail } from "./row-words.ts";
import { SelectBox } from "./select-box.tsx";

/** Marks a cell in which a click does not open the row. */
export const APART = "data-apart";

interface SelectProps {
	name: string;
	selected: boolean;
	tabStop: boolean;
	/** @param range whether everything up to this row is meant */
	onSelect(range: boolean): void;
}

export const SelectCell = ({ name, selected, tabStop, onSelect }: SelectProps) => (
	<td
		{...{ [APART]: true }}
		className="max-md:col-start-1 max-md:row-span-3 max-md:row-start-1 max-md:justify-self-center md:ps-2"
	>
		<SelectBox
			label={selectionTexts.select(name)}
			checked={selected}
			onToggle={onSelect}
			tabIndex={tabStop ? undefined : -1}
			className="group-hover/row:before:visible group-focus-within/row:before:visible"
		/>
	</td>
);

interface PlaceProps {
	job: Job;
	runnerName: string;
	layout: Layout;
	className: string;
}

/** The same for a job whose runner is not among those that are there: removed, most likely, and asked for by name. */
export function PlaceElsewhere(props: Omit<PlaceProps, "runnerName">) {
	const { runnerId } = props.job;
	return <PlaceCells {...props} runnerName={useRunnerName(runnerId) ?? jobsTexts.runner(runnerId)} />;
}

/** Where it records and until when: the cells of runner, display, condition and, where there is room, who asked. */
export const PlaceCells = ({ job, runnerName, layout, className }: PlaceProps) => (
	<>
		<td className={clsx("truncate text-muted max-md:row-start-3 max-md:text-xs md:px-2", className)} title={runnerName}>
			{isShort(layout) ? (
				<>
					<span className="block truncate leading-4">{runnerName}</span>
					<span className="block font-mono text-xs leading-3.5">{job.displayId}</span>
				</>
			) : (
				runnerName
			)}
			{layout === "cards" ? (
				<>
					{" · "}
					{job.displayId}
					{" · "}
					<Condition job={job} />
				</>
			) : null}
		</td>
		{layout === "full" || layout === "wide" ? (
			<>
				<td className="px-2 font-mono text-xs">{job.displayId}</td>
				<td className="truncate px-2">
					<Condition job={job} />
				</td>
			</>
		) : null}
		{layout === "wide" ? (
			<td className="truncate px-2 text-muted" title={job.createdBy?.name}>
				{job.createdBy?.name ?? rowTexts.nothing}
			</td>
		) : null}
	</>
);

interface TimeProps {
	job: Job;
	layout: Layout;
	className: string;
}

/** Since when and for how long. */
export const TimeCells = ({ job, layout, className }: TimeProps) => (
	<>
		<td
			className={clsx(
				"truncate text-muted tabular-nums max-md:row-start-3 max-md:pe-4 max-md:text-end max-md:text-xs md:px-2",
				className,
			)}
		>
			{job.startedAt === null ? <NotStarted job={job} /> : <TimeAgo at={job.startedAt} />}
			{layout === "tight" ? (
				<span className="block text-xs leading-3.5">
					<JobDuration job={job} />
				</span>
			) : null}
		</td>
		{layout === "tight" ? null : (
			<td className={clsx("text-end tabular-nums max-md:row-start-2 max-md:pe-4 md:px-2", className)}>
				<JobDuration job={job} />
			</td>
		)}
	</>
);

/** Whether some cells hold two things. */
export const isShort = (layout: Layout): boolean => layout === "tight" || layout === "narrow";

export const JobName = ({ job, tabStop }: { job: Job; tabStop: boolean }) => (
	<span className="flex items-center gap-2 md:leading-4">
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
);

export function Condition({ job, className }: { job: Job; className?: string }) {
	const detail = conditionDetail(job);
	return (
		<span className={className} title={detail === "" ? undefined : detail}>
			{STOP_CONDITION_WORDS[job.stopCondition]}
			{detail === "" ? null : (
				<span className="text-muted">
					{" · "}
					{detail}
				</span>
			)}
		</span>
	);
}

const NotStarted = ({ job }: { job: Job }) =>
	job.status === "queued" ? (
		<span>
			{rowTexts.waiting}
			<span className="sr-only"> {rowTexts.since} </span> <TimeAgo at={job.createdAt} className="sr-only" />
		</span>
	) : (
		<span>{rowTexts.nothing}</span>
	);
