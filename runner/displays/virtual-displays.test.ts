/** Displays that a runner makes for jobs, with real servers and encoders. */
import { readlinkSync } from "node:fs";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import { expect, test } from "vitest";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe, processesWith } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene({ display: null });

/** Starts a runner whose displays keep their authority in the scene's folder, by which their processes are found. */
async function start(env: Record<string, string> = {}): Promise<void> {
	const temporary = join(scene.folder, "tmp");
	await mkdir(temporary, { recursive: true });
	await scene.start({ env: { TAPEDECK_VIRTUAL_DISPLAYS: "2", TMPDIR: temporary, ...env } });
}
const order = (display?: NewDisplay): FakeJob =>
	scene.dashboard.order("new", { stopCondition: "interrupt", stopConditionConfig: {}, display });
const displayServers = async (): Promise<number[]> =>
	(await processesWith(join(scene.folder, "tmp"))).filter((pid) => readlinkSync(`/proc/${pid}/exe`).endsWith("/Xvfb"));
const authorities = (): Promise<string[]> => readdir(join(scene.folder, "tmp"));
const recordingOf = (job: FakeJob) => job.reports.find((report) => report.type === "recording");
const failureOf = (job: FakeJob) => job.reports.find((report) => report.type === "failed");

test("a job gets a display of its size, which no other job sees and which ends with the job", async () => {
	await start({ TAPEDECK_VIRTUAL_DISPLAY_SIZE: "320x200" });
	const [sized, usual] = [order({ width: 400, height: 304 }), order()];
	await Promise.all([scene.status(sized, "recording"), scene.status(usual, "recording")]);
	expect(recordingOf(sized)).toMatchObject({ width: 400, height: 304, displayId: expect.stringMatching(/^:\d+$/) });
	expect(recordingOf(usual)).toMatchObject({ width: 320, height: 200 });
	expect(recordingOf(sized)?.displayId).not.toBe(recordingOf(usual)?.displayId);
	const listed = scene.dashboard.displays.map(({ id }) => id);
	expect(listed).not.toContain(recordingOf(sized)?.displayId);
	expect(await displayServers()).toHaveLength(2);
	scene.dashboard.cancel(sized);
	await scene.status(sized, "completed");
	expect(await probe(await scene.dashboard.video(sized))).toMatchObject({ width: 400, height: 304, faults: "" });
	await until(async () => (await displayServers()).length === 1, "the display of the ended job is gone");
	const next = order({ width: 16, height: 16 });
	await scene.status(next, "recording");
	for (const job of [usual, next]) scene.dashboard.cancel(job);
	await Promise.all([scene.status(usual, "completed"), scene.status(next, "completed")]);
	await until(async () => (await authorities()).length === 0, "their cookies are gone");
});

test("a job beyond the maximum fails with the reason, should the dashboard hand it out", async () => {
	await start({ TAPEDECK_VIRTUAL_DISPLAYS: "1" });
	const first = order();
	await scene.status(first, "recording");
	const second = order();
	await scene.status(second, "failed");
	expect(failureOf(second)).toMatchObject({
		code: "display_unavailable",
		message: expect.stringContaining("All 1 virtual displays of this runner are in use"),
	});
});

test("a runner without Xvfb says so at its start and makes no displays", async () => {
	const programs = join(scene.folder, "bin");
	await mkdir(programs);
	const others = (await readdir("/usr/bin")).filter((name) => name !== "Xvfb");
	await Promise.all(others.map((name) => symlink(`/usr/bin/${name}`, join(programs, name))));
	await start({ PATH: programs });
	expect(scene.runner.output()).toContain("TAPEDECK_VIRTUAL_DISPLAYS is 2, but Xvfb is not installed");
	const job = order();
	await scene.status(job, "failed");
	expect(failureOf(job)?.message).toContain("This runner makes no virtual displays");
});
