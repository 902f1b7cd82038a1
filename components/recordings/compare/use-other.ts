"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { LastPassed } from "@tapedeck/contract/failure.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { testHistoryQuery, testResultQuery } from "#components/tests/tests.ts";
import { recordingQuery } from "#lib/client/recordings.ts";
import { lastPassedQuery } from "../last-passed.ts";

interface Wanted {
	/** A recording that the address names. */
	withId: number | null;
	/** A result that the address names. */
	againstId: number | null;
	/** The compared result. Null if the recording has no test results, undefined while that is unknown. */
	result: TestResult | null | undefined;
}

export interface Other {
	isPending: boolean;
	error: Error | null;
	/** Whether the address names a missing item, or one whose video was deleted. */
	isMissing: boolean;
	/** Criteria of the search for a passed recording, if it found none. */
	nonePassed: LastPassed["matchedBy"] | null;
	recording: Recording | null;
	/** The test in it that is compared; null for the whole video. */
	result: TestResult | null;
	/** A note for the user about the choice. */
	note: string | null;
	refetch(): Promise<unknown>;
}

export const historyToCompare = (testId: number) => testHistoryQuery({ testId }, 100);

/**
 * The recording to compare with: the one that the address names, otherwise the last one in which the same test passed
 * before.
 */
export function useOther(recordingId: number, { withId, againstId, result }: Wanted): Other {
	const isOpen = withId === null && againstId === null;
	const named = useQuery({ ...testResultQuery(againstId ?? 0), enabled: againstId !== null });
	const history = useInfiniteQuery({ ...historyToCompare(result?.testId ?? 0), enabled: result != null });
	const results = history.data?.pages.flatMap((page) => page?.data ?? []) ?? [];
	const passed = isOpen && result != null ? lastPassedBefore(result, results) : undefined;
	// By the recording's label or name: for recordings without results, and for tests whose last pass is long ago.
	const isUnknown = isOpen && (result === undefined || history.isLoading);
	const byRecording = useQuery({
		...lastPassedQuery(recordingId),
		enabled: isOpen && !isUnknown && passed === undefined,
	});
	const found = passed === undefined ? byRecording.data : undefined;

	const other =
		named.data ?? passed ?? results.find((one) => withId !== null && one.recordingId === withId) ?? undefined;
	const id = withId ?? other?.recordingId ?? null;
	const recording = useQuery({ ...recordingQuery(id ?? 0), enabled: id !== null });
	const queries = [named, history, byRecording, recording];
	const chosen = found?.recording ?? recording.data ?? null;
	const sameBranch = passed === undefined ? found?.sameBranch !== false : isSameBranch(result, passed);
	return {
		isPending: isUnknown || queries.some(({ isLoading }) => isLoading),
		error: queries.find(({ isError }) => isError)?.error ?? null,
		isMissing: id === null ? againstId !== null && !named.isPending : recording.data === null,
		nonePassed: found?.recording === null ? found.matchedBy : null,
		recording: chosen,
		result: other ?? results.find((one) => one.recordingId === chosen?.id) ?? null,
		note:
			isOpen && !sameBranch && chosen !== null
				? `From ${chosen.labels.branch ?? "another branch"}. No passing recording on this branch.`
				: null,
		refetch: () => Promise.all(queries.filter(({ isError }) => isError).map((query) => query.refetch())),
	};
}

const isSameBranch = (one: TestResult | null | undefined, other: TestResult): boolean =>
	one?.labels.branch === other.labels.branch;

/** @param results the newest first */
function lastPassedBefore(result: TestResult, results: readonly TestResult[]): TestResult | undefined {
	const passed = results.filter(
		({ outcome, recordingId, startedAt }) =>
			outcome === "passed" && recordingId !== null && Date.parse(startedAt) < Date.parse(result.startedAt),
	);
	return passed.find((one) => isSameBranch(result, one)) ?? passed[0];
}
