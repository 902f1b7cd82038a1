/** Recordings for the pages: keys, fetchers and mutations together. */
import { infiniteQueryOptions, type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import type { Page } from "../contract/page.ts";
import type { Recording } from "../contract/recording.ts";
import { ApiError, call } from "./api.ts";
import { useDeletedHere } from "./delayed-deletes.ts";
import type { TimedMarker } from "./markers.ts";
import { type Kind, NewerFacts } from "./newer-facts.ts";
import { PATCHED, patchLists } from "./page-cache.ts";
import { askedFor, compareBy, matchesFilters, type RecordingFilters } from "./recording-filters.ts";

/** A whole number of rows of the grid, however many columns it has. */
const PAGE_SIZE = 96;

const newerRecordings = new NewerFacts<Recording>();

export const recordingKeys = {
	all: ["recordings"] as const,
	lists: ["recordings", "list"] as const,
	list: (filters: RecordingFilters) => ["recordings", "list", filters] as const,
	one: (id: number) => ["recordings", "one", id] as const,
};

export const recordingsQuery = (filters: RecordingFilters) =>
	infiniteQueryOptions({
		...PATCHED,
		queryKey: recordingKeys.list(filters),
		initialPageParam: undefined as string | undefined,
		queryFn: ({ pageParam, signal }) =>
			call<Page<Recording>>("GET", "/v1/recordings", {
				query: { ...askedFor(filters, Date.now()), cursor: pageParam, limit: PAGE_SIZE },
				signal,
			}),
		getNextPageParam: (page) => page.nextCursor ?? undefined,
	});

/** One recording; null when there is none (any more). */
export const recordingQuery = (id: number) =>
	queryOptions({
		queryKey: recordingKeys.one(id),
		queryFn: async ({ signal }): Promise<Recording | null> => {
			try {
				return await call<Recording>("GET", `/v1/recordings/${id}`, { signal });
			} catch (error) {
				if (error instanceof ApiError && error.status === 404) return null;
				throw error;
			}
		},
	});

/** One recording as pages show it: null also while its deletion can still be undone. */
export function useRecording(id: number) {
	const query = useQuery(recordingQuery(id));
	return useDeletedHere().has(id) ? { ...query, data: null } : query;
}

/** Shows `recording` everywhere. */
export function applyRecording(client: QueryClient, recording: Recording): void {
	newerRecordings.note(recording.id, recording);
	showRecording(client, recording);
}

function showRecording(client: QueryClient, recording: Recording): void {
	client.setQueryData(recordingKeys.one(recording.id), recording);
	patchLists(
		client,
		recordingKeys.lists,
		[recording],
		(one, filters) => matchesFilters(one, filters as RecordingFilters, Date.now()),
		(filters) => compareBy(filters as RecordingFilters),
	);
}

/** Takes a recording away everywhere; the page that shows it says that it is gone. */
export function forgetRecording(client: QueryClient, id: number): void {
	newerRecordings.note(id, null);
	hideRecording(client, id);
}

function hideRecording(client: QueryClient, id: number): void {
	patchLists(client, recordingKeys.lists, [{ id } as Recording], () => false);
	client.setQueryData(recordingKeys.one(id), null);
}

export const RECORDINGS: Kind = {
	key: recordingKeys.all[0],
	showSince: (client, since) =>
		newerRecordings.showSince(
			since,
			(recording) => showRecording(client, recording),
			(id) => hideRecording(client, id),
		),
};

/** What a player plays: a recording of one's own, or what a link shares of one. */
export interface Played extends Recording {
	/** Null inside the dashboard. */
	shared?: { path: string; markers: readonly TimedMarker[] } | null;
}
/** The path that the media of it lie below. */
export const mediaPath = ({ id, shared }: Pick<Played, "id" | "shared">): string =>
	shared?.path ?? `/v1/recordings/${id}`;

// Paths of the media, relative: the browser may know the server under another name than the server itself does.
export const videoPath = (id: number): string => `/v1/recordings/${id}/video`;
export const livePath = (id: number): string => `/v1/recordings/${id}/live`;
export const posterPath = (id: number): string => `/v1/recordings/${id}/poster`;
export const downloadPath = (id: number): string => `${videoPath(id)}?download=1`;
