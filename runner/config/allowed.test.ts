/** The operator's allow lists: how a runner treats jobs that are not allowed. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { type FakeGrid, startFakeGrid } from "../../test/grids/fake-grid.ts";
import { inExplore } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";
import type { Finding } from "../doctor/finding.ts";

let grid: FakeGrid;
let hidden: VirtualDisplay;
beforeEach(async () => {
	grid = await startFakeGrid();
	grid.respondWith({ kind: "sessions", count: 1 });
	hidden = await startXvfb();
});
// Registered before the scene's hooks, so that the scene stops its runners first.
afterEach(async () => {
	await grid.stop();
	await hidden.stop();
});
const scene = runnerScene({ moves: false });

const watching = (gridUrl: string): FakeJob =>
	scene.dashboard.order(scene.display.id, {
		stopCondition: "selenium_idle",
		stopConditionConfig: { gridUrl, gridUsername: "me", gridPassword: "the secret of the grid" },
	});
const failure = async (job: FakeJob) => {
	await scene.status(job, "failed");
	return job.reports.find(({ type }) => type === "failed" || type === "stopped");
};

test("a job on a grid that is not allowed fails at once, and nothing is sent to the grid", async () => {
	await scene.start({ env: { TAPEDECK_GRID_ALLOW: "http://grid.example:4444" } });
	const report = await failure(watching(grid.url));
	expect(report).toMatchObject({ code: "grid_not_allowed", message: expect.stringContaining("TAPEDECK_GRID_ALLOW") });
	expect(JSON.stringify(report)).not.toContain("grid.example");
	expect(grid.requests).toEqual([]);
	await scene.spoolEmpty();
});

inExplore(test)("a failure that quotes the longest possible address is reported all the same", async () => {
	await scene.start({ env: { TAPEDECK_GRID_ALLOW: "grid.example" } });
	const report = await failure(watching(`${grid.url}/${"a".repeat(1_900)}`));
	expect(report).toMatchObject({ code: "grid_not_allowed", message: expect.stringMatching(/^.{2000}$/) });
});

test("a job on an allowed grid is watched normally", async () => {
	await scene.start({ env: { TAPEDECK_GRID_ALLOW: `*.grid.example, ${grid.url}` } });
	const job = watching(`${grid.url}/wd/hub/`);
	await scene.status(job, "recording");
	await until(() => grid.requests.length > 2, "the grid is asked");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
});

inExplore(test)(
	"recordings that a shortened list no longer allows end when the runner restarts, and are kept",
	async () => {
		await scene.start();
		const job = watching(grid.url);
		await scene.status(job, "recording");
		await until(() => job.uploadId !== null, "bytes arrive");
		await scene.kill();
		// After the last request of the killed one, which may still be on its way.
		await fetch(grid.url);
		const asked = grid.requests.length;
		scene.launch({ env: { TAPEDECK_GRID_ALLOW: "grid.example" } });
		await until(
			() => scene.reasonOf(job) !== undefined,
			() => scene.runner.output(),
		);
		expect(scene.reasonOf(job)).toBe("grid_not_allowed");
		await scene.spoolEmpty();
		expect(job.uploadComplete).toBe(true);
		expect(grid.requests.length).toBe(asked);
	},
);

test("a display that is not allowed is not reported and not recorded, whatever DISPLAY says", async () => {
	const env = { TAPEDECK_DISPLAY_ALLOW: `${scene.display.id}, elsewhere:1` };
	await scene.start({ display: hidden.id, env });
	const report = await failure(scene.interrupt(hidden.id));
	expect(report).toMatchObject({
		code: "display_unavailable",
		message: expect.stringContaining("TAPEDECK_DISPLAY_ALLOW"),
	});
	expect(scene.dashboard.displays.map(({ id }) => id)).toEqual([scene.display.id]);
	const served = scene.duration(1);
	await scene.status(served, "completed");
});

test("commands on the machine show what is allowed and start nothing else", async () => {
	const lists = { TAPEDECK_DISPLAY_ALLOW: scene.display.id, TAPEDECK_GRID_ALLOW: "*.grid.example" };
	const place = { TAPEDECK_DATA_DIR: scene.dataDir };
	for (const running of [false, true]) {
		if (running) await scene.start({ env: lists });
		const env = running ? place : { ...place, ...lists };
		const answer = await tapedeck(["displays"], env);
		expect(answer.status).toBe(0);
		expect(answer.text).toContain(`Only ${scene.display.id} is allowed (TAPEDECK_DISPLAY_ALLOW).`);
		expect(answer.text).not.toMatch(new RegExp(`^${hidden.id} `, "m"));
		const findings = (await tapedeck(["doctor", "--json", "--display", hidden.id], env)).data<{
			findings: Finding[];
		}>();
		const messages = findings.findings.map(({ level, message }) => `${level}: ${message}`);
		expect(messages.join("\n")).toContain("ok: Only *.grid.example is allowed (TAPEDECK_GRID_ALLOW)");
		expect(messages.join("\n")).toContain(`failure: Display ${hidden.id} is not in the runner`);
	}
	const refused = await tapedeck(["record", "--display", hidden.id, "--duration", "1"], place);
	expect(refused.status).toBe(1);
	expect(refused.text).toContain("TAPEDECK_DISPLAY_ALLOW");
});

test.each([
	["a list that says nothing", { TAPEDECK_GRID_ALLOW: "," }, "TAPEDECK_GRID_ALLOW: Use grids such as"],
	["a display that is none", { TAPEDECK_DISPLAY_ALLOW: "99" }, "TAPEDECK_DISPLAY_ALLOW: Use displays such as"],
	[
		"an auto-record grid that is not allowed",
		{ TAPEDECK_AUTO_RECORD: "true", SE_GRID_URL: "http://a:4444", TAPEDECK_GRID_ALLOW: "http://b:4444" },
		"SE_GRID_URL: Use one that is in TAPEDECK_GRID_ALLOW",
	],
	[
		"a grid of the browser log that is not allowed",
		{ TAPEDECK_BROWSER_LOG: "true", SE_GRID_URL: "http://a:4444", TAPEDECK_GRID_ALLOW: "http://b:4444" },
		"SE_GRID_URL: Use one that is in TAPEDECK_GRID_ALLOW",
	],
	[
		"an auto-record display that is not allowed",
		{ TAPEDECK_AUTO_RECORD: "true", DISPLAY: "host:1", TAPEDECK_DISPLAY_ALLOW: ":1" },
		"DISPLAY: Use one that is in TAPEDECK_DISPLAY_ALLOW",
	],
])("%s ends the start with one sentence", async (_words, env, sentence) => {
	const runner = scene.launch({ env });
	expect(await runner.exited).toBe(1);
	expect(runner.output().trim().split("\n")).toEqual([expect.stringContaining(sentence)]);
});
