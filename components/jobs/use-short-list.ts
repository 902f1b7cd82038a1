"use client";

import { type RefObject, useEffect } from "react";

/** How much longer than its first page a list may grow at its top before it is made short again. */
const MAX_ROWS = 600;

/**
 * A list that stays open at its top, day and night, grows by every new job. There nobody sees its end, so that it can
 * begin anew with its first page; scrolling brings the rest back.
 * @param startAnew reads the first page alone
 */
export function useShortList(
	scroller: RefObject<HTMLElement | null>,
	rows: number,
	used: boolean,
	startAnew: () => void,
): void {
	useEffect(() => {
		if (rows > MAX_ROWS && !used && scroller.current?.scrollTop === 0) startAnew();
	}, [rows, used, scroller, startAnew]);
}
