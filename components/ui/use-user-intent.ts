"use client";

import { useEffect } from "react";

// Focus does not count: pages move it themselves, such as into a drawer that the address opens.
const SIGNS = ["pointermove", "pointerdown", "keydown"] as const;

/**
 * Calls `prepare` at the first sign that the user is about to act. The code for the action is then loaded between this
 * sign and the action, instead of with the page.
 * @param prepare a stable function
 */
export function useUserIntent(prepare: () => void): void {
	useEffect(() => {
		const ended = new AbortController();
		const onSign = () => {
			ended.abort();
			prepare();
		};
		for (const sign of SIGNS) addEventListener(sign, onSign, { signal: ended.signal, passive: true });
		return () => ended.abort();
	}, [prepare]);
}
