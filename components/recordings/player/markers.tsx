"use client";

import { useQuery } from "@tanstack/react-query";
import type { Marker } from "@tapedeck/contract/marker.ts";
import { AppWindow, CircleCheck, CirclePause, CircleX, Flag, type LucideIcon, StickyNote } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { quoted } from "#lib/client/format.ts";
import { markersQuery, type NewMarker, type TimedMarker, useAddMarker, useDeleteMarker } from "#lib/client/markers.ts";
import type { Played } from "#lib/client/recordings.ts";

interface MarkerLook {
	name: string;
	Icon: LucideIcon;
	tone: string;
	/** The shape of its tick on the seek bar. */
	tick: string;
}

/** The name and look of each kind of marker. */
export const MARKER_LOOKS: Readonly<Record<Marker["kind"], MarkerLook>> = {
	step: { name: "Step", Icon: Flag, tone: "text-accent", tick: "bg-accent rounded-none h-3 w-[3px]" },
	pass: { name: "Passed", Icon: CircleCheck, tone: "text-ok", tick: "bg-ok rounded-full size-2.5" },
	fail: { name: "Failed", Icon: CircleX, tone: "text-danger", tick: "bg-danger rounded-none size-2 rotate-45" },
	note: { name: "Note", Icon: StickyNote, tone: "text-muted", tick: "bg-line-strong rounded-[2px] size-2" },
	// Two bars, drawn as borders: those stay in forced colours.
	stall: { name: "Stall", Icon: CirclePause, tone: "text-warn", tick: "border-warn border-x-2 h-3 w-2" },
	session: { name: "Session", Icon: AppWindow, tone: "text-muted", tick: "border-line-strong border-s-2 h-3 w-2" },
};

/** The text for a marker whose time is outside the video. */
export const OUTSIDE: Readonly<Record<NonNullable<Marker["clampedTo"]>, string>> = {
	start: "Before the first frame",
	end: "After the last frame",
};

export interface Markers {
	all: readonly TimedMarker[];
	canEdit: boolean;
	add(marker: NewMarker): void;
	/** At once, with an undo in a toast. */
	remove(marker: TimedMarker): void;
}

const NONE: readonly TimedMarker[] = [];

/** The markers of a recording, in the order of the video. */
export function useMarkers({ id, shared = null }: Played): Markers {
	const canEdit = useCan("recordings:write");
	const own = useQuery({ ...markersQuery(id), enabled: shared === null }).data;
	const adding = useAddMarker(id);
	const deleting = useDeleteMarker(id);
	const add = (marker: NewMarker) =>
		void toastOutcome(adding.mutateAsync(marker), { failed: `Couldn't add the marker ${quoted(marker.label)}.` });
	const remove = (marker: TimedMarker) =>
		void toastOutcome(deleting.mutateAsync(marker), {
			done: () =>
				toast(`Deleted the marker ${quoted(marker.label)}.`, {
					action: { label: "Undo", onClick: () => add(marker) },
				}),
			failed: `Couldn't delete the marker ${quoted(marker.label)}.`,
		});
	return { all: shared?.markers ?? own ?? NONE, canEdit, add, remove };
}

/** The chapter at a position: the last marker at or before it. */
export const markerAt = (markers: readonly TimedMarker[], seconds: number): TimedMarker | undefined =>
	markers.findLast((marker) => marker.seconds <= seconds + 0.05);

/** The target of a jump to the next (1) or previous (-1) chapter; null if there is none in that direction. */
export function nextMarkerSeconds(markers: readonly TimedMarker[], seconds: number, direction: 1 | -1): number | null {
	if (direction === 1) return markers.find((marker) => marker.seconds > seconds + 0.05)?.seconds ?? null;
	// Shortly after a marker, back means the one before it, as in music players.
	return markers.findLast((marker) => marker.seconds < seconds - 1)?.seconds ?? (markers.length > 0 ? 0 : null);
}
