/** Markers of a recording: the chapters of its video. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Marker } from "../contract/marker.ts";
import type { Page } from "../contract/page.ts";
import { call } from "./api.ts";
import { markerKeys } from "./query-keys.ts";

export type TimedMarker = Pick<Marker, "id" | "label" | "kind"> & { seconds: number };
export type NewMarker = Omit<TimedMarker, "id">;

const pathOf = (recordingId: number): string => `/v1/recordings/${recordingId}/markers`;

/** Markers in the order of the video. */
export const markersQuery = (recordingId: number) =>
	queryOptions({
		queryKey: markerKeys.of(recordingId),
		queryFn: async ({ signal }) => {
			const page = await call<Page<Marker>>("GET", pathOf(recordingId), { signal });
			return inOrder(page.data.map(timed));
		},
	});

export const timed = ({
	id,
	label,
	kind,
	offsetSeconds,
}: Pick<Marker, "id" | "label" | "kind" | "offsetSeconds">): TimedMarker => ({
	id,
	label,
	kind,
	seconds: offsetSeconds ?? 0,
});

const inOrder = (markers: TimedMarker[]): TimedMarker[] => markers.toSorted((a, b) => a.seconds - b.seconds);

/** The marker is on the page at once, and gone again when the server refuses it. Its id is negative until it has one. */
export function useAddMarker(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: async ({ label, kind, seconds }: NewMarker) =>
			timed(
				await call<Marker>("POST", pathOf(recordingId), {
					body: { label, kind, offsetSeconds: Math.round(seconds * 1000) / 1000 },
				}),
			),
		onMutate: async (marker) => {
			const provisional = { ...marker, id: -Date.now() };
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

/** The marker leaves the page at once, and comes back when the server refuses. */
export function useDeleteMarker(recordingId: number) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (marker: TimedMarker) => call<void>("DELETE", `${pathOf(recordingId)}/${marker.id}`),
		onMutate: (marker) => change(client, recordingId, (markers) => markers.filter(({ id }) => id !== marker.id)),
		onError: (_error, marker) => change(client, recordingId, (markers) => inOrder([...markers, marker])),
		onSettled: () => client.invalidateQueries({ queryKey: markerKeys.of(recordingId) }),
	});
}

/** Changes what the page holds; an answer that is under way would bring back what was before. */
async function change(
	client: QueryClient,
	recordingId: number,
	to: (markers: TimedMarker[]) => TimedMarker[],
): Promise<void> {
	await client.cancelQueries({ queryKey: markerKeys.of(recordingId) });
	client.setQueryData(markerKeys.of(recordingId), (before: TimedMarker[] | undefined) => to(before ?? []));
}
