"use client";

import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { useSearchParams } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";
import { nextFailureOf, showSecondsOf } from "./moments.ts";
import { resultIdOf } from "./test-path.ts";

export interface ResultAddress {
	/** The result that the address names; null if it names none. */
	resultId: number | null;
	/** Selects a result: the address names it, so that a reload, Back and a copied address show the same one. */
	select(result: TestResult): void;
	/** Selects the next failure (1) or the one before (-1). @returns undefined if nothing failed. */
	selectFailure(
		results: readonly TestResult[],
		selected: TestResult | undefined,
		direction: 1 | -1,
	): TestResult | undefined;
	/** The id that the page itself selected last. */
	readonly own: RefObject<number | null>;
}

/** The selected result of a page with a video, which its address names as `?result=`. */
export function useResultAddress(): ResultAddress {
	const resultId = resultIdOf(useSearchParams().get("result"));
	const own = useRef(resultId);
	const select = ({ id }: TestResult): void => {
		own.current = id;
		// A choice is a step that Back undoes.
		if (id !== addressedId()) window.history.pushState(null, "", `${location.pathname}?result=${id}`);
	};
	return {
		resultId,
		select,
		selectFailure: (results, selected, direction) => {
			// The router reports a new address with low priority, and a key may be pressed twice in the meantime.
			const next = nextFailureOf(results, addressedId() ?? selected?.id, direction);
			if (next !== undefined) select(next);
			return next;
		},
		own,
	};
}

const addressedId = (): number | null => resultIdOf(new URLSearchParams(location.search).get("result"));

/** Seeks to the selected result when Back, Forward or a link has changed the address. */
export function useFollowedAddress(
	{ resultId, own }: ResultAddress,
	selected: TestResult | undefined,
	player: RefObject<{ seek(seconds: number): void } | null>,
): void {
	useEffect(() => {
		if (resultId === own.current || (resultId !== null && selected?.id !== resultId)) return;
		own.current = resultId;
		const seconds = selected === undefined ? null : showSecondsOf(selected);
		if (seconds !== null) player.current?.seek(seconds);
	}, [resultId, own, selected, player]);
}
