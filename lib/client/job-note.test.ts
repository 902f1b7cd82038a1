import { expect, test } from "vitest";
import type { Job } from "../contract/job.ts";
import type { Runner } from "../contract/runner.ts";
import { noteOf, runnerFacts } from "./job-note.ts";

const job = (change: Partial<Job>) => ({ stopCondition: "interrupt", stopReason: null, ...change }) as Job;
const runner = (change: Partial<Runner>) => ({ state: "online", lastSeenAt: null, ...change }) as Runner;

test("a queued job tells that its runner is away, and since when", () => {
	const since = "2026-11-21T01:00:00.000Z";
	const away = runner({ state: "offline", lastSeenAt: since });
	expect(noteOf(job({ status: "queued" }), away)).toEqual({ kind: "offline", since });
	expect(noteOf(job({ status: "queued" }), runner({ state: "offline" }))).toEqual({ kind: "offline", since: null });
	expect(noteOf(job({ status: "queued" }), runner({}))).toEqual({ kind: "waiting" });
	expect(noteOf(job({ status: "recording" }), away)).toBeNull();
});

test("an ending is told when it is not the usual one", () => {
	const ended = (change: Partial<Job>) => noteOf(job({ status: "completed", ...change }), undefined);
	expect(noteOf(job({ status: "failed" }), undefined)).toEqual({ kind: "failed" });
	expect(ended({ stopReason: "grid_unreachable" })).toEqual({ kind: "ended", reason: "grid_unreachable" });
	expect(ended({ stopCondition: "duration", stopReason: "cancelled" } as Partial<Job>)).toEqual({
		kind: "stopped-early",
	});
	expect(ended({ stopReason: "cancelled" })).toBeNull();
	expect(ended({ stopCondition: "duration", stopReason: "duration_elapsed" } as Partial<Job>)).toBeNull();
});

test("what a row tells of a runner stays the same while only the rest of the runner changes", () => {
	const first = runnerFacts([runner({ id: 1, name: "a", runningJobIds: [] })], new Map());
	const second = runnerFacts([runner({ id: 1, name: "a", runningJobIds: [4], lastSeenAt: "2026-11-21" })], first);
	expect(second.get(1)).toBe(first.get(1));
	const away = runnerFacts([runner({ id: 1, name: "a", state: "offline" })], second);
	expect(away.get(1)?.state).toBe("offline");
});
