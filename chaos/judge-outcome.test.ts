import { expect, test } from "vitest";
import type { Job, StopReason } from "#lib/contract/job.ts";
import { allowedGaps, endOf } from "./allowances.ts";
import type { Fault, JobFacts } from "./facts.ts";
import { faultsOf, judgeOutcome } from "./check-outcome.ts";
import type { FaultKind } from "./plan.ts";

const EPOCH = 1_000_000;
const instant = (ms: number) => new Date(EPOCH + ms).toISOString();

const final = (status: Job["status"], stopReason: StopReason | null, changes: Partial<Job> = {}): Job =>
	({
		...{ id: 1, status, stopReason, startedAt: instant(10_000), stoppedAt: instant(20_000), endedAt: instant(21_000) },
		error: status === "failed" ? { code: stopReason, message: "Words." } : null,
		recording: { id: 1, state: "ready", durationSeconds: 10 },
		...changes,
	}) as Job;

const job = (stopCondition: JobFacts["plan"]["stopCondition"], changes: Partial<JobFacts> = {}): JobFacts => ({
	id: 1,
	plan: { pause: 0, runner: 0, display: 0, stopCondition, seconds: 10, cancel: null, gridGap: 0 },
	...{ createdAt: 9_000, cancel: null, idleFrom: null, final: null },
	...changes,
});

const fault = (kind: FaultKind, from: number, jobIds: number[], to = from + 1_000): Fault => ({
	...{ kind, runner: 0, from, to, jobIds },
});

const judge = (facts: JobFacts, faults: Fault[] = []) => judgeOutcome(facts, faultsOf(facts, faults, 20_000), EPOCH);
const cancel = { asked: 19_900, answered: 19_950 };

test("without a fault a job ends by its own condition, and by nothing else", () => {
	expect(judge(job("duration", { final: final("completed", "duration_elapsed") }))).toBeNull();
	expect(judge(job("interrupt", { cancel, final: final("completed", "cancelled") }))).toBeNull();
	expect(judge(job("selenium_idle", { idleFrom: 15_000, final: final("completed", "selenium_idle") }))).toBeNull();
	expect(judge(job("interrupt", { final: final("completed", "cancelled") }))).toContain("ended as cancelled");
	expect(judge(job("selenium_idle", { final: final("completed", "selenium_idle") }))).toContain("selenium_idle");
	expect(judge(job("duration", { final: final("failed", "ffmpeg_failed") }))).toContain("ffmpeg_failed (Words.)");
	expect(judge(job("duration", { final: final("completed", "runner_shutdown") }))).toContain("runner_shutdown");
});

test("a job that vanished, is not over, or lacks its recording is told", () => {
	expect(judge(job("duration"))).toContain("not there any more");
	expect(judge(job("duration", { final: final("recording", null, { endedAt: null }) }))).toContain("not over");
	const without = final("completed", "duration_elapsed", { recording: null });
	expect(judge(job("duration", { final: without }))).toContain("no recording");
});

test("an ffmpeg that was killed or hung ends no job", () => {
	for (const kind of ["kill_ffmpeg", "freeze_ffmpeg", "kill_runner", "kill_dashboard", "stall"] as const) {
		const faults = [fault(kind, 15_000, [1])];
		expect(judge(job("duration", { final: final("completed", "duration_elapsed") }), faults)).toBeNull();
		expect(judge(job("duration", { final: final("failed", "ffmpeg_failed") }), faults)).toContain("ffmpeg_failed");
		expect(judge(job("duration", { final: final("failed", "runner_lost") }), faults)).toContain("runner_lost");
	}
});

test("runner and ffmpeg killed: the job says so, and claims no end of its own", () => {
	const faults = [fault("kill_runner_and_ffmpeg", 15_000, [1])];
	expect(judge(job("duration", { final: final("failed", "ffmpeg_failed") }), faults)).toBeNull();
	expect(judge(job("duration", { final: final("completed", "duration_elapsed") }), faults)).toContain(
		"duration_elapsed",
	);
	const others = [fault("kill_runner_and_ffmpeg", 15_000, [2])];
	expect(judge(job("duration", { final: final("failed", "ffmpeg_failed") }), others)).toContain("ffmpeg_failed");
});

test("an end that was decided before the fault may stand", () => {
	const faults = [fault("kill_runner_and_ffmpeg", 15_000, [1])];
	const asked = { asked: 14_900, answered: 14_950 };
	expect(judge(job("interrupt", { cancel: asked, final: final("completed", "cancelled") }), faults)).toBeNull();
	expect(judge(job("interrupt", { cancel: asked, final: final("failed", "ffmpeg_failed") }), faults)).toBeNull();
});

test("a container stop and a full disk are told by their names", () => {
	const stopped = [fault("terminate_runner", 15_000, [1])];
	expect(judge(job("duration", { final: final("completed", "runner_shutdown") }), stopped)).toBeNull();
	expect(judge(job("duration", { final: final("completed", "duration_elapsed") }), stopped)).toContain(
		"duration_elapsed",
	);
	const full = [fault("fill_runner_disk", 15_000, [1])];
	expect(judge(job("duration", { final: final("failed", "storage_full") }), full)).toBeNull();
	expect(judge(job("duration", { final: final("failed", "storage_full") }))).toContain("storage_full");
});

test("a fault of another runner, or of another time, excuses nothing", () => {
	const elsewhere = { ...fault("fill_runner_disk", 15_000, []), runner: 1 };
	const later = fault("fill_runner_disk", 30_000, []);
	const storage = job("duration", { final: final("failed", "storage_full") });
	expect(judge(storage, [elsewhere])).toContain("storage_full");
	expect(judge(storage, [later])).toContain("storage_full");
});

test("only what struck the job's own ffmpeg may leave a gap", () => {
	const facts = job("duration", { final: final("completed", "duration_elapsed") });
	const gaps = (kind: FaultKind, ids: number[]) => allowedGaps(faultsOf(facts, [fault(kind, 15_000, ids)], 20_000));
	expect(gaps("kill_ffmpeg", [2])).toEqual([]);
	expect(gaps("kill_runner", [1])).toEqual([]);
	expect(gaps("stall", [1])).toEqual([]);
	const [gap] = gaps("kill_ffmpeg", [1]);
	expect(gap?.from).toBe(14_500);
	expect(gap?.to).toBeLessThanOrEqual(17_000);
});

test("a cancel is obeyed soon, and after a cut network when it is mended", () => {
	const facts = job("interrupt", { cancel, final: final("completed", "cancelled") });
	expect(endOf(facts, [], EPOCH)).toMatchObject({ from: 19_900 });
	expect(endOf(facts, [], EPOCH).to).toBeLessThan(21_500);
	const cut = faultsOf(facts, [fault("stall", 19_000, [], 40_000)], 41_000);
	expect(endOf(facts, cut, EPOCH).to).toBeGreaterThan(40_000);
});

test("a full disk ends a recording that it struck, not one that waited for its turn then", () => {
	const facts = job("duration", { final: final("failed", "storage_full") });
	const struck = faultsOf(
		facts,
		[fault("fill_runner_disk", 5_000, [7], 11_000), fault("fill_runner_disk", 19_000, [1])],
		41_000,
	);
	expect(endOf(facts, struck, EPOCH)).toMatchObject({ from: 19_000 });
});
