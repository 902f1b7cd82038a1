/** `tapedeck import` with reports of each format, by a real dashboard. */
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../test/api-server.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-import-"));
	return () => rm(folder, { recursive: true });
});

const run = (...words: string[]) =>
	tapedeck(["import", ...words], {
		TAPEDECK_URL: api.url,
		TAPEDECK_API_KEY: TEST_API_KEY,
		SHOP_TOKEN: "s3cr3t-of-shop",
	});
async function file(name: string, content: string | object): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
}
/** Imports, and returns the results in the order of their names. */
async function imported(...words: string[]): Promise<TestResult[]> {
	const answer = await run(...words, "--json");
	expect([answer.status, answer.text]).toEqual([0, expect.any(String)]);
	const { body } = await api.call("GET", `/v1/tests?testRunId=${answer.data().id}&limit=100`);
	return body.data.sort((a: TestResult, b: TestResult) => (a.key < b.key ? -1 : 1));
}
const BEGIN = Date.parse("2026-11-20T08:00:00.000Z");
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();

const JUNIT = `<testsuite name="Cart" timestamp="${at(0)}" time="3">
	<testcase classname="Cart" name="total" time="1"><failure message="expected 3, got 4">at cart.js:7</failure></testcase>
	<testcase classname="Cart" name="empty" time="2"/></testsuite>`;

test("JUnit reports have the times that they say, also when the file was written long afterwards", async () => {
	const [empty, total] = await imported(await file("cart.xml", JUNIT), "--label", "build=j-1");
	expect(total).toMatchObject({
		...{ test: "Cart › total", suite: "Cart", outcome: "failed", message: "expected 3, got 4", attempt: 1, new: true },
		...{ startedAt: at(0), endedAt: at(1), labels: { build: "j-1" } },
	});
	expect(empty).toMatchObject({ test: "Cart › empty", outcome: "passed", startedAt: at(1), endedAt: at(3) });
	const { body: build } = await api.call("GET", "/v1/builds/j-1");
	expect(build).toMatchObject({ status: "failed", testRuns: 1, tests: { all: 2, failed: 1, passed: 1 } });
});

test("Allure results have exact times, steps, parameters and retries, and their attachments are no reports", async () => {
	const result = (uuid: string, more: object) =>
		file(`${uuid}-result.json`, {
			...{ uuid, name: "pays", historyId: "h", labels: [{ name: "suite", value: "Shop" }], stage: "finished" },
			...more,
		});
	await result("b", { status: "passed", start: BEGIN + 5_000, stop: BEGIN + 6_000 });
	await result("a", {
		...{
			status: "broken",
			start: BEGIN,
			stop: BEGIN + 2_000,
			statusDetails: { message: "no card", trace: "at pay.py:3" },
		},
		steps: [{ name: "submit", status: "broken", start: BEGIN + 1_000, stop: BEGIN + 1_500, steps: [] }],
	});
	await result("c", {
		name: "adds",
		status: "passed",
		start: BEGIN,
		stop: BEGIN,
		parameters: [{ name: "count", value: "'2'" }],
	});
	await file("x-attachment.json", { reportFormat: "CTRF", results: { tool: { name: "x" }, tests: [{ name: "no" }] } });
	await file("x-container.json", { uuid: "x", children: ["a"] });
	const [adds, first, second] = await imported(folder);
	expect(adds?.test).toBe("Shop › adds [count='2']");
	expect(first).toMatchObject({
		...{ test: "Shop › pays", attempt: 1, outcome: "error", startedAt: at(0), endedAt: at(2), isApproximate: false },
		...{ message: "no card", stack: "at pay.py:3", flaky: true, steps: [{ title: "submit", durationSeconds: 0.5 }] },
	});
	expect(second).toMatchObject({ attempt: 2, outcome: "passed", startedAt: at(5) });
});

test("the same files are imported once for each build, in whatever order they are named", async () => {
	const [one, two] = [await file("1.xml", JUNIT), await file("2.xml", JUNIT.replaceAll("Cart", "Other"))];
	const first = await run(one, two, "--label", "build=i-1", "--json");
	const again = await run(two, one, "--label", "build=i-1", "--json");
	expect(again.data()).toEqual(first.data());
	expect((await run(one, two, "--label", "build=i-1")).text).toContain("were imported before, as test run");
	const other = await run(one, two, "--label", "build=i-2", "--json");
	expect(other.data().id).not.toBe(first.data().id);
	expect(other.data<{ results: { all: number } }>().results.all).toBe(4);
});

test("--dry-run sends nothing, --quiet-history makes no failure new, and secrets are masked", async () => {
	const path = await file("cart.xml", JUNIT.replaceAll("got 4", "got s3cr3t-of-shop").replaceAll("Cart", "Masked"));
	const runs = async () => (await api.call("GET", "/v1/test-runs?limit=100")).body.data.length;
	const before = await runs();
	const dry = await run(path, "--dry-run");
	expect([dry.status, dry.text]).toEqual([
		0,
		expect.stringContaining("2 test results (1 passed, 1 failed) of JUnit in 1 file"),
	]);
	expect(await runs()).toBe(before);
	const results = await imported(path, "--quiet-history", "--label", "build=m-1");
	expect(results.map((each) => each.new)).toEqual([false, false]);
	expect(results[1]?.message).toBe("expected 3, got ***");
});

test("a file that is no report is named, the others are imported, and the status is 1", async () => {
	await mkdir(join(folder, "more"));
	await file("more/cart.xml", JUNIT.replaceAll("Cart", "Beside"));
	await file("more/package.json", { name: "no report" });
	const empty = await file("empty.xml", "");
	const html = await file("page.xml", "<html><body/></html>");
	const bomb = await file(
		"bomb.xml",
		`<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa">${"bcdefghij".replace(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><testsuite><testcase name="&j;"/></testsuite>`,
	);
	const huge = await file("huge.xml", "<testsuite>");
	await truncate(huge, 1_000_000_000);
	const broken = await file("broken.json", "{");
	const { status, text } = await run(join(folder, "more"), empty, html, bomb, huge, broken, join(folder, "gone.xml"));
	expect(status).toBe(1);
	expect(text).toContain("2 test results (1 passed, 1 failed), as test run ");
	expect(text).toMatch(/huge\.xml: it is larger than 100 MB/);
	expect(text).toMatch(/gone\.xml: there is no such file or folder/);
	expect(text).toMatch(/bomb\.xml: /);
	for (const name of ["empty.xml", "page.xml", "broken.json"]) expect(text).toContain(name);
	expect(text).toMatch(/no test report that Tapedeck knows: JUnit/);
	expect(text).not.toContain("package.json");
	const none = await run(html);
	expect([none.status, none.text]).toEqual([1, expect.stringContaining("Nothing was imported")]);
	const usage = await run();
	expect([usage.status, usage.text]).toEqual([2, expect.stringContaining("Name the reports to import")]);
});
