"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { RowsInSight } from "#components/ui/use-rows-in-sight.ts";
import { placeOf } from "#lib/client/by-id.ts";
import type { Job } from "#lib/contract/job.ts";

interface Props {
	/** The box that scrolls; its one child is all that it shows. */
	scroller: RefObject<HTMLDivElement | null>;
	jobs: readonly Job[];
	rows: RowsInSight;
	rowPx: number;
	/** The row that must stay where it is, whatever comes and goes. */
	heldRow(): number | null;
	/** Another list begins at its top. */
	list: unknown;
}

/**
 * Keeps what is read in its place while rows come and go above it.
 *
 * At the top new jobs simply come in: that is what one looks there for. Two readers they must not push about. One has
 * scrolled down; the other has a hand on a row and is about to press it. For both the list scrolls along by what came
 * in above, so that every row keeps its place on the screen, and a chip tells how many jobs wait at the top. Nothing
 * is withheld, as a paused list would: rows that are in sight always say what is true now.
 * @returns how many new jobs are above what is in sight, and how to get to them
 */
export function useSteadyScroll({ scroller, jobs, rows, rowPx, heldRow, list }: Props) {
	const { topRow, scrolledPx, scrollTo } = rows;
	const before = useRef<{ jobs: readonly Job[]; list: unknown }>({ jobs: [], list });
	/** The newest job when the reader was last at the top. */
	const seen = useRef<number | null>(null);
	const held = useRef(heldRow);
	held.current = heldRow;

	useLayoutEffect(() => {
		const box = scroller.current;
		const last = before.current;
		before.current = { jobs, list };
		if (box === null || last.jobs === jobs) return;
		const goTo = (px: number) => {
			// A short list has no room to scroll: it gets as much as it needs.
			giveRoom(box, px > scrolledPx() ? px + box.clientHeight : null);
			scrollTo(px);
		};
		if (last.list !== list) return goTo(0);
		const first = last.jobs[Math.floor(scrolledPx() / rowPx)];
		const anchor = held.current() ?? (scrolledPx() > 0 ? (first?.id ?? null) : null);
		if (anchor === null || last.jobs.length === 0) return;
		const moved = placeOf(jobs, anchor) - placeOf(last.jobs, anchor);
		if (moved !== 0) goTo(scrolledPx() + moved * rowPx);
	}, [jobs, list, rowPx, scroller, scrolledPx, scrollTo]);

	useEffect(() => {
		if (scroller.current === null || scrolledPx() > 0) return;
		seen.current = jobs[0]?.id ?? null;
		giveRoom(scroller.current, null);
	});

	const newer = seen.current === null || topRow === 0 ? 0 : placeOf(jobs, seen.current);
	return {
		newAbove: Math.min(newer, topRow),
		toTop: () => {
			if (scroller.current !== null) giveRoom(scroller.current, null);
			scrollTo(0);
		},
	};
}

function giveRoom(box: HTMLElement, heightPx: number | null): void {
	const content = box.firstElementChild;
	const minHeight = heightPx === null ? "" : `${heightPx}px`;
	if (content instanceof HTMLElement && content.style.minHeight !== minHeight) content.style.minHeight = minHeight;
}
