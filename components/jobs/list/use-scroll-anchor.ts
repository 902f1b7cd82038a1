"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualRows } from "#components/ui/use-virtual-rows.ts";
import { placeOf } from "#lib/client/by-id.ts";
import type { Job } from "#lib/contract/job.ts";

type Jobs = readonly Pick<Job, "id">[];

interface Scrolled {
	/** The row under the pointer or with the focus; null when there is none. */
	heldRow: number | null;
	/** How far the list is scrolled, in pixels. */
	scrolledPx: number;
	rowPx: number;
}

/**
 * How many rows the list has to scroll (below 0: up) so that its anchor stays in place: the row that is held, else the
 * first row on the screen. At the top nothing is anchored, so that new jobs come into view.
 */
export function anchorShift(before: Jobs, after: Jobs, { heldRow, scrolledPx, rowPx }: Scrolled): number {
	const anchor = heldRow ?? (scrolledPx > 0 ? before[Math.floor(scrolledPx / rowPx)]?.id : undefined);
	return anchor === undefined || before.length === 0 ? 0 : placeOf(after, anchor) - placeOf(before, anchor);
}

/**
 * How many new jobs are above the first row on the screen.
 * @param newestSeen the newest job when the list was last at its top; null before that
 */
export const countNewAbove = (jobs: Jobs, newestSeen: number | null, topRow: number): number =>
	newestSeen === null ? 0 : Math.min(placeOf(jobs, newestSeen), topRow);

interface Props {
	/** The box that scrolls; its one child holds all rows. */
	scroller: RefObject<HTMLDivElement | null>;
	jobs: readonly Job[];
	rows: VirtualRows;
	rowPx: number;
	/** The row that must stay in place: the one under the pointer or with the focus. */
	heldRow(): number | null;
	/** Identifies the list: another one begins at its top. */
	list: unknown;
}

interface Rendered {
	jobs: readonly Job[];
	list: unknown;
	/** How many rows the list has to scroll; null: another list, which begins at its top. */
	shift: number | null;
}

/**
 * Scroll anchoring for rows that the browser does not lay out itself: when jobs come in above, the list scrolls by as
 * much, and a chip says how many there are. The rows themselves are never held back, so they always show the present.
 * @returns how many new jobs are above the screen, and how to scroll to them
 */
export function useScrollAnchor({ scroller, jobs, rows, rowPx, heldRow, list }: Props) {
	const { topRow, scrolledPx, heightPx, scrollTo } = rows;
	const [rendered, setRendered] = useState<Rendered>({ jobs, list, shift: 0 });
	const newestSeen = useRef<number | null>(null);

	// While rendering, not in an effect: rows would leave the document and come back once the list has scrolled.
	if (rendered.jobs !== jobs || rendered.list !== list) {
		const scrolled = { heldRow: heldRow(), scrolledPx: scrolledPx(), rowPx };
		const shift =
			rendered.jobs === jobs ? 0 : rendered.list === list ? anchorShift(rendered.jobs, jobs, scrolled) : null;
		setRendered({ jobs, list, shift });
		if (shift !== 0) rows.moveBy(shift ?? -topRow);
	}
	const scrolledFor = useRef(rendered);
	useLayoutEffect(() => {
		const box = scroller.current;
		if (box === null || scrolledFor.current === rendered) return;
		scrolledFor.current = rendered;
		if (rendered.shift === 0) return;
		const px = rendered.shift === null ? 0 : scrolledPx() + rendered.shift * rowPx;
		// A list shorter than its box cannot scroll unless it is made taller.
		setMinHeight(box, px > scrolledPx() ? px + heightPx() : null);
		scrollTo(px);
	}, [rendered, rowPx, scroller, scrolledPx, heightPx, scrollTo]);

	useEffect(() => {
		if (scroller.current === null || scrolledPx() > 0) return;
		newestSeen.current = jobs[0]?.id ?? null;
		setMinHeight(scroller.current, null);
	});

	return {
		newAbove: countNewAbove(jobs, newestSeen.current, topRow),
		toTop: () => {
			if (scroller.current !== null) setMinHeight(scroller.current, null);
			scrollTo(0);
		},
	};
}

function setMinHeight(box: HTMLElement, px: number | null): void {
	const content = box.firstElementChild;
	const minHeight = px === null ? "" : `${px}px`;
	if (content instanceof HTMLElement && content.style.minHeight !== minHeight) content.style.minHeight = minHeight;
}
