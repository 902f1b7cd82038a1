"use client";

import { type RefObject, useLayoutEffect } from "react";

/** The scroll position at which the list was left. */
let left: { list: string; top: number } | null = null;

/**
 * Restores the scroll position of a list when the user returns to it.
 * @param list identifies the content of the list.
 * @param ready whether there are items to scroll to.
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
