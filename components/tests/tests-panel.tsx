"use client";

import { useQueries } from "@tanstack/react-query";
import { aboutTime } from "@tapedeck/contract/about-time.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { usePlayer, usePlayerState } from "#components/recordings/player/use-player.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { useVirtualRows } from "#components/ui/use-virtual-rows.ts";
import { showSecondsOf } from "./moments.ts";
import { isFailure, ResultIcon, resultWord } from "./result-icon.tsx";
import { type Row, rowAt, rowsOf } from "./test-rows.ts";
import { testResultQuery } from "./tests.ts";

const ROW_PX = 34;
const OVERSCAN = 12;
/** So many rows below the one of the moment are visible. */
const AHEAD = 4;

interface Props {
	/** In the order of the video. */
	results: readonly TestResult[];
	/** The one that the page shows in full. */
	selectedId: number | undefined;
	onSelect(result: TestResult): void;
}

/** Tests of a video with their steps: a list that follows playback, and leads to each moment. */
export function TestsPanel({ results, selectedId, onSelect }: Props) {
	const [filter, setFilter] = useState<Filter>("all");
	const shown = useMemo(() => results.filter(FILTERS[filter].has), [results, filter]);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<OutcomeFilters results={results} filter={filter} onFilter={setFilter} />
			{shown.length === 0 ? (
				<p className="p-4 text-sm text-muted">No tests with this outcome.</p>
			) : (
				<TestTree results={shown} selectedId={selectedId} onSelect={onSelect} />
			)}
		</div>
	);
}

/** Each result has one outcome: failed attempts of flaky tests are failures. */
const FILTERS = {
	all: { name: "All", has: () => true },
	failed: { name: "Failed", has: isFailure },
	flaky: { name: "Flaky", has: ({ flaky, outcome }: TestResult) => flaky && outcome === "passed" },
	passed: { name: "Passed", has: ({ flaky, outcome }: TestResult) => !flaky && outcome === "passed" },
	skipped: { name: "Skipped", has: ({ outcome }: TestResult) => outcome === "skipped" },
	running: { name: "No result", has: ({ outcome }: TestResult) => outcome === null },
} as const;
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as Filter[];

interface FiltersProps {
	results: readonly TestResult[];
	filter: Filter;
	onFilter(filter: Filter): void;
}

/** The outcomes that the tests have, with their numbers. */
function OutcomeFilters({ results, filter, onFilter }: FiltersProps) {
	const counts = useMemo(
		() => new Map(FILTER_NAMES.map((one) => [one, results.filter(FILTERS[one].has).length])),
		[results],
	);
	const used = FILTER_NAMES.filter((one) => one === "all" || one === filter || (counts.get(one) ?? 0) > 0);
	return (
		<fieldset className="flex min-w-0 shrink-0 gap-1.5 overflow-x-auto border-b border-line p-2 [scrollbar-width:none]">
			<legend className="sr-only">Tests by outcome</legend>
			{used.map((one) => (
				<FilterChip key={one} pressed={one === filter} onClick={() => onFilter(one)}>
					{FILTERS[one].name}
					<span className="tabular-nums">{counts.get(one)}</span>
				</FilterChip>
			))}
		</fieldset>
	);
}

/**
 * The tests and their steps. The test at the position of the video and the selected one are open, until the user says
 * otherwise. While the user points at the list or has the focus in it, it stays as it is.
 */
function TestTree({ results, selectedId, onSelect }: Props) {
	const { seek } = usePlayer();
	const id = useId();
	const box = useRef<HTMLDivElement>(null);
	const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
	const [openId, setOpenId] = useState<number | undefined>(undefined);
	const isOpen = ({ id }: TestResult) => chosen.get(id) ?? (id === openId || id === selectedId);
	const rows = rowsOf(useWhole(results, isOpen), isOpen);
	const current = usePlayerState(({ seconds }) => rowAt(rows, seconds));
	const { first, end, before, after, scrollToRow } = useVirtualRows(box, {
		count: rows.length,
		rowPx: ROW_PX,
		overscan: OVERSCAN,
	});
	const isHeld = useHeld(box);

	const currentRow = rows[current];
	const currentKey = currentRow?.key;
	const currentId = currentRow?.result.id;
	useEffect(() => {
		if (currentKey === undefined || isHeld()) return;
		setOpenId(currentId);
		// Keeps the next rows visible as well.
		scrollToRow(current + AHEAD);
		scrollToRow(current);
	}, [currentKey, currentId, current, isHeld, scrollToRow]);

	const [activeKey, setActiveKey] = useState<string | null>(null);
	const active = Math.max(
		0,
		rows.findIndex(({ key }) => key === (activeKey ?? currentKey)),
	);
	const activate = (index: number) => {
		const row = rows[Math.min(Math.max(0, index), rows.length - 1)];
		if (row === undefined) return;
		setActiveKey(row.key);
		scrollToRow(rows.indexOf(row));
	};
	const toggle = ({ result, isOpen }: Row) => setChosen(new Map(chosen).set(result.id, isOpen === false));
	const choose = (row: Row) => {
		setActiveKey(row.key);
		onSelect(row.result);
		const seconds = row.step === null ? showSecondsOf(row.result) : row.start;
		if (seconds !== null) seek(seconds);
	};
	const onKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const row = rows[active];
		const parent = row === undefined ? -1 : rows.findLastIndex((one, at) => at < active && one.depth < row.depth);
		const moves: Record<string, (() => void) | undefined> = {
			ArrowDown: () => activate(active + 1),
			ArrowUp: () => activate(active - 1),
			Home: () => activate(0),
			End: () => activate(rows.length - 1),
			Enter: row && (() => choose(row)),
			ArrowRight: row?.isOpen === false ? () => toggle(row) : row?.isOpen ? () => activate(active + 1) : undefined,
			ArrowLeft: row?.isOpen ? () => toggle(row) : parent === -1 ? undefined : () => activate(parent),
		};
		const move = moves[event.key];
		if (move === undefined) return;
		// The player has some of these keys, too.
		event.preventDefault();
		move();
	};

	const isActiveShown = active >= first && active < end;
	return (
		<div
			ref={box}
			role="tree"
			aria-label="Tests"
			// One stop of Tab: inside, the arrows move.
			tabIndex={0}
			aria-activedescendant={isActiveShown ? `${id}${rows[active]?.key}` : undefined}
			onKeyDown={onKey}
			onBlur={() => setActiveKey(null)}
			className="group/tree min-h-0 flex-1 overflow-y-auto -outline-offset-2"
		>
			<div style={{ height: before }} />
			{rows.slice(first, end).map((row, index) => (
				<TreeRow
					key={row.key}
					id={`${id}${row.key}`}
					row={row}
					isCurrent={first + index === current}
					isActive={first + index === active}
					isSelected={row.step === null && row.result.id === selectedId}
					onToggle={() => toggle(row)}
					onChoose={() => choose(row)}
				/>
			))}
			<div style={{ height: after }} />
		</div>
	);
}

/** Loads the complete results of open rows whose steps were cut off. */
function useWhole(results: readonly TestResult[], isOpen: (result: TestResult) => boolean): readonly TestResult[] {
	const cut = results.filter((result) => result.stepsLeftOut > 0 && isOpen(result));
	const whole = useQueries({ queries: cut.map(({ id }) => testResultQuery(id)) });
	const byId = new Map(whole.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));
	return byId.size === 0 ? results : results.map((result) => byId.get(result.id) ?? result);
}

/** Whether the user points at an element, or has the focus in it. */
function useHeld(box: { readonly current: HTMLElement | null }): () => boolean {
	const [isHeld] = useState(() => () => {
		const element = box.current;
		// A touch leaves :hover behind.
		const isPointedAt = element?.matches(":hover") === true && matchMedia("(hover: hover)").matches;
		return isPointedAt || element?.contains(document.activeElement) === true;
	});
	return isHeld;
}

interface RowProps {
	id: string;
	row: Row;
	/** The video is there. */
	isCurrent: boolean;
	/** The keyboard is there. */
	isActive: boolean;
	isSelected: boolean;
	onToggle(): void;
	onChoose(): void;
}

/** By keyboard, the tree itself acts on its rows. */
function TreeRow({ id, row, isCurrent, isActive, isSelected, onToggle, onChoose }: RowProps) {
	const { result, step, depth, isOpen, start } = row;
	const title = step?.title ?? titleOf(result);
	const word = resultWord(step === null ? result : { outcome: step.outcome, flaky: false });
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys
		<div
			id={id}
			role="treeitem"
			aria-level={depth + 1}
			aria-expanded={isOpen}
			aria-selected={isSelected}
			aria-current={isCurrent ? "true" : undefined}
			tabIndex={-1}
			onClick={onChoose}
			style={{ height: ROW_PX, paddingInlineStart: 8 + Math.min(depth, 6) * 14 }}
			className={clsx(
				"flex cursor-pointer items-center gap-1.5 border-s-2 pe-3 text-sm hover:bg-hover",
				isCurrent
					? "border-s-accent bg-accent-soft"
					: isSelected
						? "border-s-line-strong bg-inset"
						: "border-s-transparent",
				isActive &&
					"group-focus-visible/tree:outline-2 group-focus-visible/tree:outline-accent group-focus-visible/tree:-outline-offset-2",
			)}
		>
			{isOpen === undefined ? (
				depth === 0 ? (
					<span className="size-6 shrink-0" />
				) : null
			) : (
				<span
					aria-hidden
					onClick={(event) => {
						event.stopPropagation();
						onToggle();
					}}
					className="grid size-6 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
				>
					<ChevronRight className={clsx("size-4", isOpen ? "rotate-90" : "rtl:rotate-180")} />
				</span>
			)}
			{step !== null && !isFailure(step) ? (
				<span aria-hidden className="mx-1.5 size-1 shrink-0 rounded-full bg-line-strong" />
			) : (
				<ResultIcon result={step ?? result} className="size-4" />
			)}
			{step !== null && !isFailure(step) ? null : <span className="sr-only">{`${word}: `}</span>}
			<span
				title={title}
				className={clsx(
					"min-w-0 flex-1 truncate",
					step === null ? "" : "text-xs",
					isFailure(step ?? result) && "font-medium",
				)}
			>
				{title}
			</span>
			{result.attempt > 1 && step === null ? (
				<span className="shrink-0 rounded bg-inset px-1 text-xs text-muted">{`attempt ${result.attempt}`}</span>
			) : null}
			<span className="shrink-0 text-xs text-muted tabular-nums">
				{start === null ? "–" : aboutTime(result, formatInstant(start))}
			</span>
		</div>
	);
}

/** A list of one suite's tests reads better without the suite at the beginning of each. */
const titleOf = ({ test, suite }: TestResult): string =>
	suite !== null && test.startsWith(`${suite} › `) ? test.slice(suite.length + 3) : test;
