/**
 * Five real builds without a display: Playwright in two shards with two workers and retries, pytest with pytest-playwright, JUnit by
 * Maven through Open Test Reporting, Robot Framework, and Allure results of pytest. Each runs twice with the same bugs, which
 * `EXPECTED` says beforehand: what the pages have to conclude from the second build. Videos show blue while a test is well, and red when
 * it fails.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { TestResult, TestResultDetail } from "@tapedeck/contract/test-result.ts";
import { chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { browsersFolder, installPlaywright, type PlaywrightFolder } from "#test/clients/playwright-project.ts";
import { pythonClientSource } from "#test/clients/python-client.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { root } from "#test/stack.ts";
import { junitPom, packagePython } from "../bin/setup/external-programs.mjs";

/** The conclusions about the second build. A renamed test is another test, whose failure has the cause of the one before. */
const EXPECTED = {
	tests: { passed: 3, failed: 2 },
	newlyFailing: { breaks: "new", "new name": "new" },
	stillFailing: {},
	fixed: ["is fixed"],
	flaky: ["is flaky"],
};
const NAMES = ["stays green", "is flaky", "breaks", "is fixed", "old name", "new name"];

let api: TestApi;
let folder: string;
let playwright: PlaywrightFolder;
const program = requireProgram("chromium");
const ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"];

beforeAll(async () => {
	api = await startTestApi();
	folder = await mkdtemp(join(tmpdir(), "tapedeck-headless-"));
	playwright = await installPlaywright(api.url, {});
}, 300_000);
afterAll(async () => {
	await api?.stop();
	await Promise.all([folder, playwright?.folder].map((each) => rm(each, { recursive: true, force: true })));
});

/** Writes the files of a project into a folder of its own. */
async function project(name: string, files: Record<string, string>): Promise<string> {
	const place = join(folder, name);
	for (const [file, text] of Object.entries(files)) {
		await mkdir(join(place, dirname(file)), { recursive: true });
		await writeFile(join(place, file), text);
	}
	return place;
}

/** Runs a tool to its end, which is an error if tests fail. */
function run(cwd: string, [command = "", ...words]: string[], env: Record<string, string>): Promise<string> {
	return new Promise((done) => {
		const whole = { ...process.env, DISPLAY: "", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", ...env };
		execFile(command, words, { cwd, env: whole, maxBuffer: 2 ** 26 }, (_error, out, err) => done(out + err));
	});
}

const KEY = () => ({ TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });
const nameOf = ({ test }: Pick<TestResult, "test">): string => {
	const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
	return NAMES.find((name) => letters(test).includes(letters(name))) ?? test;
};
/** The names of tests, each with whether its failure is new. */
const failuresOf = (results: readonly TestResult[]) =>
	Object.fromEntries(results.map((result) => [nameOf(result), result.new ? "new" : "known"]));

async function expectReport(build: string, output: string): Promise<void> {
	const { body } = await api.call("GET", `/v1/builds/${encodeURIComponent(build)}/report`);
	const report = body as BuildReport;
	expect(report.tests, output).toBeDefined();
	expect(
		{
			tests: { passed: report.tests.passed, failed: report.tests.failed + report.tests.error },
			newlyFailing: failuresOf(report.newlyFailing.data),
			stillFailing: failuresOf(report.stillFailing.data),
			fixed: report.fixed.data.map(nameOf),
			flaky: report.flaky.data.map(nameOf),
		},
		output,
	).toEqual(EXPECTED);
	const before = build.replace(/2$/, "1");
	const ofCause = async (one: string) =>
		(
			(
				await api.call(
					"GET",
					`/v1/tests?limit=100&q=${encodeURIComponent(`build:"${one}" outcome:failed outcome:error`)}`,
				)
			).body.data as TestResult[]
		)
			.filter((result) => /^(old|new) name$/.test(nameOf(result)))
			.map(({ cause }) => cause);
	expect(new Set([...(await ofCause(before)), ...(await ofCause(build))]).size, output).toBe(1);
}

/** The last result of the test that breaks, in a build. */
async function broken(build: string): Promise<TestResultDetail> {
	const { body } = await api.call("GET", `/v1/builds/${encodeURIComponent(build)}/report`);
	const found = (body as BuildReport).newlyFailing.data.find((result) => nameOf(result) === "breaks");
	return (await api.call("GET", `/v1/tests/${found?.id}`)).body;
}

/** The frame at the failure is red. */
async function expectRed({ recordingId }: TestResult): Promise<void> {
	expect(recordingId).not.toBeNull();
	const answer = await fetch(`${api.url}/v1/recordings/${recordingId}/frame?of=failure&width=160`, {
		headers: { authorization: `Bearer ${TEST_API_KEY}` },
	});
	expect(answer.status).toBe(200);
	const pixel = ["-vf", "crop=iw/2:ih/2,scale=1:1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
	const ffmpeg = spawn(requireProgram("ffmpeg"), ["-v", "error", "-i", "-", ...pixel]);
	ffmpeg.stdin.end(Buffer.from(await answer.arrayBuffer()));
	const [red = 0, , blue = 255] = await buffer(ffmpeg.stdout);
	expect([red > 150, blue < 100], `red ${red}, blue ${blue}`).toEqual([true, true]);
}

const SPEC = (build: number) => `import { test } from "playwright/test";
const visit = async (page, why) => {
	await page.setContent("<body style='background: #00f'><button>Pay now</button>");
	await page.getByRole("button", { name: "Pay now" }).click();
	await page.waitForTimeout(1_000);
	if (!why) return;
	await page.evaluate(() => { document.body.style.background = "#f00"; });
	await page.waitForTimeout(500);
	throw new Error(why);
};
test("stays green", ({ page }) => visit(page));
test("is flaky", ({ page }, { retry }) => visit(page, ${build} === 2 && retry === 0 && "lost the race"));
test("breaks", ({ page }) => visit(page, ${build} === 2 && "The bank is closed"));
test("is fixed", ({ page }) => visit(page, ${build} === 1 && "There is no invoice"));
test(${JSON.stringify(build === 1 ? "old name" : "new name")}, ({ page }) => visit(page, "The courier is late"));`;

test("Playwright, headless in two shards: conclusions, frames at failures, a trace in a browser, and reports merged later", async () => {
	const launchOptions = { executablePath: program, args: ARGUMENTS };
	const use = { trace: "retain-on-failure", screenshot: "only-on-failure", video: "retain-on-failure", launchOptions };
	const browsers = { PLAYWRIGHT_BROWSERS_PATH: await browsersFolder(playwright.folder) };
	const labels = (build: number) => ({ build: `Playwright ${build}`, branch: "main", commit: `${build}`.repeat(40) });
	let output = "";
	for (const build of [1, 2]) {
		await writeFile(join(playwright.folder, "headless.spec.mjs"), SPEC(build));
		const reporter = [["@tapedeck/playwright", { labels: labels(build) }], ["blob"]];
		const config = { use, reporter, retries: 1, workers: 2, fullyParallel: true };
		for (const shard of [1, 2]) {
			const env = { ...browsers, PLAYWRIGHT_BLOB_OUTPUT_FILE: join(playwright.folder, `blobs-${build}/${shard}.zip`) };
			const ended = await playwright.run(["headless", "--shard", `${shard}/2`], { record: "own" }, env, config);
			output += ended.output;
		}
	}
	await expectReport("Playwright 2", output);
	const result = await broken("Playwright 2");
	await expectRed(result);
	expect(result.attachments.map(({ name }) => name).sort()).toEqual(
		expect.arrayContaining(["screenshot.png", "trace.zip"]),
	);

	const trace = result.attachments.find(({ name }) => name === "trace.zip");
	const { viewerUrl } = (await api.call("GET", `/v1/attachments/${trace?.id}/url`)).body;
	expect(new URL(viewerUrl).origin).not.toBe(new URL(api.app.baseUrl).origin);
	const browser = await chromium.launch(launchOptions);
	const page = await browser.newPage();
	await page.goto(viewerUrl);
	await page.getByText("Pay now").first().waitFor({ timeout: 60_000 });
	await browser.close();

	const counted = async () => {
		const { data } = (await api.call("GET", "/v1/test-runs?build=Playwright%202")).body;
		const results = (await api.call("GET", '/v1/tests?limit=100&q=build:"Playwright 2"')).body.data as TestResult[];
		return [data.length, results.length, results.reduce((sum, each) => sum + (each.attachmentCount ?? 0), 0)];
	};
	const before = await counted();
	const merged = `export default { reporter: [["@tapedeck/playwright", { labels: ${JSON.stringify(labels(2))} }], ["json", { outputFile: "merged.json" }]] };`;
	await writeFile(join(playwright.folder, "merge.config.mjs"), merged);
	const cli = join(root, "node_modules/playwright/cli.js");
	const words = [process.execPath, cli, "merge-reports", "--config", "merge.config.mjs", "blobs-2"];
	const said = await run(playwright.folder, words, KEY());
	expect((await readFile(join(playwright.folder, "merged.json"), "utf8")).includes("is flaky"), said).toBe(true);
	expect(await counted()).toEqual(before);
}, 400_000);

/** @param page what each test is given: a page of a browser, or nothing. */
function pythonTests(build: number, more: string, page: "page" | ""): string {
	const visit = (why: string): string => `visit(${page === "" ? "" : `${page}, `}${why})`;
	return `${more}
ATTEMPTS = []
def test_stays_green(${page}): ${visit("None")}
def test_is_flaky(${page}):
    ATTEMPTS.append(1)
    ${visit(`"lost the race" if ${build} == 2 and len(ATTEMPTS) == 1 else None`)}
def test_breaks(${page}): ${visit(`"The bank is closed" if ${build} == 2 else None`)}
def test_is_fixed(${page}): ${visit(`"There is no invoice" if ${build} == 1 else None`)}
def test_${build === 1 ? "old" : "new"}_name(${page}): ${visit('"The courier is late"')}
`;
}
const pythonLabels = (name: string, build: number) => [
	...["--label", `build=${name} ${build}`, "--label", "branch=main", "--label", `commit=${`${build}`.repeat(40)}`],
];

test("pytest with pytest-playwright: conclusions, and frames at failures", async () => {
	const visit = `
def visit(page, why=None):
    page.set_content("<body style='background: #00f'><button>Pay now</button>")
    page.wait_for_timeout(1000)
    if why:
        page.evaluate("document.body.style.background = '#f00'")
        page.wait_for_timeout(500)
        raise RuntimeError(why)
`;
	const conftest = `import pytest
@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": ${JSON.stringify(program)}, "args": ${JSON.stringify(ARGUMENTS)}}
`;
	const find = "import os, playwright; print(os.path.dirname(playwright.__file__))";
	const package_ = (await run(root, [packagePython, "-c", find], {})).trim();
	const { browsers } = JSON.parse(await readFile(join(package_, "driver/package/browsers.json"), "utf8"));
	const { revision } = browsers.find(({ name }: { name: string }) => name === "ffmpeg");
	await mkdir(join(folder, "browsers", `ffmpeg-${revision}`), { recursive: true });
	await symlink(requireProgram("ffmpeg"), join(folder, "browsers", `ffmpeg-${revision}`, "ffmpeg-linux"));
	let output = "";
	for (const build of [1, 2]) {
		const files = { "conftest.py": conftest, "test_shop.py": pythonTests(build, visit, "page") };
		const place = await project("pytest", files);
		const plugins = ["pytest_playwright.pytest_playwright", "pytest_rerunfailures", "pytest_tapedeck"];
		const labels = pythonLabels("pytest", build).map((word) => (word === "--label" ? "--tapedeck-label" : word));
		const words = [
			...[packagePython, "-m", "pytest", "-p", "no:cacheprovider", ...plugins.flatMap((name) => ["-p", name])],
			...["--tapedeck=always", ...labels, "--video=on", "--tracing=retain-on-failure", "--screenshot=only-on-failure"],
			...["--reruns", "1", "test_shop.py"],
		];
		const path = { PYTHONPATH: pythonClientSource(), PLAYWRIGHT_BROWSERS_PATH: join(folder, "browsers") };
		output += await run(place, words, { ...KEY(), ...path });
	}
	await expectReport("pytest 2", output);
	const result = await broken("pytest 2");
	await expectRed(result);
	expect(result.attachments.map(({ name }) => name)).toContain("trace.zip");
}, 300_000);

/** Imports the reports of the second build's tests, which ran for one commit, perhaps twice. */
async function imported(name: string, build: number, path: string): Promise<string> {
	const answer = await tapedeck(["import", ...pythonLabels(name, build), path], KEY());
	expect(answer.status, answer.text).toBe(0);
	return answer.text;
}

test("JUnit by Maven through Open Test Reporting: conclusions, and a file that a test publishes", async () => {
	const java = (build: number) => `import java.nio.file.*;
import org.junit.jupiter.api.*;
class ShopTest {
	static void visit(String why) { if (why != null) throw new IllegalStateException(why); }
	@Test @DisplayName("stays green") void staysGreen() { visit(null); }
	@Test @DisplayName("is flaky") void isFlaky() { visit(${build} == 2 && System.getenv("AGAIN") == null ? "lost the race" : null); }
	@Test @DisplayName("breaks") void breaks(TestReporter reporter) {
		reporter.publishFile("receipt.txt", MediaType.TEXT_PLAIN, file -> Files.writeString(file, "not paid"));
		visit(${build} == 2 ? "The bank is closed" : null);
	}
	@Test @DisplayName("is fixed") void isFixed() { visit(${build} == 1 ? "There is no invoice" : null); }
	@Test @DisplayName("${build === 1 ? "old" : "new"} name") void renamed() { visit("The courier is late"); }
}`;
	const properties = `junit.platform.reporting.open.xml.enabled=true\njunit.platform.reporting.output.dir=target/junit\n`;
	let output = "";
	for (const [build, env] of [
		[1, {}],
		[2, {}],
		[2, { AGAIN: "yes" }],
	] as const) {
		const place = await project("maven", {
			"pom.xml": junitPom,
			"src/test/java/ShopTest.java": java(build),
			"src/test/resources/junit-platform.properties": properties,
		});
		await rm(join(place, "target/junit"), { recursive: true, force: true });
		output += await run(place, ["mvn", "-B", "-q", "--offline", "test"], env as Record<string, string>);
		output += await imported("Maven", build, join(place, "target/junit"));
	}
	await expectReport("Maven 2", output);
	expect((await broken("Maven 2")).attachments.map(({ name }) => name)).toEqual(["receipt.txt"]);
}, 300_000);

test("Robot Framework: conclusions", async () => {
	const robot = (build: number) => `*** Test Cases ***
stays green
    No Operation
is flaky
    IF    ${build} == 2 and '%{AGAIN=}' == ''    Fail    lost the race
breaks
    IF    ${build} == 2    Fail    The bank is closed
is fixed
    IF    ${build} == 1    Fail    There is no invoice
${build === 1 ? "old" : "new"} name
    Fail    The courier is late
`;
	let output = "";
	for (const [build, env] of [
		[1, {}],
		[2, {}],
		[2, { AGAIN: "yes" }],
	] as const) {
		const place = await project("robot", { "shop.robot": robot(build) });
		const words = [packagePython, "-m", "robot", "--outputdir", "results", "shop.robot"];
		output += await run(place, words, env as Record<string, string>);
		output += await imported("Robot", build, join(place, "results/output.xml"));
	}
	await expectReport("Robot 2", output);
}, 120_000);

test("Allure results of pytest: conclusions, a screenshot, and the frame at the failure of an attached video", async () => {
	const place = await project("allure", {});
	await mkdir(place, { recursive: true });
	const video = join(place, "shop.webm");
	const colors = ["blue", "red"].flatMap((color) => ["-f", "lavfi", "-i", `color=${color}:s=160x120:d=1:r=25`]);
	const whole = ["-v", "error", ...colors, "-filter_complex", "concat", "-c:v", "libvpx", video];
	const made = spawn(requireProgram("ffmpeg"), whole);
	expect((await once(made, "exit"))[0]).toBe(0);
	const visit = `import allure, time
def visit(why=None):
    if why:
        time.sleep(1.5)
        allure.attach(b"png", name="Screenshot", attachment_type=allure.attachment_type.PNG)
        allure.attach.file(${JSON.stringify(video)}, name="Video", attachment_type=allure.attachment_type.WEBM)
        raise RuntimeError(why)
`;
	let output = "";
	for (const build of [1, 2]) {
		await project("allure", { "test_shop.py": pythonTests(build, visit, "") });
		await rm(join(place, "allure-results"), { recursive: true, force: true });
		const plugins = ["-p", "allure_pytest.plugin", "-p", "pytest_rerunfailures"];
		const pytest = [packagePython, "-m", "pytest", "-p", "no:cacheprovider", ...plugins];
		output += await run(place, [...pytest, "--alluredir", "allure-results", "--reruns", "1", "test_shop.py"], {});
		output += await imported("Allure", build, join(place, "allure-results"));
	}
	await expectReport("Allure 2", output);
	const result = await broken("Allure 2");
	await expectRed(result);
	expect(result.attachments.map(({ name }) => name)).toEqual(["Screenshot.png"]);
}, 180_000);
