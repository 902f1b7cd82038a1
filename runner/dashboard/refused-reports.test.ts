/** A dashboard, or a proxy before it, that refuses what a runner reports. */
import { beforeEach, expect, test } from "vitest";
import type { FakeJob } from "#test/runners/fake-dashboard.ts";
import { spooled, until } from "#test/runners/runner-process.ts";
import { runnerScene } from "#test/runners/runner-scene.ts";
import { startXvfb } from "#test/displays/xvfb.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";

const scene = runnerScene();
const { duration, status, reasonOf } = scene;

beforeEach(async () => {
	await scene.start();
});

/** Refuses every call with such a report in it. */
const refuse = (misfit: (report: JobReport) => boolean): void => {
	scene.dashboard.refuses = ({ jobs }) => (jobs.some(misfit) ? 422 : null);
};
const typesOf = (job: FakeJob) => job.reports.map(({ type }) => type);

test("an end that is refused for its details is reported without them, and the job ends", async () => {
	refuse((report) => report.type === "stopped" && report.verdict !== undefined);
	const job = duration(1);
	await status(job, "completed");
	expect(reasonOf(job)).toBe("duration_elapsed");
	expect(scene.runner.output()).toContain(`Job ${job.order.id}: the dashboard refused the report "stopped"`);
	await scene.spoolEmpty();
});

test("an end that is refused for its reason is reported under one that every dashboard knows", async () => {
	refuse((report) => report.type === "failed" && report.code !== "ffmpeg_failed");
	const strange = { stopCondition: "lunar_phase", stopConditionConfig: {} };
	const job = scene.dashboard.order(scene.display.id, strange as never);
	await status(job, "failed");
	const [report] = job.reports;
	expect(report).toMatchObject({ type: "failed", message: expect.stringContaining('"not_supported"') });
	expect(report).toMatchObject({ message: expect.stringContaining("does not understand this job") });
});

test("an end that is refused in every form is kept until it is taken, also over a restart, and holds up no other job", async () => {
	const stuck = duration(1);
	refuse((report) => report.jobId === stuck.order.id && report.type === "stopped");
	await until(
		() => scene.runner.output().includes("in every form"),
		() => scene.runner.output(),
	);
	const other = duration(1);
	await status(other, "completed");
	expect(typesOf(stuck)).toEqual(["recording"]);
	await until(async () => (await spooled(scene.dataDir)).length === 1, "the refused one alone is in the spool");
	await scene.kill();
	await scene.start();
	await until(
		() => scene.runner.output().includes("in every form"),
		() => scene.runner.output(),
	);
	scene.dashboard.refuses = () => null;
	await status(stuck, "completed");
	expect(reasonOf(stuck)).toBe("duration_elapsed");
	await scene.spoolEmpty();
}, 60_000);

test("a refused beginning is not overtaken by the end of its job", async () => {
	const job = duration(1);
	refuse((report) => report.type === "recording");
	await until(
		() => scene.runner.output().includes("has ended after"),
		() => scene.runner.output(),
	);
	await until(
		() => scene.runner.output().includes("in every form"),
		() => scene.runner.output(),
	);
	scene.dashboard.refuses = () => null;
	await status(job, "completed");
	expect(typesOf(job)).toEqual(["recording", "stopped"]);
}, 60_000);

test("displays that are refused take no report of a job with them", async () => {
	scene.dashboard.refuses = () => 503;
	const job = duration(1);
	const another = await startXvfb();
	try {
		await scene.runner.says(`Display ${another.id} is there`);
		await scene.runner.says("has ended after");
		scene.dashboard.refuses = ({ displays }) => (displays === undefined ? null : 422);
		await status(job, "completed");
	} finally {
		await another.stop();
	}
});
