"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { allOf, extended, kept, NOTHING, toggled } from "./selection.ts";
import { useKeys } from "./use-keys.ts";

/**
 * Selecting many of a list. Escape clears; what comes into the list changes nothing, what leaves it leaves the
 * selection for good.
 * @param order the ids in the order in which they are shown; the same array for as long as they are the same
 */
export function useSelection(order: readonly number[]) {
	const [stored, setStored] = useState(NOTHING);
	const selection = kept(stored, order);
	if (selection !== stored) setStored(selection);
	const shown = useRef(order);
	shown.current = order;

	const clear = useCallback(() => setStored(NOTHING), []);
	useKeys(selection.ids.size === 0 ? {} : { escape: clear });

	const toggle = useCallback((id: number) => setStored((now) => toggled(now, id)), []);
	/** Selects from the last one ticked, or from `from`, to this one. */
	const extend = useCallback(
		(to: number, from?: number) => setStored((now) => extended(now, shown.current, to, from)),
		[],
	);
	const selectAll = useCallback(() => setStored(allOf(shown.current)), []);
	return useMemo(
		() => ({ ids: selection.ids, toggle, extend, selectAll, clear }),
		[selection.ids, toggle, extend, selectAll, clear],
	);
}
