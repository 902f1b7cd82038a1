"use client";

import { useCallback, useSyncExternalStore } from "react";

/** One list a query, for all who ask: they ask at every drawing. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
	const list = lists.get(query) ?? window.matchMedia(query);
	lists.set(query, list);
	return list;
}

/** Whether the media query holds; on the server, where nobody knows, it does. */
export function useMediaQuery(query: string): boolean {
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
