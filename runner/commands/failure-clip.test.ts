/** `tapedeck run --clip-on-failure`, with a dashboard, a runner and a display of its own. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { probeBytes } from "../../test/videos/probe-bytes.ts";

let api: TestApi;
let folder: string;

beforeAll(async () => {
	api = await startTestApi();
	return () => api.stop();
});
beforeEach(async () => {
	folder = await temporaryFolder("failure-clip");
});

const run = (command: string[], env: Record<string, string>) =>
	tapedeck(
		[
			...["run", "--new-display", "320x240", "--data-dir", join(folder, "data")],
			...["--clip-on-failure", join(folder, "failure.mp4"), "--", ...command],
		],
		{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...env },
	);
const files = async () => (await readdir(folder)).filter((name) => name !== "data");

test("a command that fails leaves a clip of its failure, and one that succeeds leaves none; the status is the command's", async () => {
	const passed = await run(["true"], { TAPEDECK_API_KEY: TEST_API_KEY });
	expect(passed.status, passed.text).toBe(0);
	expect(await files()).toEqual([]);
	const failed = await run(["sh", "-c", "sleep 1; exit 3"], { TAPEDECK_API_KEY: TEST_API_KEY });
	expect(failed.status, failed.text).toBe(3);
	expect(failed.text).toContain(`Clip of the failure: ${join(folder, "failure.mp4")}`);
	expect(await probeBytes(await readFile(join(folder, "failure.mp4")))).toMatchObject({ codec: "h264", width: 320 });
});

test("without an API key there is one warning, and the status is the command's", async () => {
	const failed = await run(["false"], {});
	expect(failed.status, failed.text).toBe(1);
	expect(failed.text).toContain(
		"The clip of the failure could not be written: it needs TAPEDECK_URL and TAPEDECK_API_KEY.",
	);
	expect(await files()).toEqual([]);
});
