/** `tapedeck run --only-failed`: what the dashboard gets, and when, whatever breaks in between. */

import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { inExplore } from "../../test/in-explore.ts";
import type { Child } from "../../test/processes/child.ts";
import { startCommand, tapedeck } from "../../test/processes/tapedeck-command.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { nothingLeft, probe, processesWith, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
beforeEach(() => scene.start());

const folder = () => ["--data-dir", scene.dataDir];
const onlyJob = (): FakeJob => {
	const [job, ...others] = scene.dashboard.jobs.values();
	if (job === undefined || others.length > 0) throw new Error(`There are ${scene.dashboard.jobs.size} jobs.`);
	return job;
};
const resultOf = (job: FakeJob) => job.reports.find((report) => report.type === "command_ended");
const nothingSent = () => expect([scene.dashboard.jobs.size, scene.dashboard.autoJobs]).toEqual([0, []]);

/** Tapedeck's variables in the environment of the command. */
async function commandEnvironment(): Promise<Record<string, string>> {
	const [key = ""] = await spooled(scene.dataDir);
	return { TAPEDECK_RUN: join(scene.dataDir, "jobs", key) };
}

/** Recorded so far on this machine, in seconds; null if nothing is. */
async function recordedSeconds(): Promise<number | null> {
	const { recordings } = JSON.parse((await tapedeck(["status", ...folder(), "--json"])).text);
	return recordings[0]?.recordedSeconds ?? null;
}

/** A command that waits until it is told how to end, and records for two seconds at least. */
async function begin(): Promise<{ run: Child; end(status: number): Child["exited"] }> {
	const file = join(scene.folder, "status");
	const script = `echo "pid $$"; until [ -s ${file} ]; do sleep 0.1; done; exit $(cat ${file})`;
	const words = ["run", ...folder(), "--display", scene.display.id, "--name", "checkout", "--only-failed"];
	const run = startCommand([...words, "--", "sh", "-c", script]);
	await run.says("pid ");
	await until(async () => ((await recordedSeconds()) ?? 0) > 2, "it is recorded");
	nothingSent();
	const end = async (status: number) => {
		await writeFile(file, String(status));
		return run.exited;
	};
	return { run, end };
}

async function expectSaved(outcome: string): Promise<void> {
	await until(() => onlyJob().status === "completed", "the recording plays", 60_000);
	expect(resultOf(onlyJob())).toMatchObject({ outcome });
	const { durationSeconds, faults } = await probe(await scene.dashboard.video(onlyJob()));
	expect(faults).toBe("");
	expect(durationSeconds).toBeGreaterThan(2);
	await scene.spoolEmpty();
}

async function expectNothing(): Promise<void> {
	await until(async () => (await spooled(scene.dataDir)).length === 0, "the spool is empty", 30_000);
	await nothingLeft(join(scene.dataDir, "jobs"));
	nothingSent();
}

test("the dashboard is never told of a command that succeeds, and nothing stays on the disk", async () => {
	const { run, end } = await begin();
	expect(await end(0), run.output()).toBe(0);
	expect(run.output()).toContain("The command succeeded, so nothing is kept of its recording.");
	await expectNothing();
	expect(scene.runner.process.exitCode).toBeNull();
});

test("the dashboard has the whole recording of a command that fails once it has ended, with everything reported meanwhile", async () => {
	const { run, end } = await begin();
	const env = await commandEnvironment();
	for (const words of [
		["mark", "paid"],
		["privacy", "on"],
		["privacy", "off"],
	]) {
		const answer = await tapedeck(words, env);
		expect(answer.status, answer.text).toBe(0);
	}
	nothingSent();
	expect(await end(3), run.output()).toBe(3);
	expect(run.output()).toContain(`${scene.dashboard.url}/jobs/${onlyJob().order.id}`);
	await expectSaved("failed");
	const types = onlyJob().reports.map(({ type }) => type);
	expect(types.filter((type) => type === "command_marker")).toHaveLength(1);
	expect(types.indexOf("recording")).toBeLessThan(types.indexOf("command_marker"));
	const privacy = onlyJob().reports.findLast((report) => report.type === "privacy");
	expect(privacy).toMatchObject({ on: false, stretches: [{ from: expect.any(Number), to: expect.any(Number) }] });
});

inExplore(test).each([
	["fails: it is saved", 4],
	["succeeds: nothing is sent", 0],
])("the runner is killed, and the command %s", async (_, status) => {
	const { run, end } = await begin();
	await scene.kill();
	await scene.start();
	await until(async () => (await recordedSeconds()) !== null, "the runner has taken it over");
	nothingSent();
	expect(await end(status), run.output()).toBe(status);
	await (status === 0 ? expectNothing() : expectSaved("failed"));
});

inExplore(test)("its ffmpeg is killed: the recording goes on, and is saved", async () => {
	const { end } = await begin();
	const ffmpegs = await processesWith(join(scene.dataDir, "jobs"));
	for (const pid of ffmpegs) process.kill(pid, "SIGKILL");
	const goesOn = () => scene.runner.output().includes("recording continued after a gap");
	await until(goesOn, () => `it is recorded again:\n${scene.runner.output()}`);
	await end(1);
	await expectSaved("failed");
	expect(onlyJob().reports.some((report) => report.type === "note" && report.event === "capture_resumed")).toBe(true);
});

inExplore(test)(
	"tapedeck run is killed: nobody knows whether the command would have failed, so it is saved",
	async () => {
		const { run } = await begin();
		const [, pid] = /^pid (\d+)$/m.exec(run.output()) ?? [];
		const gone = once(run.process, "exit");
		run.process.kill("SIGKILL");
		await gone;
		process.kill(Number(pid), "SIGKILL");
		await until(() => scene.dashboard.jobs.size > 0, "it is sent");
		await expectSaved("error");
	},
);

inExplore(test).each([
	["fails: what was recorded is saved", 5],
	["succeeds: nothing is sent", 0],
])("the recording is stopped before its end, and the command %s", async (_, status) => {
	const { run, end } = await begin();
	expect((await tapedeck(["stop", ...folder(), "--all"])).status).toBe(0);
	nothingSent();
	expect(await end(status), run.output()).toBe(status);
	await (status === 0 ? expectNothing() : expectSaved("failed"));
});

inExplore(test)(
	"the dashboard is away when the command fails: it is saved once it is back",
	{ timeout: 120_000 },
	async () => {
		const { run, end } = await begin();
		await scene.dashboard.goDown();
		expect(await end(2), run.output()).toBe(2);
		expect(run.output()).toContain("uploaded when the dashboard can be reached");
		await scene.dashboard.listen();
		await until(() => scene.dashboard.jobs.size > 0, "it is sent", 60_000);
		await expectSaved("failed");
	},
);
