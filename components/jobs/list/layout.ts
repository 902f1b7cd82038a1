"use client";

import { useCallback, useSyncExternalStore } from "react";

/**
 * Below 768 px each row is a card of three lines. Wider, it is a table whose rows all have the same height. On narrow
 * screens (`narrow`) the display is shown below its runner and the stop condition below the name; on very narrow ones
 * (`tight`) also the duration below the start. `wide` screens have one more column, with the job's creator.
 * The reason why a job waits or failed is shown next to its status at every width.
 */
export type Layout = "cards" | "tight" | "narrow" | "full" | "wide";

/** Layout of the rows. The head, which the server renders too, follows the same widths by its classes. */
export function useLayout(): Layout {
	const [table, narrow] = [useMediaQuery("(min-width: 768px)"), useMediaQuery("(min-width: 920px)")];
	const [full, wide] = [useMediaQuery("(min-width: 1180px)"), useMediaQuery("(min-width: 1600px)")];
	if (!table) return "cards";
	if (!narrow) return "tight";
	if (!full) return "narrow";
	return wide ? "wide" : "full";
}

/** Whether some cells hold two things. */
export const isShort = (layout: Layout): boolean => layout === "tight" || layout === "narrow";

/** Marks what is apart from its row: a click on it does not open the row. */
export const APART = "data-apart";

export const ROW_PX = 44;
export const CARD_PX = 92;

/** One `MediaQueryList` per query, shared by all callers: it is read at every render. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
	const list = lists.get(query) ?? window.matchMedia(query);
	lists.set(query, list);
	return list;
}

/** Whether the media query matches; on the server it always does. */
function useMediaQuery(query: string): boolean {
	const subscribe = useCallback(
		(listener: () => void) => {
			const list = listOf(query);
			list.addEventListener("change", listener);
			return () => list.removeEventListener("change", listener);
		},
		[query],
	);
	return useSyncExternalStore(
		subscribe,
		() => listOf(query).matches,
		() => true,
	);
}
