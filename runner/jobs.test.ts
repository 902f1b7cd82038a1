import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { FakeJob } from "#test/runners/fake-dashboard.ts";
import { nothingLeft, probe, until } from "#test/runners/runner-process.ts";
import { runnerScene } from "#test/runners/runner-scene.ts";
import { writeXauthority } from "#test/displays/xauthority.ts";
import { startXvfb } from "#test/displays/xvfb.ts";

const scene = runnerScene({ display: { width: 641, height: 361 } });
const { interrupt, duration, reasonOf, spoolEmpty } = scene;

beforeEach(async () => {
	await scene.start();
});

const ended = (job: FakeJob, timeoutMs = 20_000) =>
	until(
		() => ["completed", "failed", "cancelled"].includes(job.status),
		() => `job ended, but it is ${job.status}:\n${scene.runner.output()}`,
		timeoutMs,
	);
const recording = (job: FakeJob) => scene.status(job, "recording");

test("a duration job is exact to the frame, cut to even sizes, and leaves the spool empty", async () => {
	const job = duration(3);
	await ended(job);
	expect(job.status).toBe("completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	const video = await probe(await scene.dashboard.video(job));
	expect(video).toMatchObject({ durationSeconds: expect.closeTo(3, 3), width: 640, height: 360, faults: "" });
	expect(job.posters.length).toBeGreaterThan(0);
	expect(job.reports.map(({ seq }) => seq)).toEqual([1, 2]);
	const [first, last] = job.reports;
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThan(2_850);
	expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeLessThanOrEqual(3_000);
	await spoolEmpty();
});

test("an interrupt job records until it is cancelled and its video arrives within a second of the stop", async () => {
	const job = interrupt();
	await recording(job);
	await until(() => job.uploadId !== null && !job.uploadComplete, "bytes arrive while it records");
	const cancelledAt = performance.now();
	scene.dashboard.cancel(job);
	await ended(job);
	expect(reasonOf(job)).toBe("cancelled");
	expect((job.completeAt ?? 0) - cancelledAt).toBeLessThan(1_500);
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
});

test("several jobs record one display at once, each with its own end", async () => {
	const jobs = [1, 2].map((durationSeconds) => duration(durationSeconds));
	const open = interrupt();
	await Promise.all(jobs.map((job) => ended(job)));
	expect(open.status).toBe("recording");
	scene.dashboard.cancel(open);
	await ended(open);
	const lengths = await Promise.all(
		jobs.map(async (job) => (await probe(await scene.dashboard.video(job))).durationSeconds),
	);
	expect(lengths).toEqual([expect.closeTo(1, 3), expect.closeTo(2, 3)]);
});

test("a display that dies: the job ends as display_lost and what was captured is kept", async () => {
	const doomed = await startXvfb();
	const job = interrupt(doomed.id);
	await recording(job);
	await until(() => job.uploadId !== null, "bytes arrive");
	await doomed.kill();
	await until(
		// The upload and the report arrive in either order.
		() => job.uploadComplete && reasonOf(job) !== undefined,
		() => scene.runner.output(),
	);
	expect(reasonOf(job)).toBe("display_lost");
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
	await spoolEmpty();
	await doomed.stop();
});

test("a display that does not come within 10 s fails the job; cancelled while it waits, it leaves no video", async () => {
	const [waiting, cancelled] = [interrupt(":54321"), interrupt(":54322")];
	await until(() => cancelled.status === "starting", "it starts");
	scene.dashboard.cancel(cancelled);
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
	const job = duration(1, gone.id);
	await until(() => job.status === "starting", "it starts");
	const back = await startXvfb({ number: gone.number });
	await ended(job);
	expect(job.status).toBe("completed");
	await back.stop();
});

test("a job whose recording was deleted in the dashboard ends, and nothing of it is kept", async () => {
	const job = interrupt();
	await recording(job);
	scene.dashboard.deleteRecording(job);
	await spoolEmpty();
	await nothingLeft(`${scene.dataDir}/jobs`);
});

test("a display that refuses the runner fails the job with the remedy, and is recorded by one that has its authority", async () => {
	const auth = join(scene.folder, "authority");
	await writeXauthority(auth, randomBytes(16));
	const guarded = await startXvfb({ auth });
	try {
		const refused = duration(1, guarded.id);
		await ended(refused);
		const report = refused.reports.find(({ type }) => type === "failed");
		expect(report).toMatchObject({ code: "display_unavailable", message: expect.stringContaining("XAUTHORITY") });
		await scene.runner.stop();
		scene.launch({ env: { XAUTHORITY: auth } });
		const allowed = duration(1, guarded.id);
		await ended(allowed);
		expect(reasonOf(allowed)).toBe("duration_elapsed");
		expect(await probe(await scene.dashboard.video(allowed))).toMatchObject({
			durationSeconds: expect.closeTo(1, 3),
			faults: "",
		});
	} finally {
		await guarded.stop();
	}
}, 60_000);
