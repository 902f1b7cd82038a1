"use client";

import { useEffect } from "react";

// Not the focus: pages give it away themselves, such as to a drawer that an address opens.
const SIGNS = ["pointermove", "pointerdown", "keydown"] as const;

/**
 * Calls `prepare` once the reader gives the first sign of being about to do something: what an action needs is
 * fetched between that and the action, and not with the page.
 * @param prepare stays the same
 */
export function useFirstSign(prepare: () => void): void {
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
