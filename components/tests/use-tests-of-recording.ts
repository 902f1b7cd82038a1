"use client";

import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { useMemo, useState } from "react";
import { useNextPages } from "#lib/client/paging.ts";
import { firstFailureOf, nextFailureOf } from "./moments.ts";
import { testResultQuery, testResultsQuery } from "./tests.ts";

export interface TestsOfRecording {
	/** In the order of the video: at first the failures and the newest, then all. */
	all: readonly TestResult[];
	/** Whether `selected` is what the page begins with. */
	isKnown: boolean;
	/** The one to show: the chosen one, else the first failure. */
	selected: TestResult | undefined;
	select(result: TestResult): void;
	/** Selects the next failure (1) or the one before (-1), if something failed. */
	selectFailure(direction: 1 | -1): TestResult | undefined;
}

const PAGE_SIZE = 100;
/** What the page needs of all tests to begin: whether there are several. */
const FIRST_PAGE_SIZE = 10;

/**
 * The tests that a video shows, and which of them its page shows in full.
 * @param resultId the one that the address names; null if it names none
 */
export function useTestsOfRecording(recordingId: number, resultId: number | null): TestsOfRecording {
	// What the page begins with does not wait for hundreds of tests that passed.
	const failures = useInfiniteQuery(testResultsQuery({ recordingId, q: "outcome:failed outcome:error" }, PAGE_SIZE));
	const everything = useInfiniteQuery(testResultsQuery({ recordingId }, PAGE_SIZE, FIRST_PAGE_SIZE));
	useNextPages(everything, 0, 0, 0);
	const named = useQuery({ ...testResultQuery(resultId ?? 0), enabled: resultId !== null });
	const all = useMemo(() => inOrder([failures.data, everything.data]), [failures.data, everything.data]);
	const [chosen, choose] = useState<TestResult | null>(null);
	const fromAddress = named.data?.recordingId === recordingId ? named.data : undefined;
	const shown = chosen ?? fromAddress;
	const selected = shown === undefined ? firstFailureOf(all) : (all.find(({ id }) => id === shown.id) ?? shown);
	return {
		all,
		isKnown: ![failures, everything].some(({ isPending }) => isPending) && (resultId === null || !named.isPending),
		selected,
		select: choose,
		selectFailure: (direction) => {
			const next = nextFailureOf(all, selected?.id, direction);
			if (next !== undefined) choose(next);
			return next;
		},
	};
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
