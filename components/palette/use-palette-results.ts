"use client";

import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { useEffect, useState } from "react";
import { call } from "#lib/client/api.ts";
import { jobKeys } from "#lib/client/jobs.ts";
import type { Pages } from "#lib/client/page-cache.ts";
import { recordingKeys } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { bestFirst, bestMatches, type PaletteSearch } from "./matches.ts";

const SHOWN = 6;
/** The server is searched once typing pauses, not for each letter. */
const PAUSE_MS = 120;

const foundQuery = <T>(path: "/v1/jobs" | "/v1/recordings" | "/v1/builds" | "/v1/tests", text: string, limit = SHOWN) =>
	queryOptions({
		queryKey: ["palette", path, text] as const,
		queryFn: ({ signal }) =>
			call<Page<T>>("GET", path, { query: { q: text, limit }, signal }).then((page) => page.data),
		enabled: text !== "",
		staleTime: 5_000,
		gcTime: 30_000,
	});

/** The items in this tab's cached lists, newest first. */
function known<T extends { id: number; name: string }>(client: QueryClient, key: readonly unknown[]): T[] {
	const byId = new Map<number, T>();
	for (const [, list] of client.getQueriesData<Pages<T>>({ queryKey: key })) {
		for (const page of list?.pages ?? []) for (const item of page.data) byId.set(item.id, item);
	}
	return [...byId.values()].sort((one, other) => other.id - one.id);
}

/** `own` first, then the server's further results. */
function merged<T extends { id: number }>(own: T[], found: T[]): T[] {
	const ids = new Set(own.map(({ id }) => id));
	return [...own, ...found.filter(({ id }) => !ids.has(id))].slice(0, SHOWN);
}

function useSettled(text: string): string {
	const [settled, setSettled] = useState("");
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), text === "" ? 0 : PAUSE_MS);
		return () => clearTimeout(timer);
	}, [text]);
	return settled;
}

export interface PaletteResults {
	jobs: Job[];
	recordings: Recording[];
	/** Each with its newest result that was found. */
	tests: TestResult[];
	builds: Build[];
	runners: Runner[];
	/** The server has not answered for the current text yet. */
	searching: boolean;
}

/** The number of results to request: several may belong to one test. */
const RESULTS_FOR_TESTS = 30;
const testsIn = (results: readonly TestResult[]): TestResult[] =>
	[...new Map(results.toReversed().map((result) => [result.testId, result])).values()].reverse().slice(0, SHOWN);
const nameOf = ({ name }: { name: string }): string => name;
const buildOf = ({ build }: Build): string => build;

/** The results: those from the cache first, then those from the server. Without a text, the newest items. */
export function usePaletteResults(search: PaletteSearch): PaletteResults {
	const client = useQueryClient();
	const { q, isPlain } = search;
	const settled = useSettled(q);
	const jobs = useQuery({ ...foundQuery<Job>("/v1/jobs", settled), placeholderData: keepPreviousData });
	const recordings = useQuery({
		...foundQuery<Recording>("/v1/recordings", settled),
		placeholderData: keepPreviousData,
	});
	const builds = useQuery({
		...foundQuery<Build>("/v1/builds", isPlain ? settled : ""),
		placeholderData: keepPreviousData,
	});
	const tests = useQuery({
		...foundQuery<TestResult>("/v1/tests", settled, RESULTS_FOR_TESTS),
		placeholderData: keepPreviousData,
	});
	const runners = useQuery(runnersQuery()).data ?? [];
	const isCurrent = settled === q;
	/** Names are compared here until the server has answered, which knows of labels, error lines, runners and tests. */
	const found = <T extends { id: number; name: string }>(
		cached: T[],
		{ data = [], isPlaceholderData }: { data?: T[]; isPlaceholderData: boolean },
	): T[] => {
		const own = bestMatches(cached, search, nameOf);
		if (q === "") return merged(own, []);
		const isAnswered = isCurrent && !isPlaceholderData;
		return merged(own, isAnswered ? bestFirst(data, search, nameOf) : bestMatches(data, search, nameOf));
	};
	return {
		jobs: found(known<Job>(client, jobKeys.lists), jobs),
		recordings: found(known<Recording>(client, recordingKeys.lists), recordings),
		tests: q === "" ? [] : testsIn(tests.data ?? []),
		builds: q === "" ? [] : bestMatches(builds.data ?? [], search, buildOf),
		runners: bestMatches(runners, search, nameOf).slice(0, SHOWN),
		searching:
			q !== "" && (!isCurrent || jobs.isFetching || recordings.isFetching || tests.isFetching || builds.isFetching),
	};
}
