"use client";

import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { useMemo, useRef } from "react";
import { useNextPages } from "#lib/client/paging.ts";
import { firstFailureOf, resultAt } from "./moments.ts";
import { isFailure } from "./result-icon.tsx";
import { testResultQuery, testResultsQuery } from "./tests.ts";

export interface TestsOfRecording {
	/** In the order of the video: at first the failures and the newest, then all. */
	all: readonly TestResult[];
	/** Whether `selected` is what the page begins with. */
	isKnown: boolean;
	/** The result to show: the one of the address, else the first failure. */
	selected: TestResult | undefined;
}

/** The result to show, from the address. */
interface Addressed {
	/** Null if it names none. */
	resultId: number | null;
	/** A moment of the video; 0 if it names none. */
	seconds: number;
}

const PAGE_SIZE = 100;
/** Facts about all tests that the page needs first: whether there are several. */
const FIRST_PAGE_SIZE = 10;

/** The tests that a video shows, and which of them its page shows in full. */
export function useTestsOfRecording(recordingId: number, { resultId, seconds }: Addressed): TestsOfRecording {
	// The first content of the page does not wait for hundreds of passed tests.
	const failures = useInfiniteQuery(testResultsQuery({ recordingId, q: "outcome:failed outcome:error" }, PAGE_SIZE));
	const everything = useInfiniteQuery(testResultsQuery({ recordingId }, PAGE_SIZE, FIRST_PAGE_SIZE));
	useNextPages(everything, 0, 0, 0);
	const named = useQuery({ ...testResultQuery(resultId ?? 0), enabled: resultId !== null });
	const all = useMemo(() => inOrder([failures.data, everything.data]), [failures.data, everything.data]);
	const listed = all.find(({ id }) => id === resultId);
	const fromAddress = listed ?? (named.data?.recordingId === recordingId ? named.data : undefined);
	const atMoment = seconds === 0 ? undefined : resultAt(all, seconds);
	const isNamedKnown = resultId === null || listed !== undefined || !named.isPending;
	// The moment may be that of a test that passed, which comes with one of the next pages.
	const isMomentKnown =
		resultId !== null ||
		seconds === 0 ||
		(atMoment !== undefined && isFailure(atMoment)) ||
		!everything.hasNextPage ||
		everything.isError;
	// The first page that was loaded stays, also if later ones fail.
	const isKnown = useRef(false);
	isKnown.current ||= ![failures, everything].some(({ isPending }) => isPending) && isNamedKnown && isMomentKnown;
	return { all, isKnown: isKnown.current, selected: fromAddress ?? atMoment ?? firstFailureOf(all) };
}

function inOrder(lists: readonly (InfiniteData<Page<TestResult>> | undefined)[]): TestResult[] {
	const results = lists.flatMap((list) => list?.pages.flatMap(({ data }) => data) ?? []);
	return [...new Map(results.map((result) => [result.id, result])).values()].toSorted(
		(a, b) =>
			(a.offsetSeconds ?? 0) - (b.offsetSeconds ?? 0) ||
			Date.parse(a.startedAt) - Date.parse(b.startedAt) ||
			a.id - b.id,
	);
}
