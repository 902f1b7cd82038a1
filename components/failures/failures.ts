/** Queries for the pages: failures in groups, decisions about them, and the failures that the user has seen. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { FailuresSeen } from "@tapedeck/contract/failure.ts";
import type {
	FailureGroup,
	FailureGrouping,
	FailureGroupList,
	LettingPass,
	Triage,
} from "@tapedeck/contract/test-failure.ts";
import { call } from "#lib/client/api.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { testKeys } from "#lib/client/query-keys.ts";
import { usableSearch } from "#lib/client/search-terms.ts";
import { useChange } from "#lib/client/use-change.ts";

/** The refetch interval, for changes without a live event, such as a mute that ends. */
const FETCH_AGAIN_MS = 30_000;

interface Asked {
	by: FailureGrouping;
	q: string;
	/** An RFC 3339 time. */
	failedAfter: string;
	muted: boolean;
	/** The maximum number of groups. */
	limit: number;
}

/** Failures after a time, in groups: the group with the newest failure first. */
export const failureGroupsQuery = ({ by, q, failedAfter, muted, limit }: Asked) =>
	queryOptions({
		queryKey: [...testKeys.all, "failures", { by, q, failedAfter, muted, limit }],
		queryFn: async ({ signal }) =>
			call<FailureGroupList>("GET", "/v1/test-failures", {
				query: { by, q: await usableSearch(q || undefined), failedAfter, muted: muted ? "yes" : "no", limit },
				signal,
			}),
		refetchInterval: (query) => whenOutdated(query) || FETCH_AGAIN_MS,
	});

/** Whether failures of a list have a video, or could have one: those of test runs without a display have none. */
export const hasVideos = (groups: readonly FailureGroup[]): boolean =>
	groups.some(({ newest }) => newest.recordingId !== null || newest.jobId !== null || newest.hasFrame);

const SEEN = ["failuresSeen"] as const;

/** Up to when the signed-in person has seen what failed. */
export const failuresSeenQuery = queryOptions({
	queryKey: SEEN,
	queryFn: ({ signal }) => call<FailuresSeen>("GET", "/v1/failures/seen", { signal }),
});

/** The number of tests with failures that the user has not seen, among as many failures as are grouped. */
export const unseenFailuresQuery = queryOptions({
	queryKey: [...testKeys.all, "failures", "unseen"],
	queryFn: ({ signal }) =>
		call<FailureGroupList>("GET", "/v1/test-failures", { query: { limit: 1 }, signal }).then(({ unseen }) => unseen),
	refetchInterval: (query) => whenOutdated(query) || FETCH_AGAIN_MS,
});

/** Moves that mark. */
export function useMarkFailuresSeen() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (seenAt: string | null) => call<FailuresSeen>("PUT", "/v1/failures/seen", { body: { seenAt } }),
		onSuccess: (seen) => {
			client.setQueryData(SEEN, seen);
			void client.invalidateQueries({ queryKey: [...testKeys.all, "failures"] });
		},
	});
}

/** Marks the current failures of a group as seen. Does nothing for a group without a key, or one that was seen. */
export function useMarkGroupSeen(by: FailureGrouping): (group: FailureGroup) => void {
	const { mutate } = useChange([...testKeys.all, "failures"], ({ key, newestAt }: FailureGroup) =>
		call<FailuresSeen>("PUT", "/v1/failures/seen", { body: { [by]: key, seenAt: newestAt } }),
	);
	return (group) => {
		if (group.key !== null && group.unseen > 0) mutate(group);
	};
}

/** The causes that let CI pass now. */
export const lettingPassQuery = queryOptions({
	queryKey: [...testKeys.all, "failures", "lettingPass"],
	queryFn: ({ signal }) => call<LettingPass>("GET", "/v1/failure-triage", { signal }),
	refetchInterval: (query) => whenOutdated(query) || FETCH_AGAIN_MS,
});

/** The subject of a decision: all failures of a cause, or of a test. */
export type TriageOf = { cause: string } | { testId: number };

/** A decision. Omitted fields stay unchanged. The end of a mute needs a reason. */
export type Decision = {
	assigneeUserId?: number | null;
	mutedUntil?: string | null;
	reason?: string;
	letsPass?: boolean;
};

/** Assigns or mutes the failures of a cause or of a test. */
export function useTriage(of: TriageOf) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (decision: Decision) => call<Triage>("PUT", "/v1/failure-triage", { body: { ...of, ...decision } }),
		onSettled: () => client.invalidateQueries({ queryKey: [...testKeys.all, "failures"] }),
	});
}
