"use client";

import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from "react";

/** Where the list was when it was left. */
let left: { list: string; top: number } | null = null;

/**
 * Restores the scroll position of a list when the user returns to it.
 * @param list names what it shows.
 * @param ready whether there is something to scroll.
 */
export function useScrollRestoration(scroller: RefObject<HTMLElement | null>, list: string, ready: boolean): void {
	useLayoutEffect(() => {
		const box = scroller.current;
		if (box === null || !ready) return;
		const top = left?.list === list ? left.top : 0;
		left = null;
		// The list has its height only after its first card was measured.
		const frame = top === 0 ? 0 : requestAnimationFrame(() => box.scrollTo({ top }));
		return () => {
			cancelAnimationFrame(frame);
			left = { list, top: box.scrollTop };
		};
	}, [scroller, list, ready]);
}

/** Scrolled less than this, the list counts as at its top. */
const TOP_PX = 40;

/**
 * Keeps cards in place while the list is scrolled down: new ones among them wait, counted, until the user shows them
 * or returns to the top. New ones below do not move anything and show at once.
 */
export function useHeldItems<T extends { id: number }>(scroller: RefObject<HTMLElement | null>, items: readonly T[]) {
	const [known, setKnown] = useState<ReadonlySet<number> | null>(null);
	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		const update = () => {
			const atTop = box.scrollTop < TOP_PX;
			setKnown((now) => (atTop ? null : (now ?? new Set(items.map(({ id }) => id)))));
		};
		box.addEventListener("scroll", update, { passive: true });
		return () => box.removeEventListener("scroll", update);
	}, [scroller, items]);

	const lastKnown = known === null ? -1 : items.findLastIndex(({ id }) => known.has(id));
	const shown = known === null ? items : items.filter(({ id }, at) => at > lastKnown || known.has(id));
	return {
		shown,
		/** How many are held back. */
		waiting: items.length - shown.length,
		showAll: useCallback(() => {
			setKnown(null);
			scroller.current?.scrollTo({ top: 0 });
		}, [scroller]),
	};
}
