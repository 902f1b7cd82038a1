"use client";

import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { matchesSearch } from "@tapedeck/contract/search.ts";
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

/** What the cached lists of this tab contain, newest first. */
function known<T extends { id: number; name: string }>(client: QueryClient, key: readonly unknown[]): T[] {
	const byId = new Map<number, T>();
	for (const [, list] of client.getQueriesData<Pages<T>>({ queryKey: key })) {
		for (const page of list?.pages ?? []) for (const item of page.data) byId.set(item.id, item);
	}
	return [...byId.values()].sort((one, other) => other.id - one.id);
}

/** `own` first, then what else the server found. */
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

const searchedJob = (job: Job) => ({ ...job, verdict: job.recording?.verdict ?? null });
const searchedRecording = (recording: Recording) => ({ ...recording, status: null });
/** Of one test, several results are found. */
const RESULTS_FOR_TESTS = 30;
const testsIn = (results: readonly TestResult[]): TestResult[] =>
	[...new Map(results.toReversed().map((result) => [result.testId, result])).values()].reverse().slice(0, SHOWN);
const nameOf = ({ name }: { name: string }): string => name;
const buildOf = ({ build }: Build): string => build;

/** What is found: first from the cache, then what the server finds. Without a text, the newest. */
export function usePaletteResults(search: PaletteSearch): PaletteResults {
	const client = useQueryClient();
	const { terms, q, isPlain } = search;
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
	// Only the server knows which runner a name stands for, and what sessions there were.
	const isKnownHere = terms.every(({ kind }) => kind !== "runner" && kind !== "session");
	// The last answer is kept until the next one arrives, as far as it matches the current text.
	const isCurrent = settled === q;
	const found = <T extends { id: number; name: string }>(
		cached: T[],
		answer: { data?: T[]; isPlaceholderData: boolean },
		searched: (one: T) => Parameters<typeof matchesSearch>[1],
	): T[] => {
		const matching = (items: T[]) => items.filter((one) => matchesSearch(terms, searched(one)));
		const own = isKnownHere ? matching(cached) : [];
		if (q === "") return merged(own, []);
		const answered = answer.data ?? [];
		const others = isCurrent && !answer.isPlaceholderData ? answered : matching(answered);
		return merged(bestFirst(own, search, nameOf), bestFirst(others, search, nameOf));
	};
	return {
		jobs: found(known<Job>(client, jobKeys.lists), jobs, searchedJob),
		recordings: found(known<Recording>(client, recordingKeys.lists), recordings, searchedRecording),
		tests: q === "" ? [] : testsIn(tests.data ?? []),
		builds: q === "" ? [] : bestMatches(builds.data ?? [], search, buildOf),
		runners: bestMatches(runners, search, nameOf).slice(0, SHOWN),
		searching:
			q !== "" && (!isCurrent || jobs.isFetching || recordings.isFetching || tests.isFetching || builds.isFetching),
	};
}
