"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** Scrolling counts as ended after this long without a scroll event. */
const AT_REST_MS = 150;

interface Options {
	count: number;
	/** The height of every row, with the gap between rows. */
	rowPx: number;
	/** The number of rows rendered before and after the visible ones while scrolling; half of them at rest. */
	overscan: number;
}

export interface VirtualRows {
	/** The rows to render: from `first` up to, but without, `end`. */
	first: number;
	end: number;
	/** The height of the rows that are not rendered, in pixels. */
	before: number;
	after: number;
	scrolling: boolean;
	/** Scrolls as little as needed to show a row. */
	scrollToRow(index: number): void;
	/** Call it after inserting this many rows before the others, so that the others keep their places. */
	shiftBy(rows: number): void;
}

/** Selects the rows of a list that have to be rendered. All rows have the same height. */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, options: Options): VirtualRows {
	const { count, rowPx } = options;
	const { topRow, shown, scrolling, measure } = useView(scroller, rowPx);
	const overscan = scrolling ? options.overscan : Math.ceil(options.overscan / 2);
	const first = Math.max(0, Math.min(topRow, count - shown) - overscan);
	const end = Math.min(count, topRow + shown + overscan);
	const scrollTo = useCallback(
		(px: number) => {
			if (scroller.current === null) return;
			scroller.current.scrollTop = px;
			// Now, not with the event that follows: the rows that become visible are rendered at once.
			measure();
		},
		[scroller, measure],
	);
	const scrollToRow = useCallback(
		(index: number) => {
			const box = scroller.current;
			if (box === null) return;
			const top = index * rowPx;
			if (top < box.scrollTop) scrollTo(top);
			else if (top + rowPx > box.scrollTop + box.clientHeight) scrollTo(top + rowPx - box.clientHeight);
		},
		[scroller, rowPx, scrollTo],
	);
	const shiftBy = useCallback(
		(rows: number) => {
			if (scroller.current !== null) scrollTo(scroller.current.scrollTop + rows * rowPx);
		},
		[scroller, rowPx, scrollTo],
	);
	const drawn = { first, end, before: first * rowPx, after: (count - end) * rowPx };
	return { ...drawn, scrolling, scrollToRow, shiftBy };
}

/** The first visible row and the number of rows that fit; renders only when one of them changes. */
function useView(scroller: RefObject<HTMLElement | null>, rowPx: number) {
	const [view, setView] = useState({ topRow: 0, shown: 0 });
	const [scrolling, setScrolling] = useState(false);
	const scrolled = useRef(0);
	const measure = useCallback(() => {
		const box = scroller.current;
		if (box === null) return;
		scrolled.current = box.scrollTop;
		const topRow = Math.floor(scrolled.current / rowPx);
		const shown = Math.ceil(box.clientHeight / rowPx) + 1;
		setView((now) => (now.topRow === topRow && now.shown === shown ? now : { topRow, shown }));
	}, [scroller, rowPx]);

	useLayoutEffect(measure, [measure]);
	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		const observer = new ResizeObserver(measure);
		observer.observe(box);
		let rest: ReturnType<typeof setTimeout> | undefined;
		const onScroll = () => {
			// Our own scrolling was measured when it was done.
			if (box.scrollTop === scrolled.current) return;
			clearTimeout(rest);
			rest = setTimeout(() => setScrolling(false), AT_REST_MS);
			// Before the browser paints: later, blank space would show.
			flushSync(() => {
				setScrolling(true);
				measure();
			});
		};
		box.addEventListener("scroll", onScroll, { passive: true });
		return () => {
			clearTimeout(rest);
			observer.disconnect();
			box.removeEventListener("scroll", onScroll);
		};
	}, [scroller, measure]);

	return { ...view, scrolling, measure };
}
