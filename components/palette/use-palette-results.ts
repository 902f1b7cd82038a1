"use client";

import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "#lib/client/api.ts";
import { jobKeys } from "#lib/client/jobs.ts";
import type { Pages } from "#lib/client/page-cache.ts";
import { recordingKeys } from "#lib/client/recordings.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Job } from "#lib/contract/job.ts";
import type { Page } from "#lib/contract/page.ts";
import type { Recording } from "#lib/contract/recording.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { bestMatches } from "./matches.ts";

const SHOWN = 6;
/** The server is searched once typing pauses, not for each letter. */
const PAUSE_MS = 120;

const foundQuery = <T>(path: "/v1/jobs" | "/v1/recordings", text: string) =>
	queryOptions({
		queryKey: ["palette", path, text] as const,
		queryFn: ({ signal }) =>
			call<Page<T>>("GET", path, { query: { q: text, limit: SHOWN }, signal }).then((page) => page.data),
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
	runners: Runner[];
	/** The server has not answered for the current text yet. */
	searching: boolean;
}

/** What matches the text: first from the cache, then what the server finds. Without a text, the newest. */
export function usePaletteResults(text: string): PaletteResults {
	const client = useQueryClient();
	const wanted = text.trim();
	const settled = useSettled(wanted);
	const jobs = useQuery({ ...foundQuery<Job>("/v1/jobs", settled), placeholderData: keepPreviousData });
	const recordings = useQuery({
		...foundQuery<Recording>("/v1/recordings", settled),
		placeholderData: keepPreviousData,
	});
	const runners = useQuery(runnersQuery()).data ?? [];
	const fits = <T extends { name: string }>(items: T[]) => bestMatches(items, wanted, ({ name }) => name);
	return {
		// The last answer is kept until the next one arrives, as far as it matches the current text.
		jobs: merged(fits(known<Job>(client, jobKeys.lists)), wanted === "" ? [] : fits(jobs.data ?? [])),
		recordings: merged(
			fits(known<Recording>(client, recordingKeys.lists)),
			wanted === "" ? [] : fits(recordings.data ?? []),
		),
		runners: fits(runners).slice(0, SHOWN),
		searching: wanted !== "" && (settled !== wanted || jobs.isFetching || recordings.isFetching),
	};
}
