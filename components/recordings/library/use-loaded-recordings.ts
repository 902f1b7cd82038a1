"use client";

import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { useMemo } from "react";

type Loaded = { pages: Page<Recording>[] } | undefined;

/**
 * All pages of a list as one, then those of a second list. A recording that moved between two requests may be on
 * several pages.
 */
export function useLoadedRecordings(first: Loaded, second?: Loaded): readonly Recording[] {
	return useMemo(() => {
		const known = new Map<number, Recording>();
		for (const page of [...(first?.pages ?? []), ...(second?.pages ?? [])]) {
			for (const recording of page.data) if (!known.has(recording.id)) known.set(recording.id, recording);
		}
		return [...known.values()];
	}, [first, second]);
}
