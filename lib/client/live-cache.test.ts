import { type InfiniteData, QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Job } from "../contract/job.ts";
import type { Page } from "../contract/page.ts";
import type { JobFilters } from "./job-filters.ts";
import { jobKeys } from "./jobs.ts";
import { applyLiveEvent } from "./live-cache.ts";
import { recordingKeys } from "./recordings.ts";
import { runnerKeys } from "./runners.ts";

const job = (id: number, change: Partial<Job> = {}): Job =>
	({
		id,
		organizationId: 1,
		runnerId: 1,
		type: "recording",
		displayId: ":99",
		name: `Job ${id}`,
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

const shown = (client: QueryClient, filters: JobFilters): number[] | undefined =>
	client
		.getQueryData<InfiniteData<Page<Job>>>(jobKeys.list(filters))
		?.pages.flatMap((page) => page.data.map((one) => one.id));

test("a job enters and leaves each list as its filters say", () => {
	const recording: JobFilters = { status: ["recording"] };
	const ended: JobFilters = { status: ["completed"] };
	const checkout: JobFilters = { q: "CHECK" };
	const client = clientWith([{}, [job(1)]], [recording, []], [ended, []], [checkout, []], [{ runnerId: 2 }, []]);
	applyLiveEvent(client, { type: "job", data: job(2, { name: "Checkout", status: "recording" }) });
	expect([{}, recording, ended, checkout, { runnerId: 2 }].map((one) => shown(client, one))).toEqual([
		[2, 1],
		[2],
		[],
		[2],
		[],
	]);
	applyLiveEvent(client, { type: "job", data: job(2, { name: "Checkout", status: "completed" }) });
	expect([{}, recording, ended].map((one) => shown(client, one))).toEqual([[2, 1], [], [2]]);
	expect(client.getQueryData<Job>(jobKeys.one(2))?.status).toBe("completed");
});

test("a deleted recording is gone from its page, and its job is asked for again", () => {
	const client = clientWith([{}, [job(4)]]);
	client.setQueryData(jobKeys.one(4), job(4));
	client.setQueryData(recordingKeys.one(7), { id: 7 });
	applyLiveEvent(client, { type: "recording_deleted", data: { id: 7, jobId: 4 } });
	expect(client.getQueryData(recordingKeys.one(7))).toBeNull();
	expect(client.getQueryState(jobKeys.one(4))?.isInvalidated).toBe(true);
});

test("a runner that comes, or changes, is in the list of runners; without a list nothing is made up", () => {
	const client = new QueryClient();
	const runner = { id: 1, name: "a" } as never;
	applyLiveEvent(client, { type: "runner", data: runner });
	expect(client.getQueryData(runnerKeys.list)).toBeUndefined();
	client.setQueryData(runnerKeys.list, []);
	applyLiveEvent(client, { type: "runner", data: runner });
	applyLiveEvent(client, { type: "runner", data: { id: 1, name: "b" } as never });
	expect(client.getQueryData(runnerKeys.list)).toEqual([{ id: 1, name: "b" }]);
});

test("after a gap everything is asked for again", () => {
	const client = clientWith([{}, [job(1)]]);
	applyLiveEvent(client, { type: "resync", data: {} });
	expect(client.getQueryState(jobKeys.list({}))?.isInvalidated).toBe(true);
});
