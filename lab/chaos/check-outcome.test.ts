import type { Job } from "@tapedeck/contract/job.ts";
import type { StopReason } from "@tapedeck/contract/job-status.ts";
import { expect, test } from "vitest";
import { allowedGaps, endOf } from "./allowances.ts";
import { checkOutcome, faultsOf } from "./check-outcome.ts";
import type { FaultKind } from "./plan.ts";
import type { Fault, JobRecord, SpooledJob } from "./run-record.ts";

const EPOCH = 1_000_000;
const instant = (ms: number) => new Date(EPOCH + ms).toISOString();

const final = (status: Job["status"], stopReason: StopReason | null, changes: Partial<Job> = {}): Job =>
	({
		...{ id: 1, status, stopReason, startedAt: instant(10_000), stoppedAt: instant(20_000), endedAt: instant(21_000) },
		error: status === "failed" ? { code: stopReason, message: "Words." } : null,
		recording: { id: 1, state: "ready", durationSeconds: 10 },
		...changes,
	}) as Job;

const jobOf = (stopCondition: JobRecord["plan"]["stopCondition"], changes: Partial<JobRecord> = {}): JobRecord => ({
	id: 1,
	plan: { origin: "dashboard", pause: 0, runner: 0, display: 0, stopCondition, seconds: 10, cancel: null, gridGap: 0 },
	...{ createdAt: 9_000, cancel: null, idleFrom: null, final: null },
	...changes,
});

const fault = (kind: FaultKind, from: number, struck: SpooledJob[], to = from + 1_000): Fault => ({
	...{ kind, runner: 0, from, to, struck },
});

const check = (job: JobRecord, faults: Fault[] = []) => checkOutcome(job, faultsOf(job, faults, 20_000), EPOCH);
const cancel = { asked: 19_900, answered: 19_950 };

test("without a fault a job ends by its own condition, and by nothing else", () => {
	expect(check(jobOf("duration", { final: final("completed", "duration_elapsed") }))).toBeNull();
	expect(check(jobOf("interrupt", { cancel, final: final("completed", "cancelled") }))).toBeNull();
	expect(check(jobOf("selenium_idle", { idleFrom: 15_000, final: final("completed", "selenium_idle") }))).toBeNull();
	expect(check(jobOf("interrupt", { final: final("completed", "cancelled") }))).toContain("ended as cancelled");
	expect(check(jobOf("selenium_idle", { final: final("completed", "selenium_idle") }))).toContain("selenium_idle");
	expect(check(jobOf("duration", { final: final("failed", "ffmpeg_failed") }))).toContain("ffmpeg_failed (Words.)");
	expect(check(jobOf("duration", { final: final("completed", "runner_shutdown") }))).toContain("runner_shutdown");
});

test("a job that vanished, is not over, or lacks its recording is reported", () => {
	expect(check(jobOf("duration"))).toContain("is gone");
	expect(check(jobOf("duration", { final: final("recording", null, { endedAt: null }) }))).toContain("not over");
	const without = final("completed", "duration_elapsed", { recording: null });
	expect(check(jobOf("duration", { final: without }))).toContain("no recording");
});

test("an ffmpeg that was killed or hung ends no job", () => {
	for (const kind of ["kill_ffmpeg", "freeze_ffmpeg", "kill_runner", "kill_dashboard", "stall"] as const) {
		const faults = [fault(kind, 15_000, [1])];
		expect(check(jobOf("duration", { final: final("completed", "duration_elapsed") }), faults)).toBeNull();
		expect(check(jobOf("duration", { final: final("failed", "ffmpeg_failed") }), faults)).toContain("ffmpeg_failed");
		expect(check(jobOf("duration", { final: final("failed", "runner_lost") }), faults)).toContain("runner_lost");
	}
});

test("runner and ffmpeg killed: the job says so, and claims no end of its own", () => {
	const faults = [fault("kill_runner_and_ffmpeg", 15_000, [1])];
	expect(check(jobOf("duration", { final: final("failed", "ffmpeg_failed") }), faults)).toBeNull();
	expect(check(jobOf("duration", { final: final("completed", "duration_elapsed") }), faults)).toContain(
		"duration_elapsed",
	);
	const others = [fault("kill_runner_and_ffmpeg", 15_000, [2])];
	expect(check(jobOf("duration", { final: final("failed", "ffmpeg_failed") }), others)).toContain("ffmpeg_failed");
});

test("runner and ffmpeg killed within 2 s of the first frame may leave no recording, later not", () => {
	const job = jobOf("duration", { final: final("failed", "ffmpeg_failed", { recording: null }) });
	expect(check(job, [fault("kill_runner_and_ffmpeg", 11_900, [1])])).toBeNull();
	expect(check(job, [fault("kill_runner_and_ffmpeg", 12_100, [1])])).toContain("no recording");
});

test("a worker whose X server was killed says so: lost after the first frame, unavailable before", () => {
	const plan = { ...jobOf("interrupt").plan, origin: "worker" as const };
	const killed = [fault("kill_xvfb", 15_000, [1])];
	const lost = jobOf("interrupt", { plan, final: final("failed", "display_lost") });
	const unavailable = (startedAt: string | null) =>
		jobOf("interrupt", { plan, final: final("failed", "display_unavailable", { startedAt, recording: null }) });
	expect(check(lost, killed)).toBeNull();
	expect(check(unavailable(null), killed)).toBeNull();
	expect(check(unavailable(instant(10_000)), killed)).toContain("display_unavailable");
	expect(check(unavailable(null))).toContain("display_unavailable");
});

test("an end that was decided before the fault may stand", () => {
	const faults = [fault("kill_runner_and_ffmpeg", 15_000, [1])];
	const asked = { asked: 14_900, answered: 14_950 };
	expect(check(jobOf("interrupt", { cancel: asked, final: final("completed", "cancelled") }), faults)).toBeNull();
	expect(check(jobOf("interrupt", { cancel: asked, final: final("failed", "ffmpeg_failed") }), faults)).toBeNull();
});

test("a container stop and a full disk are reported by their names", () => {
	const stopped = [fault("terminate_runner", 15_000, [1])];
	expect(check(jobOf("duration", { final: final("completed", "runner_shutdown") }), stopped)).toBeNull();
	expect(check(jobOf("duration", { final: final("completed", "duration_elapsed") }), stopped)).toContain(
		"duration_elapsed",
	);
	const full = [fault("fill_runner_disk", 15_000, [1])];
	expect(check(jobOf("duration", { final: final("failed", "storage_full") }), full)).toBeNull();
	expect(check(jobOf("duration", { final: final("failed", "storage_full") }))).toContain("storage_full");
});

test("a fault of another runner, or of another time, excuses nothing", () => {
	const elsewhere = { ...fault("fill_runner_disk", 15_000, []), runner: 1 };
	const later = fault("fill_runner_disk", 30_000, []);
	const storage = jobOf("duration", { final: final("failed", "storage_full") });
	expect(check(storage, [elsewhere])).toContain("storage_full");
	expect(check(storage, [later])).toContain("storage_full");
});

test("only what struck the job's own ffmpeg may leave a gap", () => {
	const job = jobOf("duration", { final: final("completed", "duration_elapsed") });
	const gaps = (kind: FaultKind, ids: number[]) => allowedGaps(faultsOf(job, [fault(kind, 15_000, ids)], 20_000));
	expect(gaps("kill_ffmpeg", [2])).toEqual([]);
	expect(gaps("kill_runner", [1])).toEqual([]);
	expect(gaps("stall", [1])).toEqual([]);
	const [gap] = gaps("kill_ffmpeg", [1]);
	expect(gap?.from).toBe(14_500);
	expect(gap?.to).toBeLessThanOrEqual(17_000);
});

test("a cancel is obeyed soon, or as soon as a cut network works again", () => {
	const job = jobOf("interrupt", { cancel, final: final("completed", "cancelled") });
	expect(endOf(job, [], EPOCH)).toMatchObject({ from: 19_900 });
	expect(endOf(job, [], EPOCH).to).toBeLessThan(21_500);
	const cut = faultsOf(job, [fault("stall", 19_000, [], 40_000)], 41_000);
	expect(endOf(job, cut, EPOCH).to).toBeGreaterThan(40_000);
});

test("a full disk ends a recording that it struck, not one that was queued then", () => {
	const job = jobOf("duration", { final: final("failed", "storage_full") });
	const struck = faultsOf(
		job,
		[fault("fill_runner_disk", 5_000, [7], 11_000), fault("fill_runner_disk", 19_000, [1])],
		41_000,
	);
	expect(endOf(job, struck, EPOCH)).toMatchObject({ from: 19_000 });
});
