"use client";

import { type RefObject, useCallback, useEffect, useState } from "react";

/** Scrolled less than this, one looks at the beginning. */
const TOP_PX = 40;

/**
 * Keeps cards where they are for whoever has scrolled down: what comes in among them waits, counted, until it is
 * wanted or the reader is back at the top. What comes in below them does not move them.
 */
export function useSteadyList<T extends { id: number }>(scroller: RefObject<HTMLElement | null>, items: readonly T[]) {
	const [known, setKnown] = useState<ReadonlySet<number> | null>(null);
	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		const look = () => {
			const atTop = box.scrollTop < TOP_PX;
			setKnown((now) => (atTop ? null : (now ?? new Set(items.map(({ id }) => id)))));
		};
		box.addEventListener("scroll", look, { passive: true });
		return () => box.removeEventListener("scroll", look);
	}, [scroller, items]);

	const lastKnown = known === null ? -1 : items.findLastIndex(({ id }) => known.has(id));
	const shown = known === null ? items : items.filter(({ id }, at) => at > lastKnown || known.has(id));
	return {
		shown,
		/** How many wait. */
		waiting: items.length - shown.length,
		showAll: useCallback(() => {
			setKnown(null);
			scroller.current?.scrollTo({ top: 0 });
		}, [scroller]),
	};
}
