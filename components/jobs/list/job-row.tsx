"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, memo, useRef } from "react";
import { shortcutOf } from "#components/navigation/use-shortcuts.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import type { RunnerSummary } from "../job-note.ts";
import { JobCells } from "./job-columns.tsx";
import { ROW_LINE, SelectBox } from "./jobs-head.tsx";
import { APART, type Layout } from "./layout.ts";

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
	const { job, selected, tabStop, layout } = props;
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
			<JobCells
				job={job}
				runner={props.runner}
				layout={layout}
				tabStop={tabStop}
				first={first}
				last={last}
				selectable={selectable}
			/>
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
