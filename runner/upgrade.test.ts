/** An installed runner becomes its dashboard's version while it is in use. */

import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, type TestApi } from "../test/api-server.ts";
import type { VirtualDisplay } from "../test/displays/xvfb.ts";
import { startXvfb } from "../test/displays/xvfb.ts";
import { inExplore } from "../test/in-explore.ts";
import { type InstalledRunner, installOldRunner, OLD_VERSION } from "../test/runners/installed-runner.ts";
import { until } from "../test/wait.ts";

const NOBODY = 65_534;

let api: TestApi;
let display: VirtualDisplay;
let home: string;
let runner: InstalledRunner;

beforeAll(async () => {
	[api, display] = await Promise.all([startTestApi(), startXvfb()]);
	home = await mkdtemp(join(tmpdir(), "tapedeck-upgrade-"));
	if (process.getuid?.() === 0) await chown(home, NOBODY, NOBODY);
	runner = await installOldRunner(api.url, home, "/usr/bin:/bin");
});
beforeEach(async () => {
	if ((await runner.current()) !== OLD_VERSION) await runner.age();
});
afterAll(async () => {
	await api.stop();
	await display.stop();
	await rm(home, { recursive: true, force: true });
});

const listed = async () => (await api.call("GET", "/v1/runners")).body.data[0];

test("upgraded while it records, a runner finishes its recording, and the same process goes on as the new version", async () => {
	const child = runner.start({ DISPLAY: display.id });
	try {
		await child.says("Connected to");
		const { id: runnerId, ...before } = await listed();
		expect(before).toMatchObject({ version: OLD_VERSION, versionStatus: "older", state: "online" });
		const create = async (durationSeconds: number): Promise<number> => {
			const stop = { stopCondition: "duration", stopConditionConfig: { durationSeconds } };
			return (await api.call("POST", "/v1/jobs", { body: { runnerId, displayId: display.id, ...stop } })).body.id;
		};
		const wait = async (id: number, what: string): Promise<Job> =>
			(await api.call("GET", `/v1/jobs/${id}?waitFor=${what}&timeoutSeconds=30`)).body;
		const during = await create(5);
		await wait(during, "recording");
		const upgrade = runner.tapedeck("upgrade");
		expect([await upgrade.exited, upgrade.output()]).toEqual([
			0,
			expect.stringContaining("The runner restarts as soon as it records and uploads nothing."),
		]);
		// Its Node is the dashboard's still: 190 MB that are not downloaded again.
		expect(upgrade.output()).not.toContain("Downloading Node");
		expect(await wait(during, "playable")).toMatchObject({
			status: "completed",
			stopReason: "duration_elapsed",
			recording: { durationSeconds: 5 },
		});
		await child.says("Restarting");
		const afterwards = await create(1);
		expect(await wait(afterwards, "playable")).toMatchObject({
			status: "completed",
			recording: { durationSeconds: 1 },
		});
		const after = { id: runnerId, version: runner.dashboardVersion, versionStatus: "current", state: "online" };
		expect(await listed()).toMatchObject(after);
		expect(child.process.exitCode).toBeNull();
	} finally {
		expect(await child.stop(15_000), child.output()).toBe(0);
	}
});

inExplore(test)("with TAPEDECK_AUTO_UPGRADE, an idle runner becomes the dashboard's version by itself", async () => {
	const child = runner.start({ DISPLAY: display.id, TAPEDECK_AUTO_UPGRADE: "true" });
	try {
		await child.says(/Connected to[\s\S]+Restarting[\s\S]+Connected to/);
		await until(async () => (await listed()).versionStatus === "current", "the dashboard has its version");
		expect(await runner.current()).toBe(runner.dashboardVersion);
	} finally {
		expect(await child.stop(15_000), child.output()).toBe(0);
	}
});
