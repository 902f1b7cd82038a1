/** A recording's pictures by time, for looking through it. */
import { queryOptions } from "@tanstack/react-query";
import type { Recording, Storyboard } from "../contract/recording.ts";
import { call } from "./api.ts";

/** That of a recording under way grows. */
const LIVE_STALE_MS = 4_000;

export const storyboardQuery = ({ id, state }: Pick<Recording, "id" | "state">) =>
	queryOptions({
		queryKey: ["storyboard", id, state] as const,
		queryFn: async ({ signal }) =>
			(await call<Storyboard>("GET", `/v1/recordings/${id}/storyboard`, { signal })).data.map(({ at }) => at),
		staleTime: state === "live" ? LIVE_STALE_MS : Number.POSITIVE_INFINITY,
	});

/** The picture to show for `seconds`: the last one before, else the first; null when there is none. */
export function pictureTime(times: readonly number[], seconds: number): number | null {
	return times.findLast((at) => at <= seconds) ?? times[0] ?? null;
}

/** Path of the picture at one of the storyboard's times. */
export const framePath = (id: number, at: number): string => `/v1/recordings/${id}/frame?at=${at}`;
