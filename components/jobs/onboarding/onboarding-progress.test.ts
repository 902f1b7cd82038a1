import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { expect, test } from "vitest";
import { everHadVideo, onboardingProgress } from "./onboarding-progress.ts";

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

test("an online runner is preferred", () => {
	expect(onboardingProgress([runner(1, "offline"), runner(2, "online")], []).runner?.id).toBe(2);
	expect(onboardingProgress([runner(1, "offline")], []).runner?.id).toBe(1);
	expect(onboardingProgress([], [])).toEqual({ runner: null, job: null, recorded: false, hasVideo: false });
});

test("the job that is closest to a video is the one to show", () => {
	expect(onboardingProgress([], [queued, recording, failed])).toMatchObject({
		job: { id: 3 },
		recorded: true,
		hasVideo: false,
	});
	expect(onboardingProgress([], [queued, failed])).toMatchObject({ job: { id: 4 }, recorded: false });
	expect(onboardingProgress([], [queued, recording, ready, failed])).toMatchObject({ job: { id: 2 }, hasVideo: true });
});

test("a video that was deleted since still counts", () => {
	expect(everHadVideo([{ ...ready, recording: null } as Job])).toBe(true);
	expect(everHadVideo([queued, recording, failed])).toBe(false);
});
