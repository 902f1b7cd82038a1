"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RowsInSight } from "#components/ui/use-virtual-rows.ts";
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

interface Drawn {
	jobs: readonly Job[];
	list: unknown;
	/** By how many rows these stand lower than before; null: another list, which begins at its top. */
	moved: number | null;
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
	const { topRow, scrolledPx, heightPx, scrollTo } = rows;
	const [drawn, setDrawn] = useState<Drawn>({ jobs, list, moved: 0 });
	/** The newest job when the reader was last at the top. */
	const seen = useRef<number | null>(null);

	/** By how many rows what must keep its place has moved since. */
	const movedBy = (before: readonly Job[]): number => {
		const top = before[Math.floor(scrolledPx() / rowPx)];
		const anchor = heldRow() ?? (scrolledPx() > 0 ? top?.id : undefined);
		return anchor === undefined || before.length === 0 ? 0 : placeOf(jobs, anchor) - placeOf(before, anchor);
	};
	// While drawing, not afterwards: else rows would leave the document only to come back with the scrolling along.
	if (drawn.jobs !== jobs || drawn.list !== list) {
		const moved = drawn.jobs === jobs ? 0 : drawn.list === list ? movedBy(drawn.jobs) : null;
		setDrawn({ jobs, list, moved });
		if (moved !== 0) rows.moveBy(moved ?? -topRow);
	}
	const scrolledFor = useRef(drawn);
	useLayoutEffect(() => {
		const box = scroller.current;
		if (box === null || scrolledFor.current === drawn) return;
		scrolledFor.current = drawn;
		if (drawn.moved === 0) return;
		const px = drawn.moved === null ? 0 : scrolledPx() + drawn.moved * rowPx;
		// A short list has no room to scroll: it gets as much as it needs.
		giveRoom(box, px > scrolledPx() ? px + heightPx() : null);
		scrollTo(px);
	}, [drawn, rowPx, scroller, scrolledPx, heightPx, scrollTo]);

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
