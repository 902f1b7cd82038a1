"use client";

import type { Track, TrackKind, TrackLine } from "@tapedeck/contract/track.ts";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { ALL_LINES, readLines, type TrackFilter } from "#lib/client/tracks.ts";
import { type Anchor, TrackWindow, type WindowState } from "./track-window.ts";

export interface ShownWindow extends WindowState {
	/** Whether the lines still belong to the previous filter or anchor. */
	stale: boolean;
	window: TrackWindow;
}

interface Wanted extends TrackFilter {
	/** The path of the recording's tracks. */
	path: string;
	/** Nothing is read while it is null. */
	track: Pick<Track, "name" | "lines"> | null;
	anchor: Anchor;
	/** The number of lines in a page. */
	limit: number;
}

/** Lines of a track around an anchor. It follows the track as it grows. */
export function useTrackWindow({ path, track, q, level, anchor, limit }: Wanted): ShownWindow {
	const { name, lines: all } = track ?? { name: null, lines: 0 };
	const window = useMemo(
		() =>
			new TrackWindow(
				(query, signal) => readLines({ path, name: name ?? "" }, { q, level }, query, signal),
				anchor,
				limit,
			),
		[path, name, q, level, anchor, limit],
	);
	const state = useSyncExternalStore(window.subscribe, window.getState, window.getState);
	useEffect(() => {
		if (name !== null) window.open();
		return () => window.close();
	}, [window, name]);
	const known = useRef(all);
	useEffect(() => {
		if (known.current !== all) window.grow();
		known.current = all;
	}, [window, all]);
	/** Shown until the first lines have come. */
	const before = useRef(state);
	const stale = state.status === "loading" && before.current !== state;
	useEffect(() => {
		if (state.status !== "loading") before.current = state;
	}, [state]);
	return { ...(stale ? { ...before.current, hasBefore: false, hasAfter: false } : state), stale, window };
}

const PAGE = 1_000;
/** At one a second, nearly three hours. */
const MAX_LINES = 10_000;

/**
 * The lines of the first track of a kind, in order of time; empty if there is none. They are read while the video can
 * already be played.
 */
export function useWholeTrack(path: string | null, tracks: readonly Track[], wanted: TrackKind): readonly TrackLine[] {
	const track = tracks.find(({ kind, lines }) => kind === wanted && lines > 0) ?? null;
	const whole = useTrackWindow({ path: path ?? "", track, ...ALL_LINES, anchor: "start", limit: PAGE });
	const { window, lines, hasAfter } = whole;
	useEffect(() => {
		if (hasAfter && lines.length < MAX_LINES) window.loadAfter();
	}, [window, hasAfter, lines.length]);
	return lines;
}
