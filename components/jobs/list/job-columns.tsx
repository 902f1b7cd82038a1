"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { clsx } from "clsx";
import type { ComponentType } from "react";
import { VerdictBadge } from "#components/recordings/verdict.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useNowAs } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import { isCancellable } from "#lib/client/job-filters.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import { JobDuration } from "../job-duration.tsx";
import { failureNote, failureTitle, STATUS_LABELS } from "../job-labels.ts";
import { noteOf, type RunnerSummary } from "../job-note.ts";
import { JobMark } from "../job-status.tsx";
import { JobCondition } from "./job-condition.tsx";
import { hasPlace, JobNameCell, JobPlace } from "./job-name-cell.tsx";
import { isShort, type Layout } from "./layout.ts";

interface CellProps {
	job: Job;
	/** Undefined while it is not known. */
	runner: RunnerSummary | undefined;
	layout: Layout;
	tabStop: boolean;
	/** Columns of a card's grid on a phone: the text, and what ends its lines. Both as classes. */
	first: string;
	last: string;
	/** Whether a checkbox precedes the row's first cell. */
	selectable: boolean;
}

interface Column {
	name: string;
	/** Classes of its head. They hide it at the widths of layouts that have no cell of their own for it. */
	width: string;
	/** Layouts that have a cell of their own for it; if omitted, all. */
	layouts?: readonly Layout[];
	/** The API's order of jobs, which the head reverses. */
	sorts?: true;
	/** Aligned with the end. */
	end?: true;
	Cell: ComponentType<CellProps>;
}

const StatusCell = ({ job, runner, layout, first, selectable }: CellProps) => (
	<td className={clsx("max-md:row-start-2 md:px-2", first, !selectable && "md:ps-6")}>
		<span className="flex min-w-0 items-center gap-x-2 md:flex-col md:items-start">
			<JobMark job={job} cancelling={isCancelling(job)} className="md:leading-4" />
			{layout === "cards" ? <VerdictBadge narrow verdict={job.recording?.verdict} /> : null}
			<JobNote job={job} runner={runner} />
		</span>
	</td>
);

const NameCell = ({ job, layout, tabStop, first }: CellProps) => (
	<td className={clsx("min-w-0 max-md:row-start-1 md:px-2", first)}>
		<JobNameCell job={job} layout={layout} tabStop={tabStop} />
	</td>
);

const RunnerCell = ({ runner, ...props }: CellProps) =>
	runner === undefined ? <RunnerElsewhere {...props} /> : <RunnerText {...props} runnerName={runner.name} />;

type RunnerTextProps = Omit<CellProps, "runner"> & { runnerName: string };

/** For a job whose runner is not in the list of runners, most likely because it was removed: its name is fetched. */
function RunnerElsewhere(props: Omit<RunnerTextProps, "runnerName">) {
	const { runnerId } = props.job;
	return <RunnerText {...props} runnerName={useRunnerName(runnerId) ?? `Runner ${runnerId}`} />;
}

/** The runner; with the display, and on a phone the stop condition, in layouts without a column for them. */
const RunnerText = ({ job, layout, tabStop, runnerName, first }: RunnerTextProps) => (
	<td className={clsx("truncate text-muted max-md:row-start-3 max-md:text-xs md:px-2", first)} title={runnerName}>
		{/* On a phone, what finds the job stands before where it was recorded. */}
		{layout === "cards" && hasPlace(job) ? (
			<>
				<JobPlace job={job} tabStop={tabStop} />
				{" · "}
			</>
		) : null}
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
				<JobCondition job={job} />
			</>
		) : null}
	</td>
);

const DisplayCell = ({ job }: CellProps) => <td className="px-2 font-mono text-xs">{job.displayId}</td>;

const StopConditionCell = ({ job }: CellProps) => (
	<td className="truncate px-2">
		<JobCondition job={job} />
	</td>
);

const CreatedByCell = ({ job }: CellProps) => (
	<td className="truncate px-2 text-muted" title={job.createdBy?.name}>
		{job.createdBy?.name ?? "–"}
	</td>
);

/** The start; with the duration in the layout without a column for it. */
const StartedCell = ({ job, layout, last }: CellProps) => (
	<td
		className={clsx(
			"truncate text-muted tabular-nums max-md:row-start-3 max-md:pe-4 max-md:text-end max-md:text-xs md:px-2",
			last,
		)}
	>
		{job.startedAt === null ? <NotStarted job={job} /> : <TimeAgo at={job.startedAt} />}
		{layout === "tight" ? (
			<span className="block text-xs leading-3.5">
				<JobDuration job={job} />
			</span>
		) : null}
	</td>
);

const DurationCell = ({ job, last }: CellProps) => (
	<td className={clsx("text-end tabular-nums max-md:row-start-2 max-md:pe-4 md:px-2", last)}>
		<JobDuration job={job} />
	</td>
);

const IN_COLUMN = "max-[1180px]:hidden";
const IF_PLENTY = "max-[1600px]:hidden";

/** The columns in their order: what a column's head and its cells are. Checkbox and menu of a row are apart from them. */
export const COLUMNS: readonly Column[] = [
	{ name: "Status", width: "w-38 min-[920px]:w-41 min-[1180px]:w-46 min-[1600px]:w-56", Cell: StatusCell },
	{ name: "Name", width: "", Cell: NameCell },
	{ name: "Runner", width: "w-26 min-[920px]:w-36 min-[1600px]:w-52 min-[2200px]:w-72", Cell: RunnerCell },
	{ name: "Display", width: `w-16 ${IN_COLUMN}`, layouts: ["full", "wide"], Cell: DisplayCell },
	{
		name: "Stop condition",
		width: `w-36 min-[1600px]:w-48 min-[2200px]:w-80 ${IN_COLUMN}`,
		layouts: ["full", "wide"],
		Cell: StopConditionCell,
	},
	{ name: "Created by", width: `w-44 min-[2200px]:w-60 ${IF_PLENTY}`, layouts: ["wide"], Cell: CreatedByCell },
	{ name: "Started", width: "w-21 min-[920px]:w-26 min-[1600px]:w-32", sorts: true, Cell: StartedCell },
	{
		name: "Duration",
		width: "w-20 md:max-[920px]:hidden",
		layouts: ["cards", "narrow", "full", "wide"],
		end: true,
		Cell: DurationCell,
	},
];

/** The cells of a row, without its checkbox and its menu. */
export const JobCells = (props: CellProps) =>
	COLUMNS.map(({ name, layouts, Cell }) =>
		layouts === undefined || layouts.includes(props.layout) ? <Cell key={name} {...props} /> : null,
	);

const NotStarted = ({ job }: { job: Job }) =>
	job.status === "queued" ? (
		<span>
			waiting
			<span className="sr-only"> since </span> <TimeAgo at={job.createdAt} className="sr-only" />
		</span>
	) : (
		<span>–</span>
	);

const isCancelling = (job: Job): boolean => job.cancelRequestedAt !== null && isCancellable(job);

/** Details shown next to the status; empty for a job without problems. Next to an outcome, it shows the status. */
function JobNote({ job, runner }: { job: Job; runner: RunnerSummary | undefined }) {
	const note = noteOf(job, runner);
	switch (note?.kind) {
		case undefined:
			if (job.outcome === null) return null;
			return <NoteLine text={isCancelling(job) ? "Cancelling…" : STATUS_LABELS[job.status]} />;
		case "offline":
			return note.since === null ? (
				<NoteLine text="Never connected" title="Runner has never connected" />
			) : (
				<Offline since={note.since} />
			);
		case "waiting":
			return <NoteLine text="Waiting for runner" />;
		case "failed":
			return job.outcome === null ? (
				<NoteLine text={failureNote(job)} title={failureTitle(job)} />
			) : (
				<NoteLine text={STATUS_LABELS.failed} title={`${STATUS_LABELS.failed}: ${failureTitle(job)}`} />
			);
		case "stopped-early":
			return <NoteLine text="Stopped early" />;
		case "ended":
			return <NoteLine text={note.reason === "runner_shutdown" ? "Runner shut down" : "Grid unreachable"} />;
	}
}

const NoteLine = ({ text, title = text }: { text: string; title?: string }) => (
	<span
		className="min-w-0 truncate text-xs leading-3.5 text-muted md:block md:max-w-full min-[1180px]:ps-5.5"
		title={title}
	>
		{text}
	</span>
);

function Offline({ since }: { since: string }) {
	// The largest unit says enough here: "3 h" of "3 h 5 min".
	const span = useNowAs((now) =>
		formatSpan((now - Date.parse(since)) / 1000)
			.split(" ", 2)
			.join(" "),
	);
	return <NoteLine text={`Runner offline ${span}`} />;
}
