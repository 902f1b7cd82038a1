/** `tapedeck run --gate`, with a dashboard, a runner and a display of its own. */

import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { signIn } from "../../test/api-people.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { inExplore } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { CommandEnd } from "./child-command.ts";
import type { Call } from "./command.ts";
import { gateStatus } from "./gate.ts";

let api: TestApi;
let folder: string;

beforeAll(async () => {
	api = await startTestApi();
	return () => api.stop();
});
beforeEach(async () => {
	folder = await temporaryFolder("gate");
});

/** A command that writes this report and ends with this status. */
async function run(cases: string, status: number, env: Record<string, string> = { TAPEDECK_API_KEY: TEST_API_KEY }) {
	const source = join(folder, "source");
	await writeFile(source, `<testsuite name="shop" time="1">${cases}</testsuite>`);
	const report = join(folder, "report.xml");
	return tapedeck(
		[
			...["run", "--new-display", "320x240", "--data-dir", join(folder, "data"), "--gate", "--junit", report],
			...["--", "sh", "-c", `cp ${source} ${report}; exit ${status}`],
		],
		{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, ...env },
	);
}
const failing = (name: string, message: string) =>
	`<testcase name="${name}" time="0.1"><failure message="${message}">${message}</failure></testcase>`;

test("known causes end with 0 and say so, a new one and anything else with the command's status", async () => {
	const known = failing("pays", "The gateway timed out");
	const first = await run(known, 1);
	expect(first.status, first.text).toBe(1);
	expect(first.text).toContain("tapedeck: 1 cause: 1 new: pays, since ");

	const owner = await signIn(api);
	const { data } = (await api.call("GET", "/v1/tests?q=outcome:failed")).body;
	const mutedUntil = new Date(Date.now() + 86_400_000).toISOString();
	const body = { cause: data[0].cause, letsPass: true, mutedUntil, reason: "TAP-7", assigneeUserId: owner.userId };
	expect((await owner.call("PUT", "/v1/failure-triage", { body })).status).toBe(200);

	const passes = await run(known, 1);
	expect(passes.status, passes.text).toBe(0);
	expect(passes.text).toContain(`1 known (let through by ${owner.name} until ${mutedUntil.slice(0, 10)}: `);
	expect(passes.text).toContain("CI passes: every failure is known. The command itself ended with 1.");

	const regression = await run(known + failing("signs in", "expected 200 to be 500"), 1);
	expect(regression.status, regression.text).toBe(1);
	expect(regression.text).toMatch(/2 causes: 1 known \(.*\), 1 new: signs in, since /);

	const crashed = await run(known, 3);
	expect(crashed.status, crashed.text).toBe(3);
	expect(crashed.text).toContain("The gate stays shut: the command ended with 3.");

	const without = await run(known, 1, {});
	expect(without.status, without.text).toBe(1);
	expect(without.text).toContain("The gate could not be asked: Set TAPEDECK_API_KEY to an API key");
});

test("a command that fails without a failed test keeps its status, and one that succeeds asks nobody", async () => {
	const failed = await run('<testcase name="ok" time="0.1"/>', 1);
	expect(failed.status, failed.text).toBe(1);
	expect(failed.text).toContain("The gate stays shut: the command failed, and no test did.");
	const passed = await run('<testcase name="ok" time="0.1"/>', 0);
	expect(passed.status, passed.text).toBe(0);
	expect(passed.text).not.toContain("gate");
});

inExplore(test)(
	"a report without messages keeps the command's status, although every failure without one has the same cause",
	async () => {
		const silent = '<testcase name="says nothing" time="0.1"><failure/></testcase>';
		const { status, text } = await run(silent, 1);
		expect(status, text).toBe(1);
		expect(text).toContain("tapedeck: 1 cause: 1 new: says nothing.");
	},
);

inExplore(test)("the command's status stays when the dashboard does not answer within 5 s", async () => {
	const silent = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => silent.once("listening", resolve));
	onTestFinished(() => void silent.close());
	const timeout = AbortSignal.timeout;
	const limit = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout.call(AbortSignal, 50));
	onTestFinished(() => limit.mockRestore());
	const said: string[] = [];
	const env = { TAPEDECK_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, TAPEDECK_API_KEY: "tdk_a" };
	const call = { env, remark: (text: string) => said.push(text) } as unknown as Call;
	const command = { status: 7, broken: false } as CommandEnd;
	const failed = [1, 2, 3, 4, 5, 6, 7];
	expect(await gateStatus(call, { owner: { jobId: 1 }, isWhole: true, failed, command })).toBe(7);
	expect(limit).toHaveBeenCalledWith(5_000);
	expect(said).toEqual([expect.stringMatching(/^tapedeck: The gate could not be asked: .*The status stays 7\.$/)]);
});
