"use client";

import { type RefObject, useEffect, useRef } from "react";
import { focusedRow } from "./use-row-focus.ts";

/** A pointer that has not moved over the rows for this long is not about to press one. */
const IDLE_MS = 3_000;

interface Hold {
	/** The row under the pointer or with the focus, which must stay in place; null while the list is not in use. */
	row(): number | null;
}

/**
 * Holds a list while the user is about to press one of its rows: the pointer moves over them, keys move among them, a
 * menu of a row is open, or `busy` returns true.
 * @param hold called when the use begins, and what it returns when it ends; the same function for the same list
 */
export function useInteractionHold(
	scroller: RefObject<HTMLElement | null>,
	hold: () => () => void,
	busy: () => boolean,
): RefObject<Hold> {
	const current = useRef<Hold>({ row: () => null });
	const isBusy = useRef(busy);
	isBusy.current = busy;

	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		let release: (() => void) | null = null;
		let timer: ReturnType<typeof setTimeout> | undefined;
		let underPointer: Element | null = null;
		let lastAt = "";

		const endUse = () => {
			clearTimeout(timer);
			if (isBusy.current() || box.querySelector('[aria-expanded="true"]') !== null) {
				timer = setTimeout(endUse, IDLE_MS);
				return;
			}
			release?.();
			release = null;
			underPointer = null;
		};
		const use = (target: EventTarget | null) => {
			underPointer = target instanceof Element ? target.closest("tr[data-row]") : null;
			release ??= hold();
			clearTimeout(timer);
			timer = setTimeout(endUse, IDLE_MS);
		};
		const onPointer = (event: PointerEvent) => {
			// When the page changes under a pointer at rest, browsers send a move to where it is.
			const at = `${event.clientX} ${event.clientY}`;
			if (event.type === "pointermove" && at === lastAt) return;
			lastAt = at;
			use(event.target);
		};
		const onKey = () => use(null);

		current.current = {
			row() {
				if (release === null) return null;
				return underPointer?.isConnected ? Number(underPointer.getAttribute("data-row")) : focusedRow(box);
			},
		};
		const signal = new AbortController();
		const options = { signal: signal.signal, passive: true };
		box.addEventListener("pointermove", onPointer, options);
		box.addEventListener("pointerdown", onPointer, options);
		box.addEventListener("pointerleave", endUse, options);
		box.addEventListener("keydown", onKey, options);
		return () => {
			signal.abort();
			clearTimeout(timer);
			release?.();
			current.current = { row: () => null };
		};
	}, [scroller, hold]);
	return current;
}
