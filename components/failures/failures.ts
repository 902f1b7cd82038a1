/** What failed, and what it is compared with, for the pages. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "#lib/client/api.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { buildKeys } from "#lib/client/query-keys.ts";
import type { Failure, FailuresSeen, LastPassed } from "#lib/contract/failure.ts";
import type { Page } from "#lib/contract/page.ts";

const FETCH_AGAIN_MS = 30_000;

/** What failed after a time, the last first. */
export const failuresQuery = (failedAfter: string) =>
	infiniteQueryOptions({
		// Live updates of recordings mark it as outdated, like builds.
		queryKey: [...buildKeys.all, "failures", failedAfter],
		queryFn: ({ pageParam, signal }) =>
			call<Page<Failure>>("GET", "/v1/failures", { query: { failedAfter, cursor: pageParam }, signal }),
		initialPageParam: undefined as string | undefined,
		getNextPageParam: (last) => last.nextCursor ?? undefined,
		// A job that fails without a recording is no such update.
		refetchInterval: (query) => whenOutdated(query) || FETCH_AGAIN_MS,
	});

const SEEN = ["failuresSeen"] as const;

/** Up to when the signed-in person has seen what failed. */
export const failuresSeenQuery = queryOptions({
	queryKey: SEEN,
	queryFn: ({ signal }) => call<FailuresSeen>("GET", "/v1/failures/seen", { signal }),
});

/** Moves that mark. */
export function useMarkFailuresSeen() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (seenAt: string | null) => call<FailuresSeen>("PUT", "/v1/failures/seen", { body: { seenAt } }),
		onSuccess: (seen) => client.setQueryData(SEEN, seen),
	});
}

/** The last recording of the same test that passed before this one. */
export const lastPassedQuery = (recordingId: number) =>
	queryOptions({
		queryKey: ["lastPassed", recordingId] as const,
		queryFn: ({ signal }) => call<LastPassed>("GET", `/v1/recordings/${recordingId}/last-passed`, { signal }),
	});
