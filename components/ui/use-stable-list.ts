"use client";

import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";

/** Items, and other controls in the list, such as the button that shows the new items. */
const ITEM = "li, tbody tr, button";

/**
 * The delay before the list updates after its use, because another use may follow at once: a closing menu returns its
 * focus in a separate task.
 */
const RELEASE_MS = 300;

/** Whether an item in the box has the keyboard focus, or a menu that is not closed yet. */
function isUsedByKeys(box: HTMLElement): boolean {
	const active = document.activeElement;
	const menu = document.querySelector('[role="menu"]');
	const opener = document.getElementById(menu?.getAttribute("aria-labelledby") ?? "");
	if (opener !== null && box.contains(opener)) return true;
	if (active?.matches(":focus-visible") && active.closest(ITEM) !== null && box.contains(active)) return true;
	return box.querySelector('[aria-haspopup][aria-expanded="true"]') !== null;
}

interface Options<T> {
	/** Identifies the list: a different one begins at its top. Null while the items are those of the previous list. */
	list: unknown;
	/** Whether the list is in use for another reason, such as a selection. */
	inUse?: RefObject<boolean>;
	/** Whether an item matches the list's filters. One that stops to match while the list is kept as it is stays until then. */
	fits?(item: T): boolean;
}

type Id = number | string;

/** The ids of a list that is kept as it is, in their order. */
interface Frozen {
	list: unknown;
	ids: Set<Id>;
}

/**
 * Splits the items of a list that is kept as it is.
 * @param ids the displayed ids, in their order
 * @param fits whether an item that is not displayed yet belongs into the list
 * @returns `shown`: the remaining items in their places, followed by items that were loaded after them; `waiting`: new
 *   items among them
 */
export function splitFrozen<T extends { id: Id }>(
	ids: ReadonlySet<Id>,
	items: readonly T[],
	fits: (item: T) => boolean = () => true,
) {
	const known = new Map<Id, T>();
	const waiting: T[] = [];
	const last = items.findLastIndex(({ id }) => ids.has(id));
	for (const item of items.slice(0, last + 1)) {
		if (ids.has(item.id)) known.set(item.id, item);
		else if (fits(item)) waiting.push(item);
	}
	const next = items.slice(last + 1).filter(fits);
	return { shown: [...[...ids].flatMap((id) => known.get(id) ?? []), ...next], waiting, next };
}

/**
 * Keeps a list as it is while the user reads or uses it: while it is scrolled down, the pointer is on an item, or an
 * item has the keyboard focus or an open menu. Items change in place; new ones wait until the use ends or the user
 * requests them. At its top and unused, the list shows everything at once.
 * @param scroller the box that scrolls; its items are `li` or `tr`
 * @returns `frozen`: whether the list is kept as it is; `showAll` shows the waiting items, from the top
 */
export function useStableList<T extends { id: Id }>(
	scroller: RefObject<HTMLElement | null>,
	items: readonly T[],
	{ list, inUse, fits }: Options<T>,
) {
	const [state, setState] = useState<Frozen | null>(null);
	const ids = state !== null && state.list === list ? state.ids : null;
	const { shown, waiting, next } = useMemo(() => {
		if (ids !== null) return splitFrozen(ids, items, fits);
		return { shown: fits === undefined ? items : items.filter(fits), waiting: [], next: [] };
	}, [ids, items, fits]);
	const latest = useRef({ list, shown, inUse });
	latest.current = { list, shown, inUse };
	// Tracked by events: reading it from the browser when needed would force a layout.
	const scrolled = useRef(false);
	const pointed = useRef(false);

	const isUsed = useCallback(() => {
		const { list: its, inUse: other } = latest.current;
		const box = scroller.current;
		if (its === null || box === null) return false;
		return scrolled.current || pointed.current || other?.current === true || isUsedByKeys(box);
	}, [scroller]);
	const release = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
	useEffect(() => () => clearTimeout(release.current), []);
	const update = useCallback(() => {
		const { list: its, shown: rows } = latest.current;
		if (isUsed()) {
			setState((now) => (now?.list === its ? now : { list: its, ids: new Set(rows.map(({ id }) => id)) }));
			return;
		}
		release.current ??= setTimeout(() => {
			release.current = undefined;
			if (!isUsed()) setState(null);
		}, RELEASE_MS);
	}, [isUsed]);
	useEffect(() => {
		// Rows loaded behind the others are shown, so they keep their place as well.
		for (const { id } of next) ids?.add(id);
		if (isUsed() !== (ids !== null)) update();
	});

	const begun = useRef(list);
	useEffect(() => {
		if (list === null || list === begun.current) return;
		if (begun.current !== null) scroller.current?.scrollTo({ top: 0 });
		begun.current = list;
	}, [list, scroller]);

	useEffect(() => {
		const box = scroller.current;
		if (box === null) return;
		const onScroll = () => {
			if (scrolled.current === box.scrollTop > 0) return;
			scrolled.current = !scrolled.current;
			update();
		};
		let lastAt = "";
		const onPointer = ({ target, clientX, clientY }: PointerEvent) => {
			// When the page changes under a pointer at rest, browsers send a move to where it is.
			const at = `${clientX} ${clientY}`;
			const isOn = target instanceof Element && target.closest(ITEM) !== null;
			const moved = at !== lastAt;
			lastAt = at;
			if (!moved || isOn === pointed.current) return;
			pointed.current = isOn;
			update();
		};
		const onLeave = () => {
			pointed.current = false;
			update();
		};
		const ended = new AbortController();
		const options = { signal: ended.signal, passive: true };
		box.addEventListener("scroll", onScroll, options);
		box.addEventListener("pointermove", onPointer, options);
		box.addEventListener("pointerdown", onPointer, options);
		box.addEventListener("pointerleave", onLeave, options);
		// A menu has the focus while it is open, wherever it lies.
		document.addEventListener("focusin", update, options);
		document.addEventListener("focusout", update, options);
		return () => ended.abort();
	}, [scroller, update]);

	const showAll = useCallback(() => {
		setState(null);
		// The pointer is where the button was, not on the list.
		pointed.current = false;
		scrolled.current = false;
		scroller.current?.scrollTo({ top: 0 });
	}, [scroller]);
	return { shown, waiting, frozen: ids !== null, showAll };
}
