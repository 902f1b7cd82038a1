import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { expect, onTestFinished, test } from "vitest";
import { runnerKeys } from "#lib/client/runners.ts";
import { noteOf, runnerSummaries } from "./job-note.ts";

const job = (change: Partial<Job>) => ({ stopCondition: "interrupt", stopReason: null, ...change }) as Job;
const runner = (change: Partial<Runner>) => ({ state: "online", lastSeenAt: null, ...change }) as Runner;

test("a queued job shows that its runner is offline, and since when", () => {
	const since = "2026-11-21T01:00:00.000Z";
	const away = runner({ state: "offline", lastSeenAt: since });
	expect(noteOf(job({ status: "queued" }), away)).toEqual({ kind: "offline", since });
	expect(noteOf(job({ status: "queued" }), runner({ state: "offline" }))).toEqual({ kind: "offline", since: null });
	expect(noteOf(job({ status: "queued" }), runner({}))).toEqual({ kind: "waiting" });
	expect(noteOf(job({ status: "recording" }), away)).toBeNull();
});

test("an unusual ending is shown", () => {
	const ended = (change: Partial<Job>) => noteOf(job({ status: "completed", ...change }), undefined);
	expect(noteOf(job({ status: "failed" }), undefined)).toEqual({ kind: "failed" });
	expect(ended({ stopReason: "grid_unreachable" })).toEqual({ kind: "ended", reason: "grid_unreachable" });
	expect(ended({ stopCondition: "duration", stopReason: "cancelled" } as Partial<Job>)).toEqual({
		kind: "stopped-early",
	});
	expect(ended({ stopReason: "cancelled" })).toBeNull();
	expect(ended({ stopCondition: "duration", stopReason: "duration_elapsed" } as Partial<Job>)).toBeNull();
});

test("a row's view of a runner keeps its identity while other fields of the runner change", () => {
	const client = new QueryClient();
	const observer = new QueryObserver(client, { queryKey: runnerKeys.list, enabled: false, select: runnerSummaries });
	onTestFinished(observer.subscribe(() => undefined));
	const summariesAfter = (change: Partial<Runner>) => {
		client.setQueryData(runnerKeys.list, [runner({ id: 1, name: "a", ...change })]);
		return observer.getCurrentResult().data;
	};
	const first = summariesAfter({ runningJobIds: [] });
	expect(summariesAfter({ runningJobIds: [4], lastSeenAt: "2026-11-21" })).toBe(first);
	expect(summariesAfter({ state: "offline", lastSeenAt: "2026-11-21" })).toEqual([
		{ id: 1, name: "a", state: "offline", lastSeenAt: "2026-11-21" },
	]);
});
