"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";

interface Cards {
	/** The ids in their order. */
	order: readonly number[];
	columns: number;
	/** The range of cards that are in the document. */
	first: number;
	end: number;
	scrollToCard(index: number): void;
	/** The selection that the keys change; null if the user may not select. */
	select: { toggle(id: number): void; extend(to: number, from?: number): void } | null;
}

/**
 * J and K move the focus from card to card, arrow keys in their direction. With Shift they select on the way; X
 * selects. One card at a time is in the Tab order: the last one that had the focus, or the first visible one.
 */
export function useCardFocus(grid: RefObject<HTMLElement | null>, cards: Cards) {
	const { order, columns, first, end, scrollToCard, select } = cards;
	const [active, setActive] = useState<number | null>(null);
	/** The last place of the active card, used when the card is gone. */
	const place = useRef(0);
	const at = active === null ? -1 : order.indexOf(active);
	if (at >= 0) place.current = at;
	/** The card that gets the focus as soon as it is in the document. */
	const wanted = useRef<number | null>(null);

	const focusWanted = () => {
		const card = grid.current?.querySelector<HTMLElement>(`a[data-recording="${wanted.current}"]`);
		if (wanted.current === null || !card) return;
		wanted.current = null;
		card.focus({ preventScroll: true });
		card.closest("[data-virtual]")?.scrollIntoView({ block: "nearest" });
	};
	useEffect(focusWanted);

	const focusCard = (index: number) => {
		const id = order[Math.min(Math.max(0, index), order.length - 1)];
		if (id === undefined) return null;
		wanted.current = id;
		setActive(id);
		scrollToCard(order.indexOf(id));
		focusWanted();
		return id;
	};
	// If the focused card was removed, the one in its place gets the focus.
	const gone = active !== null && at < 0;
	useEffect(() => {
		if (!gone || document.activeElement !== document.body) return;
		if (focusCard(place.current) === null) setActive(null);
	});
	const move = (step: number, selecting = false) => {
		const now = at >= 0 ? at : null;
		const target = now === null ? (active === null ? 0 : place.current) : now + step;
		// Up from the first row and down from the last lead nowhere.
		if (Math.abs(step) > 1 && (target < 0 || target >= order.length)) return;
		const id = focusCard(target);
		if (selecting && id !== null) select?.extend(id, active ?? id);
	};
	/** The arrows to either side follow the direction of reading. */
	const aside = (step: 1 | -1) => (document.documentElement.dir === "rtl" ? -step : step);
	useShortcuts({
		cardRight: () => move(aside(1)),
		cardLeft: () => move(aside(-1)),
		cardDown: () => move(columns),
		cardUp: () => move(-columns),
		nextRecording: () => move(1),
		previousRecording: () => move(-1),
		...(select === null
			? {}
			: {
					selectRight: () => move(aside(1), true),
					selectLeft: () => move(aside(-1), true),
					selectDown: () => move(columns, true),
					selectUp: () => move(-columns, true),
					selectNextRecording: () => move(1, true),
					selectPreviousRecording: () => move(-1, true),
				}),
		...(select === null || at < 0 ? {} : { selectRecording: () => select.toggle(order[at] as number) }),
	});

	return {
		/** The id of the card that Tab reaches. */
		tabStop: at >= first && at < end ? active : (order[first] ?? null),
		onCardFocus: useCallback((id: number) => setActive(id), []),
	};
}
