import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type FakeXServer, startFakeXServer } from "../../test/displays/fake-x-server.ts";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import type { Finding } from "../doctor/finding.ts";

const scene = runnerScene({ display: null });
const started: (VirtualDisplay | FakeXServer)[] = [];
afterEach(async () => {
	for (const server of started.splice(0)) await server.stop();
});

/** Responses of XWayland 22.1 (Debian 12) and 24.1 (Debian 13) under a compositor. */
const xwayland = {
	"older than the extension that names it": { release: 12_201_009, extensions: ["RANDR"] },
	"with the extension that names it": { release: 12_401_006, extensions: ["RANDR", "XWAYLAND"] },
	"older than 22.1": { release: 12_013_000, extensions: ["RANDR", "MIT-SCREEN-SAVER"] },
};

async function refusedEverywhere(display: string, id: string, sentence: RegExp): Promise<void> {
	await scene.start({ env: { DISPLAY: display } });
	expect(scene.dashboard.displays.map((known) => known.id)).not.toContain(id);
	const job = scene.interrupt(id);
	await scene.status(job, "failed");
	expect(job.reports).toMatchObject([
		{ type: "failed", code: "display_unavailable", message: expect.stringMatching(sentence) },
	]);
	// First the running runner's answer, then that of a command that checks by itself.
	for (const dataDir of [scene.dataDir, join(scene.folder, "none")]) {
		const env = { TAPEDECK_DATA_DIR: dataDir, TAPEDECK_URL: scene.dashboard.url, TAPEDECK_TOKEN: "the-token" };
		const listed = await tapedeck(["displays", "--json"], { ...env, DISPLAY: display });
		const { displays, refused } = listed.data<{
			displays: { id: string }[];
			refused: { id: string; problem: string }[];
		}>();
		expect(displays.map((known) => known.id)).not.toContain(id);
		expect(refused).toContainEqual({ id, problem: expect.stringMatching(sentence) });
		const doctor = await tapedeck(["doctor", "--json", "--display", display], env);
		expect(doctor.status).toBe(1);
		const { findings } = doctor.data<{ findings: Finding[] }>();
		const bad = findings.filter(({ check, level }) => check === "display" && level === "failure");
		expect(bad.map(({ message, remedy }) => `${message}; ${remedy}.`)).toEqual([expect.stringMatching(sentence)]);
		expect(findings.filter(({ check, message }) => check === "capture" && message.includes(id))).toEqual([]);
	}
}

test.each([
	[8, "captures false colors"],
	[30, "cannot capture"],
])(
	"a display with the color depth %i is refused with the remedy, by jobs, displays and doctor",
	{
		timeout: 90_000,
	},
	async (depth, words) => {
		const display = await startXvfb({ depth });
		started.push(display);
		await refusedEverywhere(
			display.id,
			display.id,
			new RegExp(`^Display ${display.id} .* ${depth}, .*${words}; .*depth of 24`),
		);
	},
);

test("a display with indexed colors is refused", async () => {
	const display = await startXvfb({ more: ["-cc", "5"] });
	started.push(display);
	await refusedEverywhere(display.id, display.id, /encodes colors .*; start it with a depth of 24 .*without -cc/);
});

test.each(Object.entries(xwayland))(
	"an XWayland %s is refused with the remedy, by jobs, displays and doctor",
	{
		timeout: 90_000,
	},
	async (_words, server) => {
		const display = await startFakeXServer({ outputs: ["XWAYLAND0"], ...server });
		started.push(display);
		await refusedEverywhere(display.display, display.id, /is XWayland.* black; .* Xvfb :99/);
	},
);

test.each([
	[
		"XWayland that shows a whole screen in one window",
		12_401_006,
		["RANDR", "XWAYLAND", "MIT-SCREEN-SAVER"],
		["XWAYLAND0"],
	],
	["an X server with other outputs", 12_101_007, ["RANDR"], ["HDMI-1", "DP-1"]],
	["an X server without RANDR", 12_101_007, [], []],
])("%s is offered", async (_words, release, extensions, outputs) => {
	const display = await startFakeXServer({ release, extensions, outputs });
	started.push(display);
	await scene.start({ env: { DISPLAY: display.display } });
	expect(scene.dashboard.displays).toContainEqual({ id: display.id, width: 800, height: 600 });
});

test("a display with the color depth 16 is recorded", async () => {
	const display = await startXvfb({ depth: 16 });
	started.push(display);
	await scene.start();
	const job = scene.duration(1, display.id);
	await scene.status(job, "completed");
});
