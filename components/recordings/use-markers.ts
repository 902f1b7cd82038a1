"use client";

import { useQuery } from "@tanstack/react-query";
import { useCan } from "#components/session/use-session.ts";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { markersQuery, type NewMarker, type TimedMarker, useAddMarker, useDeleteMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";
import { markerTexts as texts } from "#lib/texts/player.ts";

export interface Markers {
	all: readonly TimedMarker[];
	mayChange: boolean;
	add(marker: NewMarker): void;
	/** At once, with the way back in a toast. */
	remove(marker: TimedMarker): void;
}

const NONE: readonly TimedMarker[] = [];

/** The chapters of a recording, and what may be done with them. */
export function useMarkers({ id, shared = null }: Played): Markers {
	const mayChange = useCan("write");
	const own = useQuery({ ...markersQuery(id), enabled: shared === null }).data;
	const all = shared?.markers ?? own ?? NONE;
	const adding = useAddMarker(id);
	const deleting = useDeleteMarker(id);
	const add = (marker: NewMarker) =>
		adding.mutate(marker, { onError: (error) => toast.error(texts.notAdded(marker.label, wordsOf(error))) });
	const remove = (marker: TimedMarker) =>
		deleting.mutate(marker, {
			onSuccess: () =>
				toast(texts.deleted(marker.label), { action: { label: texts.undo, onClick: () => add(marker) } }),
			onError: (error) => toast.error(texts.notDeleted(marker.label, wordsOf(error))),
		});
	return { all, mayChange, add, remove };
}

/** The chapter that plays: the last marker at or before the moment. */
export const markerAt = (markers: readonly TimedMarker[], seconds: number): TimedMarker | undefined =>
	markers.findLast((marker) => marker.seconds <= seconds + 0.05);

/** Where a jump from chapter to chapter leads; null when there is none that way. */
export function nextMarkerSeconds(markers: readonly TimedMarker[], seconds: number, direction: 1 | -1): number | null {
	if (direction === 1) return markers.find((marker) => marker.seconds > seconds + 0.05)?.seconds ?? null;
	// Shortly after a marker, back means the one before it, as players of music do.
	return markers.findLast((marker) => marker.seconds < seconds - 1)?.seconds ?? (markers.length > 0 ? 0 : null);
}
