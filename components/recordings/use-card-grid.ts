"use client";

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useRowsInSight } from "#components/ui/use-virtual-rows.ts";

/** Until the first card is measured. */
const GUESS = { columns: 1, rowPx: 240 };

/**
 * Draws only the rows of a grid that are in sight. The style sheet says how many columns there are, and how tall
 * cards are is measured: all are alike.
 */
export function useCardGrid(scroller: RefObject<HTMLElement | null>, count: number) {
	const grid = useRef<HTMLUListElement>(null);
	const [{ columns, rowPx }, setLayout] = useState(GUESS);

	const measure = useCallback(() => {
		const list = grid.current;
		const card = list?.querySelector("li");
		if (!list || !card) return;
		const style = getComputedStyle(list);
		const next = {
			columns: style.gridTemplateColumns.split(" ").length,
			rowPx: card.getBoundingClientRect().height + Number.parseFloat(style.rowGap),
		};
		setLayout((now) => (now.columns === next.columns && Math.abs(now.rowPx - next.rowPx) < 0.1 ? now : next));
	}, []);
	const isEmpty = count === 0;
	useLayoutEffect(() => {
		if (isEmpty || grid.current === null) return;
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(grid.current);
		return () => observer.disconnect();
	}, [isEmpty, measure]);

	const rows = useRowsInSight(scroller, { count: Math.ceil(count / columns), rowPx, overscan: 3 });
	return {
		grid,
		columns,
		/** The cards in the document: from `first` up to, but without, `end`. */
		first: rows.first * columns,
		end: Math.min(count, rows.end * columns),
		/** What stands for the rows that are out of sight, in pixels. */
		before: rows.before,
		after: rows.after,
		scrollToCard: (index: number) => rows.scrollToRow(Math.floor(index / columns)),
	};
}
