"use client";

import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { useMemo } from "react";
import { useDeletedHere } from "#lib/client/delayed-deletes.ts";

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

/**
 * Without those whose deletion can still be undone.
 * @param except stays
 */
export function useWithoutDeleted(recordings: readonly Recording[], except?: number): readonly Recording[] {
	const deleted = useDeletedHere();
	return useMemo(
		() => (deleted.size === 0 ? recordings : recordings.filter(({ id }) => id === except || !deleted.has(id))),
		[recordings, deleted, except],
	);
}
