/** Sessions of grids, and which of them were recorded. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Coverage, Session } from "@tapedeck/contract/session.ts";
import { ApiError, call } from "#lib/client/api.ts";
import { pagesOf } from "#lib/client/paging.ts";

const POLL_MS = 2_000;

/** A session and its recording; null while no runner has reported it. Asked again until there is a recording. */
export const sessionQuery = (sessionId: string) =>
	queryOptions({
		queryKey: ["session", sessionId],
		queryFn: async ({ signal }): Promise<Session | null> => {
			try {
				return await call<Session>("GET", `/v1/sessions/${encodeURIComponent(sessionId)}`, { signal });
			} catch (error) {
				if (error instanceof ApiError && error.status === 404) return null;
				throw error;
			}
		},
		refetchInterval: ({ state }) => (state.data?.url ? false : POLL_MS),
	});

/** Sessions that were not recorded, the newest first, with the counts of all. @param days how far to look back. */
export const coverageQuery = (days: number) =>
	infiniteQueryOptions({
		queryKey: ["coverage", days],
		...pagesOf<Coverage>("/v1/coverage", () => ({ days })),
		refetchInterval: 15_000,
	});
