"use client";

import { useCallback, useSyncExternalStore } from "react";

/** Whether the media query holds; on the server, where nobody knows, it does. */
export function useMediaQuery(query: string): boolean {
	const subscribe = useCallback(
		(listener: () => void) => {
			const list = window.matchMedia(query);
			list.addEventListener("change", listener);
			return () => list.removeEventListener("change", listener);
		},
		[query],
	);
	return useSyncExternalStore(
		subscribe,
		() => window.matchMedia(query).matches,
		() => true,
	);
}
