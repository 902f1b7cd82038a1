"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { testHistoryQuery, testResultQuery } from "#components/tests/tests.ts";
import { lastPassedQuery } from "../last-passed.ts";

/** The same number as on the page of a recording, so that both need one request. */
const NEWEST = 20;

interface Compared {
	recordingId: number;
	/** Undefined for a recording without test results. */
	result: TestResult | undefined;
	/** Whether the answer is wanted. */
	enabled: boolean;
}

/** Whether there is something that passed to compare a failure with; false until that is known. */
export function useHasPassed({ recordingId, result, enabled }: Compared): boolean {
	const history = useInfiniteQuery({
		...testHistoryQuery({ testId: result?.testId ?? 0 }, NEWEST),
		enabled: enabled && result !== undefined,
	});
	const newest = history.data?.pages[0] ?? null;
	const isBefore = (one: TestResult | null | undefined): boolean =>
		one?.outcome === "passed" &&
		one.recordingId !== null &&
		result !== undefined &&
		Date.parse(one.startedAt) < Date.parse(result.startedAt);
	const isListed = newest?.data.some(isBefore) === true;
	const lastId = isListed ? null : (newest?.summary.lastPassedId ?? null);
	const last = useQuery({ ...testResultQuery(lastId ?? 0), enabled: enabled && lastId !== null });
	const isOfTest = isListed || isBefore(last.data);
	const isTestKnown = result === undefined || (!history.isLoading && !last.isLoading);
	const byRecording = useQuery({ ...lastPassedQuery(recordingId), enabled: enabled && isTestKnown && !isOfTest });
	return enabled && (isOfTest || byRecording.data?.recording != null);
}
