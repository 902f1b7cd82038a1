"use client";

import { type RefObject, useEffect, useRef } from "react";
import { focusedRow } from "./list/use-row-focus.ts";

/** Whoever has not moved the pointer over the rows for so long is not aiming at one, but watching. */
const REST_MS = 3_000;

interface Hand {
	/** The row that the hand is on, which must stay where it is; null while there is none. */
	row(): number | null;
}

/**
 * Knows whether the reader has a hand on the rows of a list: the pointer moves over them, a key moves among them, a
 * menu of theirs is open, or `busy` says so.
 * @param take called when a hand comes, and what it returns when the hand has gone; the same function for the same list
 */
export function useHand(
	scroller: RefObject<HTMLElement | null>,
	take: () => () => void,
	busy: () => boolean,
): RefObject<Hand> {
	const hand = useRef<Hand>({ row: () => null });
	const isBusy = useRef(busy);
	isBusy.current = busy;

	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		let release: (() => void) | null = null;
		let timer: ReturnType<typeof setTimeout> | undefined;
		let under: Element | null = null;
		let lastAt = "";

		const rest = () => {
			clearTimeout(timer);
			if (isBusy.current() || box.querySelector('[aria-expanded="true"]') !== null) {
				timer = setTimeout(rest, REST_MS);
				return;
			}
			release?.();
			release = null;
			under = null;
		};
		const touch = (target: EventTarget | null) => {
			under = target instanceof Element ? target.closest("tr[data-row]") : null;
			release ??= take();
			clearTimeout(timer);
			timer = setTimeout(rest, REST_MS);
		};
		const onPointer = (event: PointerEvent) => {
			// A page that changes under a pointer at rest makes the browser tell of a move that was none.
			const at = `${event.clientX} ${event.clientY}`;
			if (event.type === "pointermove" && at === lastAt) return;
			lastAt = at;
			touch(event.target);
		};
		const onKey = () => touch(null);

		hand.current = {
			row() {
				if (release === null) return null;
				return under?.isConnected ? Number(under.getAttribute("data-row")) : focusedRow(box);
			},
		};
		const signal = new AbortController();
		const options = { signal: signal.signal, passive: true };
		box.addEventListener("pointermove", onPointer, options);
		box.addEventListener("pointerdown", onPointer, options);
		box.addEventListener("pointerleave", rest, options);
		box.addEventListener("keydown", onKey, options);
		return () => {
			signal.abort();
			clearTimeout(timer);
			release?.();
			hand.current = { row: () => null };
		};
	}, [scroller, take]);
	return hand;
}
