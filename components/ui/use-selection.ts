"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";

/** Multiple selection in an ordered list, by ids. Immutable: every change returns a new selection. */

export interface Selection {
	readonly ids: ReadonlySet<number>;
	/** The start of a range: the item that was ticked or unticked last. */
	readonly anchor: number | null;
	/** The new state of the anchor, and so of a range that starts there. */
	readonly adds: boolean;
	/** The selection before the range from the anchor, so that the range can shrink again. */
	readonly before: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
export const NOTHING: Selection = { ids: NONE, anchor: null, adds: true, before: NONE };

/** Ticks `id`, or unticks it; the next range begins there. */
export function toggled(selection: Selection, id: number): Selection {
	const ids = new Set(selection.ids);
	const adds = !ids.delete(id);
	if (adds) ids.add(id);
	return { ids, anchor: id, adds, before: ids };
}

/**
 * Gives everything from the anchor to `to` the anchor's new state. A second range from the same anchor replaces the
 * first, as in file managers.
 * @param from the anchor for a selection that has none in the list
 */
export function extended(selection: Selection, order: readonly number[], to: number, from: number = to): Selection {
	const known = selection.anchor !== null && order.includes(selection.anchor);
	const { anchor, adds, before } = known ? selection : { anchor: from, adds: true, before: selection.ids };
	const [one, other] = [order.indexOf(anchor ?? to), order.indexOf(to)];
	if (one < 0 || other < 0) return selection;
	const ids = new Set(before);
	for (const id of order.slice(Math.min(one, other), Math.max(one, other) + 1)) {
		if (adds) ids.add(id);
		else ids.delete(id);
	}
	return { ids, anchor, adds, before };
}

/** Everything that is loaded. */
export function allOf(order: readonly number[]): Selection {
	const ids = new Set(order);
	return { ids, anchor: null, adds: true, before: ids };
}

/** The selection without items that are no longer in the list; the same object if nothing changes. */
export function kept(selection: Selection, order: readonly number[]): Selection {
	if (selection.ids.size === 0) return selection;
	const there = new Set(order);
	const ids = intersection(selection.ids, there);
	return ids.size === selection.ids.size
		? selection
		: { ...selection, ids, before: intersection(selection.before, there) };
}

const intersection = (one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> =>
	new Set([...one].filter((id) => other.has(id)));

/**
 * Multiple selection in a list. Escape clears it. An item that leaves the list is removed from the selection
 * permanently.
 * @param order the ids in the order of display; the same array for as long as they are the same
 */
export function useSelection(order: readonly number[]) {
	const [stored, setStored] = useState(NOTHING);
	const selection = kept(stored, order);
	if (selection !== stored) setStored(selection);
	const shown = useRef(order);
	shown.current = order;

	const clear = useCallback(() => setStored(NOTHING), []);
	useShortcuts(selection.ids.size === 0 ? {} : { clearSelection: clear });

	const toggle = useCallback((id: number) => setStored((now) => toggled(now, id)), []);
	/** Selects from the last one ticked, or from `from`, to this one. */
	const extend = useCallback(
		(to: number, from?: number) => setStored((now) => extended(now, shown.current, to, from)),
		[],
	);
	/** Selects for the checkbox of an item: `range` selects from the last one ticked. */
	const onSelect = useCallback((id: number, range: boolean) => (range ? extend(id) : toggle(id)), [extend, toggle]);
	const selectAll = useCallback(() => setStored(allOf(shown.current)), []);
	return useMemo(
		() => ({ ids: selection.ids, toggle, extend, onSelect, selectAll, clear }),
		[selection.ids, toggle, extend, onSelect, selectAll, clear],
	);
}
