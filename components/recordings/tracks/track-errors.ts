"use client";

import { useQueries } from "@tanstack/react-query";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import type { Track, TrackLine } from "@tapedeck/contract/track.ts";
import { trackKeys } from "#lib/client/query-keys.ts";
import { readLines } from "#lib/client/tracks.ts";

/** A line of level error within the video. */
export interface TrackError {
	seconds: number;
	/** The beginning of its text. */
	text: string;
}

/** Of each track: there is no room for more on a seek bar. */
const MAX_ERRORS = 200;
const MAX_CHARACTERS = 120;
const ERRORS = { q: "", level: "error" } as const;

/** The first errors of all tracks, by time. They are fetched again with the list of tracks. */
export function useTrackErrors(path: string | null, tracks: readonly Track[]): readonly TrackError[] {
	return useQueries({
		queries: tracks
			.filter(({ kind, lines }) => kind !== "load" && lines > 0)
			.map(({ name }) => ({
				queryKey: [...trackKeys.of(path ?? ""), name, "errors"],
				queryFn: ({ signal }: { signal: AbortSignal }) =>
					readLines({ path: path ?? "", name }, ERRORS, { from: 0, limit: MAX_ERRORS }, signal),
				enabled: path !== null,
			})),
		combine: allErrors,
	});
}

const allErrors = (lists: readonly { data: { data: TrackLine[] } | undefined }[]): TrackError[] =>
	lists
		.flatMap(({ data }) => data?.data ?? [])
		.flatMap(({ offsetSeconds, text }) =>
			offsetSeconds === null ? [] : [{ seconds: offsetSeconds, text: withoutColours(text).slice(0, MAX_CHARACTERS) }],
		)
		.toSorted((a, b) => a.seconds - b.seconds);
