"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Track, TrackKind } from "@tapedeck/contract/track.ts";
import { useEffect, useRef } from "react";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import type { Tab } from "#components/ui/tabs.tsx";
import { trackKeys } from "#lib/client/query-keys.ts";
import type { Played } from "#lib/client/recordings.ts";
import { isListed, tracksPath, tracksQuery } from "#lib/client/tracks.ts";

const NONE: readonly Track[] = [];

/**
 * The tracks of a recording. They are fetched again with each report about the recording, which arrives once a second
 * while it is live.
 */
export function useTracks(recording: Played): readonly Track[] {
	const client = useQueryClient();
	const path = tracksPath(recording);
	const query = useQuery(tracksQuery(path));
	const seen = useRef(recording);
	useEffect(() => {
		if (seen.current !== recording && path !== null) void client.invalidateQueries({ queryKey: trackKeys.of(path) });
		seen.current = recording;
	}, [client, recording, path]);
	return query.data ?? NONE;
}

/** The order of the tabs; others follow by name. What every recording has, its load and its windows, has none. */
const ORDER: readonly string[] = ["log", "console", "network"] satisfies TrackKind[];

/** A track's name as words: `Log`, `Mobile app` for `mobile-app`. */
function titleOf({ name }: Track): string {
	const words = name.replace(/[-_]+/g, " ").trim();
	return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const placeOf = ({ name }: Track): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

const loadPanel = () => import("./track-panel.tsx").then((module) => module.TrackPanel);

/** A tab for each track with lines to read. */
export const trackTabs = (path: string | null, tracks: readonly Track[], failureSeconds: number | null): Tab[] =>
	path === null
		? []
		: tracks
				.filter(isListed)
				.toSorted((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name))
				.map((track) => ({
					id: `track-${track.name}`,
					title: titleOf(track),
					content: (
						<LazyContent
							key={track.name}
							load={loadPanel}
							path={path}
							track={track}
							title={titleOf(track)}
							failureSeconds={failureSeconds}
						/>
					),
				}));
