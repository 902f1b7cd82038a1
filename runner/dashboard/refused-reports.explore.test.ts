/** A dashboard, or a proxy in front of it, that refuses a runner's reports. */
import type { JobReport } from "@tapedeck/contract/runner-protocol.ts";
import { beforeEach, expect, test } from "vitest";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { type FakeJob, movesOf } from "../../test/runners/fake-job.ts";
import { spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
const { duration, status, reasonOf } = scene;

beforeEach(async () => {
	await scene.start();
});

/** Refuses every call that contains a matching report. */
const refuse = (misfit: (report: JobReport) => boolean): void => {
	scene.dashboard.refuseReports = ({ jobs }) => (jobs.some(misfit) ? 422 : null);
};
const typesOf = (job: FakeJob) => movesOf(job).map(({ type }) => type);

test("an end that is refused for its details is reported without them", async () => {
	refuse((report) => report.type === "stopped" && report.verdict !== undefined);
	const job = duration(1);
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	expect(scene.runner.output()).toContain(`Job ${job.order.id}: the dashboard refused the report "stopped"`);
	await scene.spoolEmpty();
});

test("an end that is refused for its reason is reported with one that every dashboard knows", async () => {
	refuse((report) => report.type === "failed" && report.code !== "ffmpeg_failed");
	const strange = { stopCondition: "lunar_phase", stopConditionConfig: {} };
	const job = scene.dashboard.order(scene.display.id, strange as never);
	await status(job, "failed");
	const [report] = job.reports;
	expect(report).toMatchObject({ type: "failed", message: expect.stringContaining('"not_supported"') });
	expect(report).toMatchObject({ message: expect.stringContaining("does not understand this job") });
});

test("an end that is refused in every form is kept and retried, also after a restart, without blocking other jobs", async () => {
	const stuck = duration(1);
	refuse((report) => report.jobId === stuck.order.id && report.type === "stopped");
	await until(
		() => scene.runner.output().includes("even without details"),
		() => scene.runner.output(),
	);
	const other = duration(1);
	await status(other, "completed");
	expect(typesOf(stuck)).toEqual(["recording"]);
	await until(async () => (await spooled(scene.dataDir)).length === 1, "the refused one alone is in the spool");
	await scene.kill();
	await scene.start();
	await until(
		() => scene.runner.output().includes("even without details"),
		() => scene.runner.output(),
	);
	scene.dashboard.refuseReports = () => null;
	await status(stuck, "completed");
	expect(reasonOf(stuck)).toBe("duration_elapsed");
	await scene.spoolEmpty();
});

test("the end of a job is not sent before its refused beginning", async () => {
	const job = duration(1);
	refuse((report) => report.type === "recording");
	await until(
		() => scene.runner.output().includes("ended after"),
		() => scene.runner.output(),
	);
	await until(
		() => scene.runner.output().includes("even without details"),
		() => scene.runner.output(),
	);
	scene.dashboard.refuseReports = () => null;
	await status(job, "completed");
	expect(typesOf(job)).toEqual(["recording", "stopped"]);
});

test("refused displays do not hold back reports", async () => {
	scene.dashboard.refuseReports = () => 503;
	const job = duration(1);
	const another = await startXvfb();
	try {
		await scene.runner.says(`Display ${another.id} found`);
		await scene.runner.says("ended after");
		scene.dashboard.refuseReports = ({ displays }) => (displays === undefined ? null : 422);
		await status(job, "completed");
	} finally {
		await another.stop();
	}
});
