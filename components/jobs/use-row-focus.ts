"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useKeys } from "#components/ui/use-keys.ts";
import type { Job } from "#lib/contract/job.ts";

/**
 * J, K and the arrows move the focus from row to row. One row at a time is in the order of Tab: the last one that
 * had the focus, or the first in the document when that one is out of sight.
 */
export function useRowFocus(
	scroller: RefObject<HTMLDivElement | null>,
	jobs: readonly Job[],
	rows: Virtualizer<HTMLDivElement, Element>,
) {
	const [active, setActive] = useState<number | null>(null);
	/** The row that gets the focus as soon as it is in the document. */
	const wanted = useRef<number | null>(null);

	const focusWanted = () => {
		const row = scroller.current?.querySelector<HTMLElement>(`tr[data-row="${wanted.current}"]`);
		if (wanted.current === null || !row) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
		row.scrollIntoView({ block: "nearest" });
	};
	useEffect(focusWanted);

	const move = (step: 1 | -1) => {
		const now = jobs.findIndex((job) => job.id === active);
		const next = now === -1 ? 0 : Math.min(Math.max(0, now + step), jobs.length - 1);
		const job = jobs[next];
		if (job === undefined) return;
		wanted.current = job.id;
		setActive(job.id);
		rows.scrollToIndex(next, { align: "auto" });
		focusWanted();
	};
	const down = () => move(1);
	const up = () => move(-1);
	useKeys({ j: down, arrowdown: down, k: up, arrowup: up });

	const shown = rows.getVirtualItems();
	const inSight = shown.some(({ index }) => jobs[index]?.id === active);
	return {
		/** The id of the job whose row Tab reaches. */
		tabStop: inSight ? active : (jobs[shown[0]?.index ?? 0]?.id ?? null),
		onRowFocus: useCallback((id: number) => setActive(id), []),
	};
}
