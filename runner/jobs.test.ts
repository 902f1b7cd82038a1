import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Child } from "#e2e/fixtures/child.ts";
import { FakeDashboard, type FakeJob } from "#e2e/fixtures/fake-dashboard.ts";
import {
	nothingLeft,
	probe,
	removeFolder,
	spooled,
	startRunner,
	temporaryFolder,
	until,
} from "#e2e/fixtures/runner-process.ts";
import { writeXauthority } from "#e2e/fixtures/xauthority.ts";
import { startXvfb, type VirtualDisplay } from "#e2e/fixtures/xvfb.ts";

let display: VirtualDisplay;
let dashboard: FakeDashboard;
let dataDir: string;
let runner: Child;

beforeAll(async () => {
	display = await startXvfb({ width: 641, height: 361 });
	await display.move();
});
afterAll(() => display.stop());

beforeEach(async () => {
	dashboard = await FakeDashboard.start();
	dataDir = await temporaryFolder();
	runner = startRunner({ url: dashboard.url, dataDir });
	await runner.says("Connected to");
});
afterEach(async () => {
	await runner.stop();
	await nothingLeft(dataDir);
	await dashboard.stop();
	await removeFolder(dataDir);
});

const ended = (job: FakeJob, timeoutMs = 20_000) =>
	until(
		() => ["completed", "failed", "cancelled"].includes(job.status),
		() => `job ended, but it is ${job.status}:\n${runner.output()}`,
		timeoutMs,
	);
const recording = (job: FakeJob) =>
	until(
		() => job.status === "recording",
		() => `recording:\n${runner.output()}`,
	);
const reasonOf = (job: FakeJob) => {
	const report = job.reports.find(({ type }) => type === "stopped");
	return report?.type === "stopped" ? report.stopReason : undefined;
};

test("a duration job is exact to the frame, cut to even sizes, and leaves the spool empty", async () => {
	const job = dashboard.order(display.id, { stopCondition: "duration", stopConditionConfig: { durationSeconds: 3 } });
	await ended(job);
	expect(job.status).toBe("completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	const video = await probe(await dashboard.video(job));
	expect(video).toMatchObject({ frames: 45, width: 640, height: 360, faults: "" });
	expect(video.durationSeconds).toBeCloseTo(3, 3);
	expect(job.posters.length).toBeGreaterThan(0);
	expect(job.reports.map(({ seq }) => seq)).toEqual([1, 2]);
	const [first, last] = job.reports;
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThan(2_850);
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeLessThanOrEqual(3_000);
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
});

test("an interrupt job records until it is cancelled and its video arrives within a second of the stop", async () => {
	const job = dashboard.order(display.id, { stopCondition: "interrupt", stopConditionConfig: {} });
	await recording(job);
	await until(() => job.uploadId !== null && !job.uploadComplete, "bytes arrive while it records");
	const cancelledAt = performance.now();
	dashboard.cancel(job);
	await ended(job);
	expect(reasonOf(job)).toBe("cancelled");
	expect((job.completeAt ?? 0) - cancelledAt).toBeLessThan(1_500);
	expect((await probe(await dashboard.video(job))).faults).toBe("");
});

test("several jobs record one display at once, each with its own end", async () => {
	const jobs = [1, 2].map((durationSeconds) =>
		dashboard.order(display.id, { stopCondition: "duration", stopConditionConfig: { durationSeconds } }),
	);
	const open = dashboard.order(display.id, { stopCondition: "interrupt", stopConditionConfig: {} });
	await Promise.all(jobs.map((job) => ended(job)));
	expect(open.status).toBe("recording");
	dashboard.cancel(open);
	await ended(open);
	const frames = await Promise.all(jobs.map(async (job) => (await probe(await dashboard.video(job))).frames));
	expect(frames).toEqual([15, 30]);
});

test("a display that dies: the job ends as display_lost and what was captured is kept", async () => {
	const doomed = await startXvfb();
	const job = dashboard.order(doomed.id, { stopCondition: "interrupt", stopConditionConfig: {} });
	await recording(job);
	await until(() => job.uploadId !== null, "bytes arrive");
	await doomed.kill();
	await until(
		// The upload and the report arrive in either order.
		() => job.uploadComplete && reasonOf(job) !== undefined,
		() => runner.output(),
	);
	expect(reasonOf(job)).toBe("display_lost");
	expect((await probe(await dashboard.video(job))).faults).toBe("");
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
	await doomed.stop();
});

test("a display that does not come within 10 s fails the job; cancelled while it waits, it leaves no video", async () => {
	const rule = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const [waiting, cancelled] = [dashboard.order(":54321", rule), dashboard.order(":54322", rule)];
	await until(() => cancelled.status === "starting", "it starts");
	dashboard.cancel(cancelled);
	await ended(cancelled);
	expect(cancelled.status).toBe("cancelled");
	expect(waiting.status).toBe("starting");
	await ended(waiting);
	expect(waiting.reports).toMatchObject([{ type: "failed", code: "display_unavailable" }]);
	expect([waiting.uploadId, cancelled.uploadId]).toEqual([null, null]);
});

test("a display that comes while the job waits for it is recorded", async () => {
	// Not one of the lowest numbers, which another server would take in the meantime.
	const gone = await startXvfb({ number: 30_000 + (process.pid % 10_000) });
	await gone.stop();
	const rule = { stopCondition: "duration", stopConditionConfig: { durationSeconds: 1 } } as const;
	const job = dashboard.order(gone.id, rule);
	await until(() => job.status === "starting", "it starts");
	const back = await startXvfb({ number: gone.number });
	await ended(job);
	expect(job.status).toBe("completed");
	await back.stop();
});

test("a job that is not this runner's any more ends, and nothing of it is kept", async () => {
	const job = dashboard.order(display.id, { stopCondition: "interrupt", stopConditionConfig: {} });
	await recording(job);
	dashboard.forget(job);
	await until(async () => (await spooled(dataDir)).length === 0, "the spool is empty");
	await nothingLeft(`${dataDir}/jobs`);
});

test("a display that refuses the runner fails the job with the remedy, and is recorded by one that has its authority", async () => {
	const auth = join(dataDir, "authority");
	await writeXauthority(auth, randomBytes(16));
	const guarded = await startXvfb({ auth });
	try {
		const order = { stopCondition: "duration" as const, stopConditionConfig: { durationSeconds: 1 } };
		const refused = dashboard.order(guarded.id, order);
		await ended(refused);
		const report = refused.reports.find(({ type }) => type === "failed");
		expect(report).toMatchObject({ code: "display_unavailable", message: expect.stringContaining("XAUTHORITY") });
		await runner.stop();
		runner = startRunner({ url: dashboard.url, dataDir, env: { XAUTHORITY: auth } });
		const allowed = dashboard.order(guarded.id, order);
		await ended(allowed);
		expect(reasonOf(allowed)).toBe("duration_elapsed");
		expect(await probe(await dashboard.video(allowed))).toMatchObject({ frames: 15, faults: "" });
	} finally {
		await guarded.stop();
	}
}, 60_000);
