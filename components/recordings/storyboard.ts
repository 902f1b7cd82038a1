/** Small frames of a recording by time, to look through it without playing. */
import { queryOptions } from "@tanstack/react-query";
import type { Recording, Storyboard } from "@tapedeck/contract/recording.ts";
import { useState } from "react";
import { call } from "#lib/client/api.ts";

/** The storyboard of a recording in progress grows. */
const LIVE_STALE_MS = 4_000;

type Storied = Pick<Recording, "id" | "state">;

const wholeQuery = ({ id, state }: Storied) => ({
	queryKey: ["storyboard", id, state] as const,
	queryFn: ({ signal }: { signal: AbortSignal }) =>
		call<Storyboard>("GET", `/v1/recordings/${id}/storyboard`, { signal }),
	staleTime: state === "live" ? LIVE_STALE_MS : Number.POSITIVE_INFINITY,
});

const timesOf = ({ data }: Storyboard): number[] => data.map(({ at }) => at);

/** The times of the frames, in seconds. */
export const storyboardQuery = (recording: Storied) => queryOptions({ ...wholeQuery(recording), select: timesOf });

/** The time of the frame to show for `seconds`: the last one before, otherwise the first; null if there is none. */
export function frameTime(times: readonly number[], seconds: number): number | null {
	return times.findLast((at) => at <= seconds) ?? times[0] ?? null;
}

/** Path of the frame at one of the storyboard's times. */
export const framePath = (id: number, at: number): string => `/v1/recordings/${id}/frame?at=${at}`;

interface ThrottledImage {
	/** The image to load. */
	src: string | null;
	/** Whether this image, or the one before it, can be shown: a failed one would be a black box. */
	loaded: boolean;
	/** Call it when the image has loaded, or failed. */
	onSettled(loaded: boolean): void;
}

/** An image whose path changes faster than images load: one loads at a time, and the newest path is next. */
export function useThrottledImage(path: string | null): ThrottledImage {
	const [requested, setRequested] = useState<string | null>(null);
	const [settled, setSettled] = useState<string | null>(null);
	const [loaded, setLoaded] = useState(false);
	const busy = requested !== null && requested !== settled;
	if (path === null && requested !== null) {
		setRequested(null);
		setSettled(null);
		setLoaded(false);
	} else if (path !== null && path !== requested && !busy) setRequested(path);
	return {
		src: requested,
		loaded,
		onSettled(isLoaded) {
			setSettled(requested);
			setLoaded(isLoaded);
		},
	};
}
