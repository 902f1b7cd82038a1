/** The one line that makes a machine a runner, up to a recording. */
import { chown, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { startXvfb } from "#test/displays/xvfb.ts";
import { startChild } from "#test/processes/child.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

/** The user that runs the script when the tests run as root. */
const NOBODY = 65_534;

test("one line installs a runner with the dashboard's Node; it records, and can be removed without a trace", async () => {
	const api = await startTestApi();
	onTestFinished(() => api.stop());
	const display = await startXvfb();
	onTestFinished(() => display.stop());
	await display.move();
	const home = await temporaryFolder("install-home");
	const folder = join(home, ".local/share/tapedeck-runner");
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await chown(home, NOBODY, NOBODY);
	// The Node that runs the tests is not found.
	const env = {
		PATH: "/usr/bin:/bin",
		HOME: home,
		DISPLAY: display.id,
	} as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv;
	const options = { env, cwd: home, ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}) };
	const line = `curl -fsSL ${api.url}/install.sh | TAPEDECK_TOKEN='${TEST_RUNNER_TOKEN}' sh -s -- --name 'new machine'`;
	const installed = startChild("sh", ["-c", line], options);
	expect([await installed.exited, installed.output()]).toEqual([0, expect.stringContaining("Installed.")]);
	expect((await stat(join(folder, "runner.env"))).mode & 0o777).toBe(0o600);
	expect(await readdir(join(folder, "current"))).toContain("LICENSE-node");
	const runner = startChild(join(folder, "start.sh"), [], options);
	try {
		await runner.says("Connected to");
		const listed = (await api.call("GET", "/v1/runners")).body.data;
		expect(listed).toMatchObject([{ name: "new machine", state: "online" }]);
		const job = {
			runnerId: listed[0].id,
			displayId: display.id,
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 1 },
		};
		const { body: created } = await api.call("POST", "/v1/jobs", { body: job });
		const { body: ended }: { body: Job } = await api.call(
			"GET",
			`/v1/jobs/${created.id}?waitFor=playable&timeoutSeconds=30`,
		);
		expect(ended).toMatchObject({ status: "completed", recording: { durationSeconds: 1 } });
	} finally {
		await runner.stop();
	}
	const removed = startChild(join(folder, "uninstall.sh"), [], options);
	expect([await removed.exited, removed.output()]).toEqual([0, expect.stringContaining("The runner is removed.")]);
	expect(await readdir(join(home, ".local/bin"))).toEqual([]);
	expect(await readdir(join(home, ".local/share"))).toEqual([]);
});
