"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

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

	const rows = useVirtualizer({
		count: Math.ceil(count / columns),
		getScrollElement: () => scroller.current,
		estimateSize: () => rowPx,
		overscan: 3,
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are others when the layout changes
	useEffect(() => rows.measure(), [rowPx, columns]);

	const shown = rows.getVirtualItems();
	const first = (shown[0]?.index ?? 0) * columns;
	const end = Math.min(count, ((shown.at(-1)?.index ?? -1) + 1) * columns);
	return {
		grid,
		columns,
		/** The cards in the document: from `first` up to, but without, `end`. */
		first,
		end,
		/** What stands for the rows that are out of sight, in pixels. */
		before: shown[0]?.start ?? 0,
		after: Math.max(0, rows.getTotalSize() - (shown.at(-1)?.end ?? 0)),
		scrollToCard: (index: number) => rows.scrollToIndex(Math.floor(index / columns), { align: "auto" }),
	};
}
