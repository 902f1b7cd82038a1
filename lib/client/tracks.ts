/** The tracks of a job: which there are, and their lines. */
import { queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { ReadTrackQuery, Track, TrackLevel, TrackLine, TrackList } from "@tapedeck/contract/track.ts";
import { ApiError, call } from "./api.ts";
import { trackKeys } from "./query-keys.ts";

/** By name; none where the recording was deleted. It is not asked for without a job, as of an uploaded video. */
export const tracksQuery = (jobId: number | null) =>
	queryOptions({
		queryKey: trackKeys.of(jobId ?? 0),
		enabled: jobId !== null,
		queryFn: async ({ signal }): Promise<Track[]> => {
			try {
				return (await call<TrackList>("GET", `/v1/jobs/${jobId}/tracks`, { signal })).data;
			} catch (error) {
				if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return [];
				throw error;
			}
		},
	});

/** Which lines of a track are meant. */
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
	{ jobId, name }: { jobId: number; name: string },
	{ q, level }: TrackFilter,
	query: LineQuery,
	signal?: AbortSignal,
): Promise<Page<TrackLine>> =>
	call("GET", `/v1/jobs/${jobId}/tracks/${encodeURIComponent(name)}`, { query: { ...query, q, level }, signal });
