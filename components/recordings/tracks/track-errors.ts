"use client";

import { type QueryFunctionContext, useQueries } from "@tanstack/react-query";
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import type { Track, TrackLine } from "@tapedeck/contract/track.ts";
import { trackKeys } from "#lib/client/query-keys.ts";
import { isListed, readLines } from "#lib/client/tracks.ts";

/** A line of level error within the video. */
export interface TrackError {
	seconds: number;
	/** The beginning of its text. */
	text: string;
}

/** The maximum number of errors per track: a seek bar has no space for more. */
export const MAX_ERRORS = 200;
const MAX_CHARACTERS = 120;
const ERRORS = { q: "", level: "error" } as const;
/** The maximum delay between several senders of one track. */
const LATE_SECONDS = 5;

/** The first errors of all tracks, by time. They are fetched again with the list of tracks, once a second while it is live. */
export function useTrackErrors(path: string | null, tracks: readonly Track[]): readonly TrackError[] {
	return useQueries({
		queries: tracks.filter(isListed).map(({ name }) => ({
			queryKey: [...trackKeys.of(path ?? ""), name, "errors"],
			queryFn: ({ client, queryKey, signal }: QueryFunctionContext) =>
				readErrors(client.getQueryData<readonly TrackLine[]>(queryKey) ?? [], async (from) => {
					const query = { from, limit: MAX_ERRORS };
					return (await readLines({ path: path ?? "", name }, ERRORS, query, signal)).data;
				}),
			enabled: path !== null,
		})),
		combine: allErrors,
	});
}

/**
 * Adds the errors that a track has received. Reads only errors, because those of a long track are in hundreds of
 * blocks.
 * @param known in order of time.
 * @param read reads the first errors from a second of the video on, at most MAX_ERRORS.
 * @returns the first MAX_ERRORS in order of time; `known` itself if there are no more.
 */
export async function readErrors(
	known: readonly TrackLine[],
	read: (from: number) => Promise<readonly TrackLine[]>,
): Promise<readonly TrackLine[]> {
	if (known.length >= MAX_ERRORS) return known;
	const from = Math.max(0, (known.at(-1)?.offsetSeconds ?? 0) - LATE_SECONDS);
	const lines = new Set(known.map(({ line }) => line));
	const added = (await read(from)).filter(({ line }) => !lines.has(line));
	if (added.length === 0) return known;
	return [...known, ...added].toSorted((a, b) => (a.offsetSeconds ?? 0) - (b.offsetSeconds ?? 0)).slice(0, MAX_ERRORS);
}

/** The errors of all tracks, by time: without empty lines, which programs print around errors. */
export const allErrors = (lists: readonly { data: readonly TrackLine[] | undefined }[]): TrackError[] =>
	lists
		.flatMap(({ data }) => data ?? [])
		.flatMap(({ offsetSeconds, text: colored }) => {
			const text = withoutColours(colored).trim().slice(0, MAX_CHARACTERS);
			return offsetSeconds === null || text === "" ? [] : [{ seconds: offsetSeconds, text }];
		})
		.toSorted((a, b) => a.seconds - b.seconds);
