"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

/** After so long without a movement nobody scrolls any more. */
const AT_REST_MS = 150;

interface Options {
	count: number;
	/** How tall every row is, with what is between rows. */
	rowPx: number;
	/** How many rows before and after those in sight are drawn as well while one scrolls; at rest half of them. */
	overscan: number;
}

export interface RowsInSight {
	/** The rows to draw: from `first` up to, but without, `end`. */
	first: number;
	end: number;
	/** What stands for the rows that are not drawn, in pixels. */
	before: number;
	after: number;
	/** The first row in sight. */
	topRow: number;
	scrolling: boolean;
	/** How far the box is scrolled, in pixels, without asking the browser, which would have to lay out the page first. */
	scrolledPx(): number;
	/** How tall the box is, in pixels, without asking the browser. */
	heightPx(): number;
	/**
	 * To be called while drawing, when so many rows came in above those in sight (below 0: went): the same rows stay
	 * drawn, as if the box were scrolled along already. Whoever calls it scrolls along before the browser draws.
	 */
	moveBy(rows: number): void;
	scrollTo(px: number): void;
	/** Scrolls as little as needed to bring a row into sight. */
	scrollToRow(index: number): void;
}

/** Which rows of a list are in sight, when all of them are as tall. */
export function useRowsInSight(scroller: RefObject<HTMLElement | null>, options: Options): RowsInSight {
	const { count, rowPx } = options;
	const { topRow, shown, look, ...view } = useView(scroller, rowPx);
	const overscan = view.scrolling ? options.overscan : Math.ceil(options.overscan / 2);
	const first = Math.max(0, Math.min(topRow, count - shown) - overscan);
	const end = Math.min(count, topRow + shown + overscan);
	const scrollTo = useCallback(
		(px: number) => {
			if (scroller.current === null) return;
			scroller.current.scrollTop = px;
			// Now, not with the event that follows: the rows that come into sight are drawn in the same go.
			look();
		},
		[scroller, look],
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
	const drawn = { first, end, before: first * rowPx, after: (count - end) * rowPx };
	return { ...drawn, ...view, topRow, scrollTo, scrollToRow };
}

/** The first row in sight and how many there is room for; drawn anew only when one of them changes. */
function useView(scroller: RefObject<HTMLElement | null>, rowPx: number) {
	const [view, setView] = useState({ topRow: 0, shown: 0 });
	const [scrolling, setScrolling] = useState(false);
	const scrolled = useRef(0);
	const height = useRef(0);
	const look = useCallback(() => {
		const box = scroller.current;
		if (box === null) return;
		scrolled.current = box.scrollTop;
		height.current = box.clientHeight;
		const topRow = Math.floor(scrolled.current / rowPx);
		const shown = Math.ceil(height.current / rowPx) + 1;
		setView((now) => (now.topRow === topRow && now.shown === shown ? now : { topRow, shown }));
	}, [scroller, rowPx]);

	useLayoutEffect(look, [look]);
	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		const observer = new ResizeObserver(look);
		observer.observe(box);
		let rest: ReturnType<typeof setTimeout> | undefined;
		const onScroll = () => {
			// Where we scrolled to ourselves was looked at then; nobody scrolls.
			if (box.scrollTop === scrolled.current) return;
			clearTimeout(rest);
			rest = setTimeout(() => setScrolling(false), AT_REST_MS);
			// Before the picture that the browser is about to draw: later, one would see where nothing is yet.
			flushSync(() => {
				setScrolling(true);
				look();
			});
		};
		box.addEventListener("scroll", onScroll, { passive: true });
		return () => {
			clearTimeout(rest);
			observer.disconnect();
			box.removeEventListener("scroll", onScroll);
		};
	}, [scroller, look]);

	const scrolledPx = useCallback(() => scrolled.current, []);
	const heightPx = useCallback(() => height.current, []);
	const moveBy = (rows: number) => setView((now) => ({ ...now, topRow: Math.max(0, now.topRow + rows) }));
	return { ...view, scrolling, scrolledPx, heightPx, moveBy, look };
}
