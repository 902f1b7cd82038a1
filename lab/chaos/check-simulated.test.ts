import type { Job } from "@tapedeck/contract/job.ts";
import { expect, test } from "vitest";
import { checkJob, type SimulatedJobInput } from "./check-simulated.ts";

const pieces = ["first", "second", "third"].map((text) => Buffer.from(text));
const whole = Buffer.concat(pieces);

function input(change: { cancelled?: boolean; final?: object | null } & Partial<SimulatedJobInput> = {}) {
	const { cancelled = false, final, ...rest } = change;
	const stored = "stored" in change ? (change.stored ?? null) : whole;
	const ready = { status: "completed", stopReason: "duration_elapsed", startedAt: "2026-01-01T00:00:00.000Z" };
	const recording = { state: "ready" };
	const job = {
		...{ id: 1, cancelled, plan: { pause: 0, runner: 0, cancelAfter: null } },
		final: final === null ? null : ({ ...ready, recording, ...final } as unknown as Job),
	};
	const events = ["created", "starting", "recording", "stopped", "completed"].map((type) => ({ type }));
	return { job, stored, events, pieces, wasUnreachable: false, ...rest };
}

test("a whole video that ended once is right, and a cancelled one may end after any piece", () => {
	expect(checkJob(input())).toEqual([]);
	const final = { stopReason: "cancelled" };
	expect(checkJob(input({ cancelled: true, final, stored: whole.subarray(0, 11) }))).toEqual([]);
	expect(checkJob(input({ cancelled: true, final, stored: whole.subarray(0, 7) }))).toEqual([
		"7 of its 16 bytes are stored",
	]);
	expect(checkJob(input({ final, stored: whole.subarray(0, 11) }))).toHaveLength(1);
});

test("a byte that is missing, changed or of another runner is found", () => {
	expect(checkJob(input({ stored: whole.subarray(0, 15) }))).toEqual(["15 of its 16 bytes are stored"]);
	const changed = Buffer.from(whole);
	changed[9] = 0;
	const differs = (byte: number) => [`its stored video differs from what was recorded from byte ${byte} on`];
	expect(checkJob(input({ stored: changed }))).toEqual(differs(9));
	expect(checkJob(input({ stored: Buffer.concat([whole, pieces[0] as Buffer]) }))).toEqual(differs(16));
	expect(checkJob(input({ stored: null }))).toContain("its video is not stored");
});

test("a job that is gone, did not end, ended twice, or ended otherwise is found", () => {
	expect(checkJob(input({ final: null }))).toEqual(["it was created and is gone"]);
	expect(checkJob(input({ final: { status: "recording", stopReason: null } }))).toHaveLength(1);
	expect(checkJob(input({ final: { status: "failed", stopReason: "runner_lost" } }))).toHaveLength(1);
	const twice = [{ type: "completed" }, { type: "failed" }];
	expect(checkJob(input({ events: twice }))).toEqual(["its history has 2 ends"]);
	const returned = [{ type: "runner_lost" }, { type: "runner_returned" }, { type: "completed" }];
	expect(checkJob(input({ events: returned }))).toEqual([]);
});

test("a job that never began is right only where it was cancelled, or lost with its runner", () => {
	const lost = { status: "failed", stopReason: "runner_lost", startedAt: null, recording: null };
	expect(checkJob(input({ final: lost, stored: null }))).toEqual(["it is failed and never began"]);
	expect(checkJob(input({ final: lost, stored: null, wasUnreachable: true }))).toEqual([]);
	const cancelled = { ...lost, status: "cancelled" };
	expect(checkJob(input({ final: cancelled, stored: null, cancelled: true }))).toEqual([]);
});
