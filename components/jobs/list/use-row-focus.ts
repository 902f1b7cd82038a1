"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import type { VirtualRows } from "#components/ui/use-virtual-rows.ts";
import { indexOfId } from "../by-id.ts";

/** The selection that the keys change; null for those who may not select. */
interface Selecting {
	toggle(id: number): void;
	/** Up to `to`, from what was ticked last, else from `from`. */
	extend(to: number, from?: number): void;
}

/**
 * J, K and the arrows move the focus from row to row, with Shift they select on the way; X selects the row that has
 * it. One row at a time is in the order of Tab: the last one that had the focus, or the first in the document when
 * that one is not rendered.
 */
export function useRowFocus(
	scroller: RefObject<HTMLDivElement | null>,
	jobs: readonly Job[],
	rows: VirtualRows,
	select: Selecting | null,
) {
	const [active, setActive] = useState<number | null>(null);
	const focusLater = useFocusLater(scroller);
	const focusRow = (index: number): number | undefined => {
		const id = jobs[index]?.id;
		if (id === undefined) return undefined;
		setActive(id);
		rows.scrollToRow(index);
		focusLater(id);
		return id;
	};
	const move = (step: 1 | -1) => {
		const now = active === null ? -1 : indexOfId(jobs, active);
		return focusRow(now === -1 ? 0 : Math.min(Math.max(0, now + step), jobs.length - 1));
	};
	useRowKeys(scroller, move, select);

	const inSight = jobs.slice(rows.first, rows.end);
	return {
		/** The id of the job whose row Tab reaches. */
		tabStop: inSight.some(({ id }) => id === active) ? active : (inSight[0]?.id ?? null),
		onRowFocus: useCallback((id: number) => setActive(id), []),
		/** Focuses the row at that index, rendered or not. */
		focusRow,
	};
}

/** @returns how to focus the row of a job: now, or as soon as it is in the document. */
function useFocusLater(scroller: RefObject<HTMLElement | null>): (id: number) => void {
	const wanted = useRef<number | null>(null);
	const focusWanted = () => {
		const row = scroller.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"]`);
		if (wanted.current === null || !row) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
		row.scrollIntoView({ block: "nearest" });
	};
	useEffect(focusWanted);
	return (id) => {
		wanted.current = id;
		focusWanted();
	};
}

/** @param move moves the focus a row on or back, and returns the id of the job that has it then */
function useRowKeys(
	scroller: RefObject<HTMLElement | null>,
	move: (step: 1 | -1) => number | undefined,
	select: Selecting | null,
): void {
	const [down, up] = [() => void move(1), () => void move(-1)];
	useShortcuts({ nextJob: down, previousJob: up });

	const moveSelecting = (step: 1 | -1) => {
		const from = focusedRow(scroller.current);
		const to = move(step);
		if (to !== undefined) select?.extend(to, from ?? undefined);
	};
	const onFocused = (act: (id: number) => void) => () => {
		const id = focusedRow(scroller.current);
		if (id !== null) act(id);
	};
	useShortcuts(
		select === null
			? {}
			: {
					selectJob: onFocused(select.toggle),
					selectToJob: onFocused((id) => select.extend(id)),
					selectNextJob: () => moveSelecting(1),
					selectPreviousJob: () => moveSelecting(-1),
				},
	);
}

/** The id of the row that has the focus, or in which something has it. */
export function focusedRow(scroller: HTMLElement | null): number | null {
	const row = document.activeElement?.closest<HTMLElement>("tr[data-row]");
	return row && scroller?.contains(row) ? Number(row.dataset.row) : null;
}
