import type { Job } from "@tapedeck/contract/job.ts";
import { expect, test } from "vitest";
import { checkAutoRecord } from "./check-auto-record.ts";
import type { FaultKind } from "./plan.ts";
import type { Fault, JobRecord } from "./run-record.ts";

const EPOCH = 1_000_000;
const instant = (ms: number) => new Date(EPOCH + ms).toISOString();

const job = (id: number, startedAt: number, stoppedAt: number): JobRecord => ({
	...{ id, createdAt: startedAt, cancel: null, idleFrom: null },
	plan: {
		...{ origin: "auto-record", runner: 0, display: 0, stopCondition: "interrupt" },
		...{ pause: 0, seconds: 0, cancel: null, gridGap: 0 },
	},
	final: { id, startedAt: instant(startedAt), stoppedAt: instant(stoppedAt) } as Job,
});

const fault = (kind: FaultKind, from: number, to: number): Fault => ({ kind, runner: 0, from, to, struck: [] });
const check = (jobs: JobRecord[], faults: Fault[] = []) => checkAutoRecord(jobs, faults, EPOCH);

test("one recording after the other, each begun soon after its runner was back, is as it must be", () => {
	expect(check([job(1, 1_000, 60_000)])).toEqual([]);
	const killed = fault("kill_runner_and_ffmpeg", 60_500, 65_000);
	expect(check([job(2, 69_000, 90_000), job(1, 1_000, 60_000)], [killed])).toEqual([]);
});

test("a stretch without a recording needs a fault that ended one, and no more than its time", () => {
	const jobs = [job(1, 1_000, 60_000), job(2, 69_000, 90_000)];
	expect(check(jobs)).toEqual(["auto-record recorded nothing for 9.00 s between jobs 1 and 2"]);
	expect(check(jobs, [fault("kill_runner", 60_500, 65_000)])).toHaveLength(1);
	expect(check(jobs, [fault("terminate_runner", 20_000, 25_000)])).toHaveLength(1);
	const late = [job(1, 1_000, 60_000), job(2, 89_000, 90_000)];
	expect(check(late, [fault("terminate_runner", 60_500, 65_000)])).toHaveLength(1);
});

test("an auto-record that never began is wrong", () => {
	expect(check([])).toEqual(["auto-record recorded nothing"]);
});
