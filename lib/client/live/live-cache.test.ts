import { type InfiniteData, InfiniteQueryObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { expect, onTestFinished, test } from "vitest";
import { type JobFilters, matchesFilters } from "../job-filters.ts";
import { jobKeys, jobsQuery } from "../jobs.ts";
import { testKeys } from "../query-keys.ts";
import { recordingKeys } from "../recordings.ts";
import { runnerKeys } from "../runners.ts";
import { applyLiveEvents, keepEvents } from "./live-cache.ts";

const job = (id: number, change: Partial<Job> = {}): Job =>
	({
		id,
		organizationId: 1,
		runnerId: 1,
		type: "recording",
		displayId: ":99",
		name: `Job ${id}`,
		labels: {},
		stopCondition: "interrupt",
		stopConditionConfig: {},
		status: "queued",
		stopReason: null,
		error: null,
		createdAt: "2026-11-21T01:00:00.000Z",
		startedAt: null,
		stoppedAt: null,
		endedAt: null,
		cancelRequestedAt: null,
		createdBy: null,
		recording: null,
		...change,
	}) as Job;

function clientWith(...lists: [JobFilters, Job[]][]): QueryClient {
	const client = new QueryClient();
	for (const [filters, data] of lists) {
		client.setQueryData(jobKeys.list(filters), { pages: [{ data, nextCursor: null }], pageParams: [undefined] });
	}
	return client;
}

/** The ids that an unused list shows. */
const shown = (client: QueryClient, filters: JobFilters): number[] | undefined =>
	client
		.getQueryData<InfiniteData<Page<Job>>>(jobKeys.list(filters))
		?.pages.flatMap((page) => page.data.filter((one) => matchesFilters(one, filters)).map((one) => one.id));

test("a job enters and leaves lists according to their filters", () => {
	const recording: JobFilters = { status: ["recording"] };
	const ended: JobFilters = { status: ["completed"] };
	const client = clientWith([{}, [job(1)]], [recording, []], [ended, []], [{ runnerId: 2 }, []]);
	client.setQueryData(jobKeys.one(2), job(2));
	applyLiveEvents(client, [{ type: "job", data: job(2, { name: "Checkout", status: "recording" }) }]);
	expect([{}, recording, ended, { runnerId: 2 }].map((one) => shown(client, one))).toEqual([[2, 1], [2], [], []]);
	applyLiveEvents(client, [{ type: "job", data: job(2, { name: "Checkout", status: "completed" }) }]);
	expect([{}, recording, ended].map((one) => shown(client, one))).toEqual([[2, 1], [], [2]]);
	expect(client.getQueryData<Job>(jobKeys.one(2))?.status).toBe("completed");
});

test("a found job stays whatever its name is, and changes cause a new search", () => {
	const found: JobFilters = { q: "connection refused", status: ["queued"] };
	const client = clientWith([found, [job(1)]]);
	const isOutdated = () => client.getQueryState(jobKeys.list(found))?.isInvalidated;
	applyLiveEvents(client, [{ type: "job", data: job(3, { status: "completed" }) }]);
	expect([shown(client, found), isOutdated()]).toEqual([[1], false]);
	applyLiveEvents(client, [{ type: "job", data: job(2) }]);
	expect([shown(client, found), isOutdated()]).toEqual([[1], true]);
	applyLiveEvents(client, [{ type: "job", data: job(1, { name: "Renamed" }) }]);
	expect([shown(client, found), isOutdated()]).toEqual([[1], true]);
	// Other filters are judged here.
	applyLiveEvents(client, [{ type: "job", data: job(1, { status: "completed" }) }]);
	expect([shown(client, found), isOutdated()]).toEqual([[], true]);
});

test("the last of many events at once counts for each job, and observers are notified once", () => {
	const client = clientWith([{}, [job(1)]]);
	let notified = 0;
	const stop = new QueryObserver(client, { queryKey: jobKeys.list({}), enabled: false }).subscribe(() => notified++);
	const statuses = ["queued", "starting", "recording"] as const;
	applyLiveEvents(
		client,
		statuses.flatMap((status) => [3, 2].map((id) => ({ type: "job", data: job(id, { status }) }) as const)),
	);
	stop();
	expect(shown(client, {})).toEqual([3, 2, 1]);
	expect(client.getQueryData<InfiniteData<Page<Job>>>(jobKeys.list({}))?.pages[0]?.data[0]?.status).toBe("recording");
	expect(notified).toBe(1);
});

test("jobs that no page shows are not cached", () => {
	const client = clientWith([{}, [job(1)]]);
	applyLiveEvents(client, [{ type: "job", data: job(2) }]);
	expect(client.getQueryCache().findAll({ queryKey: ["jobs", "one"] })).toEqual([]);
});

test("a deleted recording is removed from its page and from its job, which is fetched again", () => {
	const recording = { id: 7 } as Job["recording"];
	const client = clientWith([{}, [job(4, { recording })]]);
	client.setQueryData(jobKeys.one(4), job(4, { recording }));
	client.setQueryData(recordingKeys.one(7), { id: 7 });
	applyLiveEvents(client, [{ type: "recording_deleted", data: { id: 7, jobId: 4 } }]);
	expect(client.getQueryData(recordingKeys.one(7))).toBeNull();
	expect(client.getQueryState(jobKeys.one(4))?.isInvalidated).toBe(true);
	const lists = client.getQueryData<InfiniteData<Page<Job>>>(jobKeys.list({}));
	expect(lists?.pages[0]?.data[0]?.recording).toBeNull();
});

test("a runner that is new or changed is in the list of runners; without a list none is created", () => {
	const client = new QueryClient();
	const runner = { id: 1, name: "a" } as never;
	applyLiveEvents(client, [{ type: "runner", data: runner }]);
	expect(client.getQueryData(runnerKeys.list)).toBeUndefined();
	client.setQueryData(runnerKeys.list, []);
	applyLiveEvents(client, [{ type: "runner", data: runner }]);
	applyLiveEvents(client, [{ type: "runner", data: { id: 1, name: "b" } as never }]);
	expect(client.getQueryData(runnerKeys.list)).toEqual([{ id: 1, name: "b" }]);
});

test("results of tests that changed mark all that is shown of tests as outdated", () => {
	const client = new QueryClient();
	const keys = [testKeys.list({ q: "flaky:yes" }), testKeys.history({ testId: 1 }), [...testKeys.all, "failures"]];
	for (const key of keys) client.setQueryData(key, {});
	applyLiveEvents(client, [{ type: "recording", data: { id: 1, jobId: null } as never }]);
	expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([false, false, false]);
	applyLiveEvents(client, [{ type: "tests", data: { jobId: 1, recordingId: null, testRunId: null } }]);
	expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
});

test("after a gap in the stream everything on screen is fetched again", () => {
	const client = clientWith([{}, [job(1)]]);
	onTestFinished(new QueryObserver(client, { queryKey: jobKeys.list({}), enabled: false }).subscribe(() => undefined));
	applyLiveEvents(client, [{ type: "resync", data: {} }]);
	expect(client.getQueryState(jobKeys.list({}))?.isInvalidated).toBe(true);
});

test("jobs that do not change stay the same objects, so that their rows do not render again", () => {
	const client = new QueryClient();
	const observer = new InfiniteQueryObserver(client, { ...jobsQuery({}), enabled: false });
	onTestFinished(observer.subscribe(() => undefined));
	const before = [job(4), job(3), job(2)];
	client.setQueryData(jobKeys.list({}), { pages: [{ data: before, nextCursor: null }], pageParams: [undefined] });
	applyLiveEvents(
		client,
		[5, 3].map((id) => ({ type: "job", data: job(id, { status: "recording" }) }) as const),
	);
	const after = client.getQueryData<InfiniteData<Page<Job>>>(jobKeys.list({}))?.pages[0]?.data ?? [];
	expect(after.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
	expect(after.map((one) => before.indexOf(one))).toEqual([-1, 0, -1, 2]);
});

const deferred = <T>() => Promise.withResolvers<T>();
type Answer = Page<Job>;

/** A list whose responses the test controls, one per page. */
function listOf(client: QueryClient, answers: Promise<Answer>[]) {
	const queryKey = jobKeys.list({});
	const observer = new InfiniteQueryObserver(client, {
		queryKey,
		initialPageParam: undefined as string | undefined,
		queryFn: () => answers.shift() ?? Promise.reject(new Error("one answer too many was requested")),
		getNextPageParam: (page: Answer) => page.nextCursor ?? undefined,
	});
	onTestFinished(observer.subscribe(() => undefined));
	return observer;
}

const statuses = (client: QueryClient) =>
	client
		.getQueryData<InfiniteData<Answer>>(jobKeys.list({}))
		?.pages.flatMap((page) => page.data.map(({ id, status }) => `${id} ${status}`));

test("a job created or ended while the list is fetched is shown correctly although the response is older", async () => {
	const client = new QueryClient();
	onTestFinished(keepEvents(client));
	const answer = deferred<Answer>();
	const list = listOf(client, [answer.promise]);
	applyLiveEvents(
		client,
		[2, 3].map((id) => ({ type: "job", data: job(id, { status: "completed" }) }) as const),
	);
	answer.resolve({ data: [job(2), job(1)], nextCursor: null });
	await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true);
	expect(statuses(client)).toEqual(["3 completed", "2 completed", "1 queued"]);
});

test("changes in earlier pages during the fetch of the next page are kept", async () => {
	const client = new QueryClient();
	onTestFinished(keepEvents(client));
	const next = deferred<Answer>();
	const first = Promise.resolve<Answer>({ data: [job(4), job(3)], nextCursor: "3" });
	const list = listOf(client, [first, next.promise]);
	await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true);
	void list.getCurrentResult().fetchNextPage();
	applyLiveEvents(
		client,
		[3, 5].map((id) => ({ type: "job", data: job(id, { status: "completed" }) }) as const),
	);
	next.resolve({ data: [job(2), job(1)], nextCursor: null });
	await expect.poll(() => list.getCurrentResult().isFetching).toBe(false);
	expect(statuses(client)).toEqual(["5 completed", "4 queued", "3 completed", "2 queued", "1 queued"]);
});

test("the response of a fetch replaces an event from before it", async () => {
	const client = new QueryClient();
	onTestFinished(keepEvents(client));
	applyLiveEvents(client, [{ type: "job", data: job(1, { status: "recording" }) }]);
	await new Promise((resolve) => setTimeout(resolve, 2));
	const answer = Promise.resolve<Answer>({ data: [job(1, { status: "failed" })], nextCursor: null });
	const list = listOf(client, [answer]);
	await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true);
	expect(statuses(client)).toEqual(["1 failed"]);
});

test("a recording or a runner that was deleted during a fetch does not come back with the response", async () => {
	const client = new QueryClient();
	onTestFinished(keepEvents(client));
	const runners = deferred<{ id: number }[]>();
	const recordings = deferred<InfiniteData<Page<{ id: number }>>["pages"][0]>();
	const fetched = Promise.all([
		client.fetchQuery({ queryKey: runnerKeys.list, queryFn: () => runners.promise }),
		client.fetchInfiniteQuery({
			queryKey: recordingKeys.list({}),
			initialPageParam: undefined,
			queryFn: () => recordings.promise,
		}),
	]);
	applyLiveEvents(client, [
		{ type: "runner_removed", data: { id: 1 } },
		{ type: "recording_deleted", data: { id: 1, jobId: null } },
	]);
	runners.resolve([{ id: 1 }, { id: 2 }]);
	recordings.resolve({ data: [{ id: 2 }, { id: 1 }], nextCursor: null });
	await fetched;
	expect(client.getQueryData(runnerKeys.list)).toEqual([{ id: 2 }]);
	expect(client.getQueryData(recordingKeys.list({}))).toMatchObject({ pages: [{ data: [{ id: 2 }] }] });
});

test("a list that was off screen while the stream was interrupted is fetched when it is shown again", async () => {
	const client = clientWith([{}, [job(1)]]);
	applyLiveEvents(client, [{ type: "resync", data: {} }]);
	// An event patches the list, which then counts as fresh although job 2, created meanwhile, is missing.
	applyLiveEvents(client, [{ type: "job", data: job(1, { status: "completed" }) }]);
	const shownAgain = new InfiniteQueryObserver(client, {
		...jobsQuery({}),
		staleTime: 30_000,
		queryFn: async () => ({ data: [job(2), job(1, { status: "completed" })], nextCursor: null }),
	});
	onTestFinished(shownAgain.subscribe(() => undefined));
	await expect.poll(() => shown(client, {})).toEqual([2, 1]);
});
