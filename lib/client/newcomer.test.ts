import { expect, test } from "vitest";
import type { Job } from "../contract/job.ts";
import type { Runner } from "../contract/runner.ts";
import { everHadVideo, newcomerWay } from "./newcomer.ts";

const AT = "2026-11-21T10:00:00.000Z";
const runner = (id: number, state: Runner["state"]) => ({ id, state }) as Runner;
const job = (id: number, fields: Partial<Job>): Job =>
	({ id, status: "queued", startedAt: null, endedAt: null, recording: null, ...fields }) as Job;

const queued = job(4, {});
const recording = job(3, { status: "recording", startedAt: AT, recording: { state: "live" } as Job["recording"] });
const ready = job(2, {
	status: "completed",
	startedAt: AT,
	endedAt: AT,
	recording: { state: "ready" } as Job["recording"],
});
const failed = job(1, { status: "failed", endedAt: AT });

test("a runner that is there goes before one that is not", () => {
	expect(newcomerWay([runner(1, "offline"), runner(2, "online")], []).runner?.id).toBe(2);
	expect(newcomerWay([runner(1, "offline")], []).runner?.id).toBe(1);
	expect(newcomerWay([], [])).toEqual({ runner: null, job: null, recorded: false, hasVideo: false });
});

test("the job that is nearest to a video is the one that is told of", () => {
	expect(newcomerWay([], [queued, recording, failed])).toMatchObject({
		job: { id: 3 },
		recorded: true,
		hasVideo: false,
	});
	expect(newcomerWay([], [queued, failed])).toMatchObject({ job: { id: 4 }, recorded: false });
	expect(newcomerWay([], [queued, recording, ready, failed])).toMatchObject({ job: { id: 2 }, hasVideo: true });
});

test("a video that was deleted since still counts as one that was there", () => {
	expect(everHadVideo([{ ...ready, recording: null } as Job])).toBe(true);
	expect(everHadVideo([queued, recording, failed])).toBe(false);
});
