"use client";

import { clsx } from "clsx";
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { isCancellable } from "#lib/client/job-filters.ts";
import type { RunnerFacts } from "#lib/client/job-note.ts";
import type { Job } from "#lib/contract/job.ts";
import { JobActionsButton } from "./list/job-actions-button.tsx";
import { JobNoteLine } from "./job-note.tsx";
import {
	APART,
	Condition,
	isShort,
	JobName,
	PlaceCells,
	PlaceElsewhere,
	SelectCell,
	TimeCells,
} from "./job-row-cells.tsx";
import { JobStatusMark } from "./job-status.tsx";
import { type Layout, ROW_LINE } from "./list/jobs-head.tsx";

interface Props {
	job: Job;
	/** Undefined while it is not known. */
	runner: RunnerFacts | undefined;
	/** Its place in the whole table, the head being 1. */
	position: number;
	open: boolean;
	layout: Layout;
	/** Null for who may not select. */
	selected: boolean | null;
	/** It no longer fits the filters, and stays only until the reader lets go of the list. */
	leaving: boolean;
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
			aria-rowindex={props.position}
			className={clsx(
				ROW,
				selected === null ? WITHOUT_BOX : WITH_BOX,
				ROW_LINE,
				"group/row cursor-pointer text-sm hover:bg-hover md:scroll-mt-8",
				"focus-visible:bg-accent-soft focus-visible:-outline-offset-2",
				(props.open || selected) && "bg-accent-soft",
				props.leaving && "*:opacity-60",
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

/** They know nothing of the row's place: a job that comes in moves every row below it, and draws none of them anew. */
const Cells = memo(function Cells(props: Omit<Props, "position" | "open" | "leaving" | "onFocus">) {
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
					<JobStatusMark
						status={job.status}
						cancelling={job.cancelRequestedAt !== null && isCancellable(job)}
						className="md:leading-4"
					/>
					<JobNoteLine job={job} runner={runner} />
				</span>
			</td>
			<td className={clsx("min-w-0 max-md:row-start-1 md:px-2", first)}>
				<JobName job={job} tabStop={tabStop} />
				{isShort(layout) ? <Condition job={job} className="block truncate text-xs leading-3.5" /> : null}
			</td>
			{runner === undefined ? (
				<PlaceElsewhere job={job} layout={layout} className={first} />
			) : (
				<PlaceCells job={job} layout={layout} runnerName={runner.name} className={first} />
			)}
			<TimeCells job={job} layout={layout} className={last} />
			<td className={clsx("max-md:row-start-1 max-md:pe-1.5 max-md:text-end md:pe-3 md:text-end", last)}>
				<JobActionsButton job={job} tabStop={tabStop} onOpen={props.onOpen} />
			</td>
		</>
	);
});

/** What a click and a key on the row itself do. */
function rowActions({ job, selected, onFocus, onSelect, onOpen }: Props) {
	return {
		onMouseDown: (event: MouseEvent<HTMLElement>) => {
			// A range of rows is meant, not of letters.
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
			if (event.key !== "Enter" || event.target !== event.currentTarget) return;
			if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
			event.preventDefault();
			onOpen(job.id, event.currentTarget);
		},
		onFocus: () => onFocus(job.id),
	};
}
