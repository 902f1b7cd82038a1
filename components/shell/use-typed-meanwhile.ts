"use client";

import { useCallback, useEffect, useRef } from "react";

/**
 * Keeps what is typed between the wish for a field and its being there, so that no letter is lost and none of them
 * is taken for a key of the page.
 * @returns what was typed
 */
export function useTypedMeanwhile(waiting: boolean, onEscape: () => void): () => string {
	const typed = useRef("");
	const latest = useRef(onEscape);
	latest.current = onEscape;
	useEffect(() => {
		if (!waiting) return;
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			if (event.key === "Escape") latest.current();
			else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
			else if (event.key.length === 1) typed.current += event.key;
			else return;
			event.preventDefault();
			event.stopPropagation();
		};
		window.addEventListener("keydown", onKey, { capture: true });
		return () => {
			window.removeEventListener("keydown", onKey, { capture: true });
			// The field has it by now.
			typed.current = "";
		};
	}, [waiting]);
	return useCallback(() => typed.current, []);
}
