/** Recordings for the pages: query keys, queries and cache updates. */
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { RECORDING_KINDS } from "@tapedeck/contract/recording-kinds.ts";
import { ApiError, call } from "./api.ts";
import { type Kind, NewerEvents } from "./live/newer-events.ts";
import type { TimedMarker } from "./markers.ts";
import { whenOutdated } from "./outdated.ts";
import { dropFromLists, PATCHED, patchLists } from "./page-cache.ts";
import { pagesOf } from "./paging.ts";
import { apiQuery, compareBy, matchesFilters, type RecordingFilters } from "./recording-filters.ts";
import { usableSearch } from "./search-terms.ts";

/** Divisible by every column count of the grid, so that pages end with a full row. */
const PAGE_SIZE = 96;

const newerRecordings = new NewerEvents<Recording>();

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
		...pagesOf<Page<Recording>>("/v1/recordings", async () => ({
			...apiQuery(filters, Date.now()),
			kind: filters.kind ?? RECORDING_KINDS,
			q: await usableSearch(filters.q),
			limit: PAGE_SIZE,
		})),
		refetchInterval: whenOutdated,
	});

/** One recording; null if it doesn't exist or was deleted. */
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

/** Updates every cache with `recording`. */
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
		{
			isSearched: (filters) => (filters as RecordingFilters).q !== undefined,
			compareBy: (filters) => compareBy(filters as RecordingFilters),
		},
	);
}

/** Removes a recording from every cache; a page that shows it says that it is gone. */
export function forgetRecording(client: QueryClient, id: number): void {
	newerRecordings.note(id, null);
	hideRecording(client, id);
}

function hideRecording(client: QueryClient, id: number): void {
	dropFromLists(client, recordingKeys.lists, id);
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

/** The source of a player: a recording of the organization, or the shared part of one. */
export interface Played extends Recording {
	/** Null inside the dashboard. */
	shared?: { path: string; markers: readonly TimedMarker[]; hasTracks: boolean } | null;
}
/** The path prefix of its media. */
export const mediaPath = ({ id, shared }: Pick<Played, "id" | "shared">): string =>
	shared?.path ?? `/v1/recordings/${id}`;

// Relative paths: the browser may know the server under another name than TAPEDECK_URL.
export const videoPath = (id: number): string => `/v1/recordings/${id}/video`;
export const posterPath = (id: number): string => `/v1/recordings/${id}/poster`;
export const downloadPath = (id: number): string => `${videoPath(id)}?download=1`;
/** All in one zip. */
export const zipPath = (ids: readonly number[]): string =>
	`/v1/recordings/download?${ids.map((id) => `id=${id}`).join("&")}`;
