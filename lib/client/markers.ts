/** The markers of a recording, shown as chapters of its video. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Marker } from "@tapedeck/contract/marker.ts";
import { call } from "./api.ts";
import { everyPage } from "./paging.ts";
import { markerKeys } from "./query-keys.ts";

export type TimedMarker = Pick<Marker, "id" | "label" | "kind" | "message" | "clampedTo"> & { seconds: number };
export type NewMarker = Pick<TimedMarker, "label" | "kind" | "message" | "seconds">;

const pathOf = (recordingId: number): string => `/v1/recordings/${recordingId}/markers`;

/** Markers by time. */
export const markersQuery = (recordingId: number) =>
	queryOptions({
		queryKey: markerKeys.of(recordingId),
		queryFn: async ({ signal }) => inOrder((await everyPage<Marker>(pathOf(recordingId), signal)).map(timed)),
	});

export const timed = ({
	id,
	label,
	kind,
	message,
	offsetSeconds,
	clampedTo,
}: Omit<Marker, "jobId" | "at">): TimedMarker => ({
	id,
	label,
	kind,
	message,
	clampedTo,
	seconds: offsetSeconds ?? 0,
});

const inOrder = (markers: TimedMarker[]): TimedMarker[] => markers.toSorted((a, b) => a.seconds - b.seconds);

/** Adds a marker optimistically. Its id is negative until the server assigns one. */
export function useAddMarker(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: async ({ label, kind, message, seconds }: NewMarker) =>
			timed(
				await call<Marker>("POST", pathOf(recordingId), {
					body: { label, kind, message, offsetSeconds: Math.round(seconds * 1000) / 1000 },
				}),
			),
		onMutate: async (marker) => {
			const provisional = { ...marker, clampedTo: null, id: -Date.now() };
			await change(client, recordingId, (markers) => inOrder([...markers, provisional]));
			return provisional;
		},
		onSuccess: (marker, _input, provisional) =>
			change(client, recordingId, (markers) =>
				inOrder([...markers.filter(({ id }) => id !== provisional.id && id !== marker.id), marker]),
			),
		onError: (_error, _input, provisional) =>
			change(client, recordingId, (markers) => markers.filter(({ id }) => id !== provisional?.id)),
		onSettled: () => client.invalidateQueries({ queryKey: markerKeys.of(recordingId) }),
	});
}

/** Removes a marker optimistically. */
export function useDeleteMarker(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (marker: TimedMarker) => call<void>("DELETE", `${pathOf(recordingId)}/${marker.id}`),
		onMutate: (marker) => change(client, recordingId, (markers) => markers.filter(({ id }) => id !== marker.id)),
		onError: (_error, marker) => change(client, recordingId, (markers) => inOrder([...markers, marker])),
		onSettled: () => client.invalidateQueries({ queryKey: markerKeys.of(recordingId) }),
	});
}

/** Updates the cache; cancels a running fetch, whose response would undo the update. */
async function change(
	client: QueryClient,
	recordingId: number,
	to: (markers: TimedMarker[]) => TimedMarker[],
): Promise<void> {
	await client.cancelQueries({ queryKey: markerKeys.of(recordingId) });
	client.setQueryData(markerKeys.of(recordingId), (before: TimedMarker[] | undefined) => to(before ?? []));
}
