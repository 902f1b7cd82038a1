/** Runners for the pages. An organization has few of them, so all are fetched together. */
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Job, JobStatus } from "../contract/job.ts";
import type { Page } from "../contract/page.ts";
import type { Runner } from "../contract/runner.ts";
import { call } from "./api.ts";
import { jobsSince } from "./jobs.ts";
import { type Kind, NewerFacts } from "./newer-facts.ts";

const newerRunners = new NewerFacts<Runner>();

export const runnerKeys = {
	list: ["runners"] as const,
	removed: ["removed-runners"] as const,
	lastJobs: (runnerId: number) => ["runners-last-jobs", runnerId] as const,
};

async function everyRunner(removed: "true" | undefined, signal: AbortSignal): Promise<Runner[]> {
	const runners: Runner[] = [];
	let cursor: string | undefined;
	do {
		const query = { cursor, limit: 100, removed };
		const page: Page<Runner> = await call("GET", "/v1/runners", { query, signal });
		runners.push(...page.data);
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return runners;
}

export const runnersQuery = () =>
	queryOptions({ queryKey: runnerKeys.list, queryFn: ({ signal }) => everyRunner(undefined, signal) });

/** Those that were removed: their jobs still show their names. */
export const removedRunnersQuery = () =>
	queryOptions({ queryKey: runnerKeys.removed, queryFn: ({ signal }) => everyRunner("true", signal) });

export const ENDED = ["completed", "failed", "cancelled"] as const satisfies readonly JobStatus[];
const LEASED: readonly JobStatus[] = ["starting", "recording", "uploading"];
const LAST_JOBS = 5;

/** The last jobs of a runner that are over, newest first. */
export const lastJobsQuery = (runnerId: number) =>
	queryOptions({
		queryKey: runnerKeys.lastJobs(runnerId),
		queryFn: ({ signal }) =>
			call<Page<Job>>("GET", "/v1/jobs", { query: { runnerId, status: ENDED, limit: LAST_JOBS }, signal }).then(
				(page) => page.data,
			),
	});

/** Brings what changed of jobs to their runners: what runs, what waits, and what ended last. */
export function applyJobsToRunners(client: QueryClient, jobs: readonly Job[]): void {
	if (jobs.length === 0) return;
	client.setQueryData<Runner[]>(runnerKeys.list, (runners) =>
		runners?.map((runner) => {
			const own = jobs.filter((job) => job.runnerId === runner.id);
			return own.length === 0 ? runner : { ...runner, ...jobIdsWith(runner, own) };
		}),
	);
	for (const job of jobs) {
		if (!(ENDED as readonly JobStatus[]).includes(job.status)) continue;
		client.setQueryData<Job[]>(runnerKeys.lastJobs(job.runnerId), (last) => {
			if (last === undefined) return undefined;
			const all = [job, ...last.filter(({ id }) => id !== job.id)].sort((a, b) => b.id - a.id);
			return all.slice(0, LAST_JOBS);
		});
	}
}

function jobIdsWith(runner: Runner, jobs: readonly Job[]): Pick<Runner, "runningJobIds" | "waitingJobIds"> {
	const changed = new Set(jobs.map(({ id }) => id));
	const idsWith = (before: readonly number[], statuses: readonly JobStatus[]) =>
		[
			...before.filter((id) => !changed.has(id)),
			...jobs.filter(({ status }) => statuses.includes(status)).map(({ id }) => id),
		].sort((a, b) => a - b);
	return {
		runningJobIds: idsWith(runner.runningJobIds, LEASED),
		waitingJobIds: idsWith(runner.waitingJobIds, ["queued"]),
	};
}

/**
 * What a display shows now, as JPEG.
 * @returns null when nobody can tell: its runner is offline, or older than pictures, or the display went away; and
 *   when the signal was aborted.
 */
export async function fetchDisplayPicture(
	runnerId: number,
	displayId: string,
	signal: AbortSignal,
): Promise<Blob | null> {
	try {
		const path = `/v1/runners/${runnerId}/displays/${displayId.slice(1)}/picture`;
		const answer = await fetch(path, { signal, credentials: "same-origin" });
		return answer.ok ? await answer.blob() : null;
	} catch {
		return null;
	}
}

/** Shows `runner` everywhere. */
export function applyRunner(client: QueryClient, runner: Runner): void {
	newerRunners.note(runner.id, runner);
	showRunner(client, runner);
}

function showRunner(client: QueryClient, runner: Runner): void {
	client.setQueryData<Runner[]>(runnerKeys.list, (runners) => {
		if (runners === undefined) return undefined;
		const known = runners.some((one) => one.id === runner.id);
		return known ? runners.map((one) => (one.id === runner.id ? runner : one)) : [...runners, runner];
	});
}

/** What a runner is called, also one that was removed, which is only asked for then; undefined while nobody knows. */
export function useRunnerName(runnerId: number): string | undefined {
	const runners = useQuery(runnersQuery()).data;
	const here = runners?.find(({ id }) => id === runnerId);
	const removed = useQuery({ ...removedRunnersQuery(), enabled: runners !== undefined && here === undefined }).data;
	return (here ?? removed?.find(({ id }) => id === runnerId))?.name;
}

/** Takes a removed runner away everywhere. */
export function forgetRunner(client: QueryClient, runnerId: number): void {
	newerRunners.note(runnerId, null);
	hideRunner(client, runnerId);
	void client.invalidateQueries({ queryKey: runnerKeys.removed });
}

const hideRunner = (client: QueryClient, runnerId: number): void =>
	void client.setQueryData<Runner[]>(runnerKeys.list, (runners) => runners?.filter((one) => one.id !== runnerId));

export const RUNNERS: Kind = {
	key: runnerKeys.list[0],
	showSince(client, since) {
		newerRunners.showSince(
			since,
			(runner) => showRunner(client, runner),
			(id) => hideRunner(client, id),
		);
		applyJobsToRunners(client, jobsSince(since));
	},
};

/** Gives a runner another name to show. */
export function useRenameRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ id, name }: { id: number; name: string }) =>
			call<Runner>("PATCH", `/v1/runners/${id}`, { body: { name } }),
		onSuccess: (runner) => applyRunner(client, runner),
	});
}

/** Removes a runner for good. */
export function useRemoveRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<void>("DELETE", `/v1/runners/${id}`),
		onSuccess: (_nothing, id) => forgetRunner(client, id),
	});
}
