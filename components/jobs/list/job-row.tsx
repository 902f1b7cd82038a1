"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, memo, useRef } from "react";
import { shortcutOf } from "#components/navigation/use-shortcuts.ts";
import { VerdictBadge } from "#components/recordings/verdict.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
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
import { APART, isShort, type Layout, ROW_LINE, SelectBox } from "./jobs-head.tsx";

interface Props {
	job: Job;
	/** Undefined while it is not known. */
	runner: RunnerSummary | undefined;
	/** Its place in the whole table, the head being 1. */
	position: number;
	open: boolean;
	layout: Layout;
	/** Null when the user may not select. */
	selected: boolean | null;
	/** Whether Tab reaches this row and what is in it; the keys of the list move between rows. */
	tabStop: boolean;
	onFocus(id: number): void;
	onSelect(id: number, range: boolean): void;
	onOpen(id: number, from: HTMLElement | null): void;
}

// On a phone each row is a card of three lines, the box at its start: name and menu, status and duration, the rest.
const ROW =
	"max-md:grid max-md:h-[92px] max-md:grid-rows-[32px_20px_20px] max-md:items-center max-md:gap-x-3 max-md:py-2 md:h-11";
const WITHOUT_BOX = "max-md:grid-cols-[minmax(0,1fr)_auto]";
const WITH_BOX =
	"max-md:grid-cols-[32px_minmax(0,1fr)_auto] max-md:ps-1.5 pointer-coarse:max-md:grid-cols-[40px_minmax(0,1fr)_auto] pointer-coarse:max-md:ps-0";

/** One job. A click anywhere opens it; so does its name, which is a link for the keyboard and for a new tab. */
export function JobRow(props: Props) {
	const { job, selected, tabStop } = props;
	return (
		<tr
			{...rowActions(props)}
			tabIndex={tabStop ? 0 : -1}
			data-row={job.id}
			data-virtual
			aria-rowindex={props.position}
			className={clsx(
				ROW,
				selected === null ? WITHOUT_BOX : WITH_BOX,
				ROW_LINE,
				"group/row cursor-pointer text-sm md:scroll-mt-8",
				"focus-visible:bg-accent-soft focus-visible:-outline-offset-2",
				props.open || selected ? "bg-accent-soft" : "hover:bg-hover",
			)}
		>
			<Cells
				job={job}
				runner={props.runner}
				layout={props.layout}
				selected={selected}
				tabStop={tabStop}
				onSelect={props.onSelect}
				onOpen={props.onOpen}
			/>
		</tr>
	);
}

/** They do not depend on the row's position: a new job moves every row below it, and renders none of them again. */
const Cells = memo(function Cells(props: Omit<Props, "position" | "open" | "onFocus">) {
	const { job, runner, selected, tabStop, layout } = props;
	const selectable = selected !== null;
	const [first, last] = selectable
		? ["max-md:col-start-2", "max-md:col-start-3"]
		: ["max-md:col-start-1 max-md:ps-4", "max-md:col-start-2"];
	return (
		<>
			{selectable ? (
				<SelectCell
					name={job.name}
					selected={selected}
					tabStop={tabStop}
					onSelect={(range) => props.onSelect(job.id, range)}
				/>
			) : null}
			<td className={clsx("max-md:row-start-2 md:px-2", first, !selectable && "md:ps-6")}>
				<span className="flex min-w-0 items-center gap-x-2 md:flex-col md:items-start">
					<JobMark job={job} cancelling={isCancelling(job)} className="md:leading-4" />
					{layout === "cards" ? <VerdictBadge narrow verdict={job.recording?.verdict} /> : null}
					<JobNote job={job} runner={runner} />
				</span>
			</td>
			<td className={clsx("min-w-0 max-md:row-start-1 md:px-2", first)}>
				<JobNameCell job={job} layout={layout} tabStop={tabStop} />
			</td>
			{runner === undefined ? (
				<PlaceElsewhere job={job} layout={layout} tabStop={tabStop} className={first} />
			) : (
				<PlaceCells job={job} layout={layout} tabStop={tabStop} runnerName={runner.name} className={first} />
			)}
			<TimeCells job={job} layout={layout} className={last} />
			<td className={clsx("max-md:row-start-1 max-md:pe-1.5 max-md:text-end md:pe-3 md:text-end", last)}>
				<ActionsButton job={job} tabStop={tabStop} onOpen={props.onOpen} />
			</td>
		</>
	);
});

/** Handlers of a click and a key on the row itself. */
function rowActions({ job, selected, onFocus, onSelect, onOpen }: Props) {
	return {
		onMouseDown: (event: MouseEvent<HTMLElement>) => {
			// Shift selects rows here, not text.
			if (event.shiftKey && selected !== null) event.preventDefault();
		},
		onClick: (event: MouseEvent<HTMLElement>) => {
			if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.button !== 0) return;
			if (event.target instanceof Element && event.target.closest(`[${APART}]`)) return;
			if (event.shiftKey) {
				if (selected === null) return;
				event.preventDefault();
				return onSelect(job.id, true);
			}
			if (window.getSelection()?.isCollapsed === false) return;
			event.preventDefault();
			onOpen(job.id, event.currentTarget.querySelector("a"));
		},
		onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
			if (event.target !== event.currentTarget || shortcutOf(event, ["openJob"]) === undefined) return;
			event.preventDefault();
			onOpen(job.id, event.currentTarget);
		},
		onFocus: () => onFocus(job.id),
	};
}

interface SelectProps {
	name: string;
	selected: boolean;
	tabStop: boolean;
	/** @param range whether everything up to this row is selected */
	onSelect(range: boolean): void;
}

const SelectCell = ({ name, selected, tabStop, onSelect }: SelectProps) => (
	<td
		{...{ [APART]: true }}
		className="max-md:col-start-1 max-md:row-span-3 max-md:row-start-1 max-md:justify-self-center md:ps-2"
	>
		<SelectBox
			label={`Select ${name}`}
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
	tabStop: boolean;
	className: string;
}

/** For a job whose runner is not in the list of runners, most likely because it was removed: its name is fetched. */
function PlaceElsewhere(props: Omit<PlaceProps, "runnerName">) {
	const { runnerId } = props.job;
	return <PlaceCells {...props} runnerName={useRunnerName(runnerId) ?? `Runner ${runnerId}`} />;
}

/** The cells of runner, display, stop condition and, on wide screens, who created the job. */
const PlaceCells = ({ job, runnerName, layout, tabStop, className }: PlaceProps) => (
	<>
		<td className={clsx("truncate text-muted max-md:row-start-3 max-md:text-xs md:px-2", className)} title={runnerName}>
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
		{layout === "full" || layout === "wide" ? (
			<>
				<td className="px-2 font-mono text-xs">{job.displayId}</td>
				<td className="truncate px-2">
					<JobCondition job={job} />
				</td>
			</>
		) : null}
		{layout === "wide" ? (
			<td className="truncate px-2 text-muted" title={job.createdBy?.name}>
				{job.createdBy?.name ?? "–"}
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
const TimeCells = ({ job, layout, className }: TimeProps) => (
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

const loadMenu = () => import("./job-actions-menu.tsx").then((module) => module.JobActionsMenu);

function ActionsButton({ job, tabStop, onOpen }: Pick<Props, "job" | "tabStop" | "onOpen">) {
	const trigger = useRef<HTMLButtonElement>(null);
	return (
		<MenuButton
			ref={trigger}
			load={loadMenu}
			menu={(Menu, control) => <Menu job={job} onOpen={() => onOpen(job.id, trigger.current)} {...control} />}
			tabIndex={tabStop ? undefined : -1}
			aria-label={`Actions for ${job.name}`}
			className={`${buttonClass("ghost", "icon")} pointer-coarse:size-11`}
		>
			<Ellipsis aria-hidden className="size-4" />
		</MenuButton>
	);
}

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
