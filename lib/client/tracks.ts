/** The tracks beside a recording: which there are, and their lines. */
import { queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { ReadTrackQuery, Track, TrackLevel, TrackLine, TrackList } from "@tapedeck/contract/track.ts";
import { ApiError, call } from "./api.ts";
import { trackKeys } from "./query-keys.ts";
import type { Played } from "./recordings.ts";

/** The path of a recording's tracks; null for an uploaded video, and for a shared one whose link includes none. */
export function tracksPath({ jobId, shared }: Pick<Played, "jobId" | "shared">): string | null {
	if (shared) return shared.hasTracks ? `${shared.path}/tracks` : null;
	return jobId === null ? null : `/v1/jobs/${jobId}/tracks`;
}

/** The tracks by name; none where the recording was deleted. They are not fetched without a path. */
export const tracksQuery = (path: string | null) =>
	queryOptions({
		queryKey: trackKeys.of(path ?? ""),
		enabled: path !== null,
		queryFn: async ({ signal }): Promise<Track[]> => {
			try {
				return (await call<TrackList>("GET", path ?? "", { signal })).data;
			} catch (error) {
				if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return [];
				throw error;
			}
		},
	});

/** Whether its lines are a list to read and may be errors: the load of a machine and the titles of windows belong to the seek bar. */
export const isListed = ({ kind, lines }: Track): boolean => lines > 0 && kind !== "load" && kind !== "windows";

/** Selects lines of a track. */
export interface TrackFilter {
	/** Text that they contain; empty for all. */
	q: string;
	/** The least level; null for all. */
	level: TrackLevel | null;
}
export const ALL_LINES: TrackFilter = { q: "", level: null };

export type LineQuery = Partial<Pick<ReadTrackQuery, "from" | "to" | "order" | "limit" | "cursor">>;

/**
 * A page of a track's lines, by time.
 * @throws ApiError if it is refused or fails
 */
export const readLines = (
	{ path, name }: { path: string; name: string },
	{ q, level }: TrackFilter,
	query: LineQuery,
	signal?: AbortSignal,
): Promise<Page<TrackLine>> =>
	call("GET", `${path}/${encodeURIComponent(name)}`, { query: { ...query, q, level }, signal });
