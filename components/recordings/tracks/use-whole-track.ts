"use client";

import type { Track, TrackKind, TrackLine } from "@tapedeck/contract/track.ts";
import { useEffect } from "react";
import { ALL_LINES } from "#lib/client/tracks.ts";
import { useTrackWindow } from "./use-track-window.ts";

const PAGE = 1_000;
/** At one a second, nearly three hours. */
const MAX_LINES = 10_000;

/** The lines of the first track of a kind, by time; empty if there is none. They are read while the video can already be played. */
export function useWholeTrack(path: string | null, tracks: readonly Track[], wanted: TrackKind): readonly TrackLine[] {
	const track = tracks.find(({ kind, lines }) => kind === wanted && lines > 0) ?? null;
	const whole = useTrackWindow({ path: path ?? "", track, ...ALL_LINES, anchor: "start", limit: PAGE });
	const { window, lines, hasAfter } = whole;
	useEffect(() => {
		if (hasAfter && lines.length < MAX_LINES) window.loadAfter();
	}, [window, hasAfter, lines.length]);
	return lines;
}
