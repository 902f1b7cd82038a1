/** Markers of a job: the chapters of its video. */
import { queryOptions } from "@tanstack/react-query";
import type { Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import { call } from "./api.ts";

export const markerKeys = { ofJob: (jobId: number) => ["markers", jobId] as const };

/** Markers in the order of the video; those from before the first frame are left out. */
export const markersQuery = (jobId: number) =>
	queryOptions({
		queryKey: markerKeys.ofJob(jobId),
		queryFn: async ({ signal }) => {
			const page = await call<Page<Marker>>("GET", `/v1/jobs/${jobId}/markers`, { signal });
			return page.data
				.flatMap((marker) => (marker.offsetSeconds === null ? [] : [{ ...marker, seconds: marker.offsetSeconds }]))
				.filter((marker) => marker.seconds >= 0)
				.toSorted((a, b) => a.seconds - b.seconds);
		},
	});
export type TimedMarker = Marker & { seconds: number };
