/** `tapedeck run` where nothing is shown: the results of the command are a test run. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signIn } from "../../test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../test/api-server.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
	folder = await temporaryFolder("no-display");
});

const key = () => ({
	TAPEDECK_URL: api.url,
	TAPEDECK_API_KEY: TEST_API_KEY,
	SHOP_TOKEN: "s3cr3t-of-shop",
	TMPDIR: folder,
});
const run = (words: string[], env: Record<string, string> = key()) =>
	tapedeck(["run", "--data-dir", join(folder, "data"), ...words], env);
async function resultsOf(build: string): Promise<TestResult[]> {
	return (await api.call("GET", `/v1/tests?q=build:${build}`)).body.data;
}

test("without a display, reports become a test run, with links to its failures and the command's own status", async () => {
	const script = `echo '<testsuite name="Cart"><testcase classname="Cart" name="total" time="0.1"><failure message="got s3cr3t-of-shop"/></testcase>
		<testcase classname="Cart" name="empty" time="0.1"/></testsuite>' > "$0/a.xml"; exit 3`;
	const words = ["--label", "build=n-1", "--junit", join(folder, "*.xml"), "--", "sh", "-c", script, folder];
	const { status, text } = await run(words);
	expect(status).toBe(3);
	const results = await resultsOf("n-1");
	expect(results.map(({ test, outcome, message }) => [test, outcome, message]).sort()).toEqual([
		["Cart › empty", "passed", null],
		["Cart › total", "failed", "got ***"],
	]);
	const failed = results.find(({ outcome }) => outcome === "failed");
	expect(text).toMatch(/tapedeck: .+\. The results of the command are a test run: http\S+\/builds\/n-1\n/);
	expect(text).toContain(`Test run (2 results): ${api.app.baseUrl}/builds/n-1`);
	expect(text).toContain(`Cart › total: ${api.url}/tests/${failed?.testId}?result=${failed?.id}`);
	const [created] = (await api.call("GET", "/v1/test-runs?build=n-1")).body.data;
	expect(created).toMatchObject({ outcome: "failed", source: "tapedeck run", name: expect.stringMatching(/^echo/) });
	expect((await readdir(folder)).filter((name) => name.startsWith("tapedeck-run-"))).toEqual([]);
	expect((await api.call("GET", `/v1/test-runs/${created.id}`)).body.attachments).toEqual([]);
});

test("a command without reports is a result itself, with the last lines of its output", async () => {
	const failed = await run([
		"--name",
		"Build",
		"--label",
		"build=n-2",
		"--",
		"sh",
		"-c",
		"echo no s3cr3t-of-shop >&2; exit 1",
	]);
	expect(failed.status).toBe(1);
	expect(await resultsOf("n-2")).toMatchObject([
		{ test: "Build", outcome: "failed", message: "The command ended with status 1.\n\nno ***" },
	]);
	const [ofOutput] = (await api.call("GET", "/v1/test-runs?build=n-2")).body.data;
	const { attachments } = (await api.call("GET", `/v1/test-runs/${ofOutput.id}`)).body;
	expect(attachments).toMatchObject([{ name: "output.txt", contentType: "text/plain" }]);
	const output = await fetch(`${api.url}/v1/attachments/${attachments[0].id}`, {
		headers: { authorization: `Bearer ${TEST_API_KEY}` },
	});
	expect(await output.text()).toBe("no ***\n");
	const passed = await run(["--name", "Build", "--label", "build=n-3", "--", "true"]);
	expect(passed.status).toBe(0);
	expect(await resultsOf("n-3")).toMatchObject([{ test: "Build", outcome: "passed", message: null }]);
});

test("--gate lets known causes of a test run pass, in tapedeck run and in tapedeck import", async () => {
	const report = `<testsuite name="Cart"><testcase classname="Cart" name="total" time="0.1"><failure message="The tax office is closed on Sundays"/></testcase></testsuite>`;
	await writeFile(join(folder, "source"), report);
	const copy = `cp ${join(folder, "source")} ${join(folder, "g.xml")}; exit 1`;
	const gated = (build: string) =>
		run(["--gate", "--label", `build=${build}`, "--junit", join(folder, "g.xml"), "--", "sh", "-c", copy]);
	const imported = (build: string) =>
		tapedeck(["import", "--gate", "--label", `build=${build}`, join(folder, "g.xml")], key());
	for (const { status, text } of [await gated("g-1"), await imported("g-2")]) {
		expect([status, text]).toEqual([1, expect.stringContaining("tapedeck: 1 cause: 1 new: Cart › total, since ")]);
	}
	const owner = await signIn(api);
	const [result] = await resultsOf("g-1");
	const mute = { letsPass: true, mutedUntil: new Date(Date.now() + 86_400_000).toISOString(), reason: "TAP-7" };
	const body = { cause: result?.cause, assigneeUserId: owner.userId, ...mute };
	expect((await owner.call("PUT", "/v1/failure-triage", { body })).status).toBe(200);
	const known = `1 cause: 1 known (let through by ${owner.name} until `;
	const passed = await gated("g-3");
	expect([passed.status, passed.text]).toEqual([0, expect.stringContaining(known)]);
	expect(passed.text).toContain("CI passes: every failure is known. The command itself ended with 1.");
	const again = await imported("g-2");
	expect([again.status, again.text]).toEqual([0, expect.stringContaining(known)]);
	expect(again.text).toContain("These reports were imported before");
});

test("without a key, and without a dashboard, the command runs all the same and says so in one line", async () => {
	for (const env of [{ TMPDIR: folder }, { ...key(), TAPEDECK_URL: "http://127.0.0.1:9" }]) {
		const { status, text } = await run(["--", "sh", "-c", "exit 4"], env);
		expect(status).toBe(4);
		expect(text).toContain("The command runs without a recording.");
	}
	const { text } = await run(["--display", ":987", "--", "true"]);
	expect(text).toContain("The command runs without a recording.");
});
