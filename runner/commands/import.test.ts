/** `tapedeck import` with reports of each format, by a real dashboard. */
import { copyFile, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../test/api-server.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { makeVideo, removeTestFolder } from "../../test/videos/make-video.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});
beforeEach(async () => {
	folder = await temporaryFolder("import");
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
/** A video of 4 s as a file of the folder. @returns its name. */
async function copied(name: string): Promise<string> {
	await copyFile(await makeVideo("vp8.webm"), join(folder, name));
	return basename(name);
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

test("no secret is in a result's key or in a message, wherever it is cut", async () => {
	const long = `${"x".repeat(15_990)}s3cr3t-of-shop`;
	const report = `<testsuite name="Cart" timestamp="${at(0)}" time="2"><testcase classname="Cart" name="signs in as s3cr3t-of-shop" time="1">
		<failure message="s3cr3t-of-shop is refused">${long}</failure></testcase></testsuite>`;
	const [result] = await imported(await file("secret.xml", report));
	expect(result).toMatchObject({ key: "Cart › signs in as ***#1", message: "*** is refused" });
	expect(JSON.stringify(result)).not.toContain("s3cr3t");
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

test("files that an Allure result names are attached to it, and its video is its recording", async () => {
	const source = async (name: string, content: string | Buffer) => {
		await writeFile(join(folder, name), content);
		return name;
	};
	await mkdir(join(folder, "results"));
	await writeFile(join(folder, "secret.txt"), "not of this report");
	await symlink(join(folder, "secret.txt"), join(folder, "results/link.txt"));
	const attachment = (name: string, source: string, type?: string) => ({ name, source, type });
	const result = {
		...{ uuid: "u", name: "pays", status: "failed", stage: "finished", start: BEGIN, stop: BEGIN + 4_000 },
		statusDetails: { message: "no card" },
		attachments: [
			attachment("Screenshot", await source("results/1-attachment.png", "png").then(basename), "image/png"),
			attachment(
				"Log",
				await source("results/2-attachment.txt", "paid with s3cr3t-of-shop").then(basename),
				"text/plain",
			),
			attachment("Video", await copied("results/3-attachment.webm"), "video/webm"),
			attachment("outside", "../secret.txt", "text/plain"),
			attachment("linked", "link.txt", "text/plain"),
			attachment("gone", "4-attachment.png", "image/png"),
		],
		steps: [
			{
				...{ name: "submit", status: "failed", start: BEGIN, stop: BEGIN + 1_000 },
				attachments: [attachment("Second video", await copied("results/5-attachment.webm"), "video/webm")],
			},
		],
	};
	await file("results/u-result.json", result);
	const { status, text } = await run(join(folder, "results"), "--label", "build=a-1");
	expect([status, text]).toEqual([0, expect.stringContaining("1 test result (1 failed) with 4 files, as test run")]);
	expect(text).toContain(
		"Not attached: ../secret.txt, link.txt: it is outside of the report's folder and of this one.",
	);
	expect(text).toContain("Not attached: 4-attachment.png: there is no such file.");
	const [found] = (await api.call("GET", "/v1/tests?q=build:a-1")).body.data;
	const { attachments, recordingId } = (await api.call("GET", `/v1/tests/${found.id}`)).body;
	expect(attachments.map((one: { name: string; contentType: string }) => [one.name, one.contentType])).toEqual([
		["Screenshot.png", "image/png"],
		["Log.txt", "text/plain"],
		["Second video.webm", "video/webm"],
	]);
	const log = await fetch(`${api.url}/v1/attachments/${attachments[1].id}`, {
		headers: { authorization: `Bearer ${TEST_API_KEY}` },
	});
	expect(await log.text()).toBe("paid with ***");
	const { body: recording } = await api.call("GET", `/v1/recordings/${recordingId}`);
	expect(recording).toMatchObject({ createdAt: at(0), labels: { build: "a-1" }, outcome: "failed" });
});

test("files that Open Test Reporting and the output of a JUnit report name are attached", async () => {
	await file("shot.png", "png");
	await file("trace.zip", "zip");
	const report = `<e:events xmlns:e="https://schemas.opentest4j.org/reporting/events/0.2.0" xmlns="https://schemas.opentest4j.org/reporting/core/0.2.0">
		<e:started id="1" name="Jupiter" time="${at(0)}"/><e:started id="2" parentId="1" name="pays()" time="${at(0)}"/>
		<e:reported id="2" time="${at(1)}"><attachments><file time="${at(1)}" path="shot.png" mediaType="image/png"/></attachments></e:reported>
		<e:finished id="2" time="${at(1)}"><result status="FAILED"/></e:finished><e:finished id="1" time="${at(1)}"><result status="SUCCESSFUL"/></e:finished>
	</e:events>`;
	const padding = "x".repeat(70_000);
	const junit = `<testsuite name="Cart"><testcase name="total" classname="Cart" time="1"><system-out>${padding}
		[[ATTACHMENT|${join(folder, "trace.zip")}]]
		[[ATTACHMENT|/etc/hostname]]</system-out></testcase></testsuite>`;
	const { status, text } = await run(
		await file("otr.xml", report),
		await file("junit.xml", junit),
		...["--label", "build=a-2"],
	);
	expect([status, text]).toEqual([0, expect.stringContaining("with 2 files")]);
	expect(text).toContain("Not attached: /etc/hostname: it is outside of the report's folder and of this one.");
	const { data } = (await api.call("GET", "/v1/tests?q=build:a-2")).body;
	const attached = await Promise.all(
		data.map(async ({ id }: { id: number }) => (await api.call("GET", `/v1/tests/${id}`)).body),
	);
	const names = attached.map(({ test, attachments }) => [test, attachments.map(({ name }: { name: string }) => name)]);
	expect(names.sort()).toEqual([
		["Cart › total", ["trace.zip"]],
		["Jupiter › pays()", ["shot.png"]],
	]);
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
