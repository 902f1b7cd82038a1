/** Dashboards of another version: a job that the runner does not understand fails alone. */
import { VERSION } from "@tapedeck/contract/version.ts";
import { beforeEach, expect, test } from "vitest";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
const { duration, status, reasonOf } = scene;

/** Orders a job that only a newer runner understands. */
const strange = (order: object): FakeJob => {
	const job = scene.dashboard.order(scene.display.id, order as never);
	Object.assign(job.order, order);
	return job;
};

const failureOf = (job: FakeJob) =>
	until(
		() => job.reports.find((report) => report.type === "failed"),
		() => `the job fails:\n${scene.runner.output()}`,
	);

/** Answers with fields, lists and values that this version does not know. */
function becomeNewer(): void {
	scene.dashboard.transformAnswer = (path, answer) => {
		const { start, jobs } = answer as { start?: object[]; jobs?: { status: string | null }[] };
		if (path.endsWith("/sign-in")) return { ...answer, version: "9.9.0", region: { name: "north" } };
		if (path.endsWith("/sync")) {
			const hints = [{ kind: "weather" }, 7];
			return { ...answer, start: start?.map((job) => ({ ...job, priority: 3 })), hints, pictures: [{ of: ":1" }] };
		}
		if (path.endsWith("/reports")) {
			const renamed = jobs?.map((job) => ({ ...job, status: job.status === "recording" ? "capturing" : job.status }));
			return { ...answer, jobs: renamed, warnings: [] };
		}
		return { ...answer, stopCondition: "until_dusk", stopConditionConfig: { at: "18:00" } };
	};
}

beforeEach(() => becomeNewer());

test("a job that the runner does not understand fails alone, with both versions in its message", async () => {
	await scene.start();
	const before = duration(1);
	const condition = strange({ stopCondition: "lunar_phase", stopConditionConfig: { phase: "full" } });
	const field = strange({ stopCondition: "duration", stopConditionConfig: { durationSeconds: 1, moonlight: true } });
	const type = strange({ type: "audio", stopCondition: "interrupt", stopConditionConfig: {} });
	const shapeless = strange({ displayId: 99, name: null, stopCondition: "interrupt", stopConditionConfig: null });
	const after = duration(1);
	await status(before, "completed");
	await status(after, "completed");
	for (const [job, what] of [
		[condition, 'stopCondition "lunar_phase"'],
		[field, "stopConditionConfig.moonlight"],
		[type, 'type "audio"'],
		[shapeless, "displayId, name, stopConditionConfig"],
	] as const) {
		const { code, message } = await failureOf(job);
		expect(code).toBe("not_supported");
		expect(message).toContain(what);
		expect(message).toContain(`The runner has version ${VERSION}, the dashboard 9.9.0`);
	}
	// A busy machine captures fewer frames, but the video ends on the exact frame.
	const video = await probe(await scene.dashboard.video(after));
	expect(video.faults).toBe("");
	expect(video.durationSeconds).toBeCloseTo(1, 3);
	await scene.spoolEmpty();
	// The runner was not restarted and never signed in again.
	expect(scene.dashboard.signIns).toBe(1);
});

test("a job that is not understood fails even when the runner is killed before it reports that", async () => {
	await scene.start();
	scene.dashboard.refuseReports = () => 503;
	const job = strange({ stopCondition: "lunar_phase", stopConditionConfig: {} });
	await until(async () => (await spooled(scene.dataDir)).length === 1, "the job is in the spool");
	await scene.kill();
	scene.dashboard.refuseReports = () => null;
	await scene.start();
	expect((await failureOf(job)).code).toBe("not_supported");
	expect(job.reports.every(({ type }) => type === "failed")).toBe(true);
	await scene.spoolEmpty();
});

test("a runner that is newer than its dashboard records for it, and says which to update", async () => {
	scene.dashboard.transformAnswer = (path, answer) =>
		path.endsWith("/sign-in") ? { ...answer, version: "0.0.9" } : answer;
	await scene.start();
	const warning = `The runner (version ${VERSION}) is newer than the dashboard (0.0.9)`;
	await until(
		() => scene.runner.output().includes(warning),
		() => `the warning:\n${scene.runner.output()}`,
	);
	expect(scene.runner.output()).toContain(
		"Update the dashboard, or install the dashboard's own runner with `tapedeck upgrade`.",
	);
	await status(duration(1), "completed");
});

test("a recording started on the runner is delivered to a dashboard whose answers have unknown fields", async () => {
	const env = { TAPEDECK_AUTO_RECORD: "true", DISPLAY: scene.display.id };
	await scene.start({ env });
	const job = await until(() => [...scene.dashboard.jobs.values()][0], "the job is known");
	await status(job, "recording");
	scene.dashboard.cancel(job);
	await status(job, "completed");
	expect(reasonOf(job)).toBe("cancelled");
	await scene.spoolEmpty();
});
