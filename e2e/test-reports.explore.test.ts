/**
 * The reports of other test tools, by real runs: each failing test records the time of its failure. Its result and
 * marker must be at that time, or the marker must be flagged as inexact and have no link to a second.
 */
import { glob, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Marker } from "@tapedeck/contract/marker.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { root, type Stack, startStack } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { junitPom, packagePython, testToolsFolder } from "../bin/setup/external-programs.mjs";

/** A shell's clock, a file system's and the video's first frame are each some tenths of a second apart. */
const NEAR_MS = 1_250;
const PLAYWRIGHT = join(root, "node_modules", "playwright");
const MODULES = join(testToolsFolder, "node_modules");

let stack: Stack;
beforeAll(async () => {
	stack = await startStack();
});
afterAll(() => stack?.stop());

interface Project {
	files: Record<string, string>;
	command: string[];
	/** The folder of its reports, if it cannot be chosen. */
	reports?: string;
	/** Packages that the project has. */
	modules?: string;
	variables?: Record<string, string>;
	/** Tests that failed at first and passed when they ran again. */
	flaky?: string[];
}

const TRUTH = `const { appendFileSync } = require("node:fs");
exports.pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
exports.fail = (name) => {
	appendFileSync(process.env.TRUTH, Date.now() + " " + name + "\\n");
	throw new Error(name + " failed");
};
`;
const USE_TRUTH = 'const { pause, fail } = require("./truth.js");\n';
const PYTHON_TRUTH = `import os, time

def fail(name):
    with open(os.environ["TRUTH"], "a") as file:
        file.write(f"{int(time.time() * 1000)} {name}\\n")
    raise RuntimeError(f"{name} failed")
`;
const JAVA_TRUTH = `import java.nio.file.*;
class Truth {
	static void pause(double seconds) throws Exception { Thread.sleep((long) (seconds * 1000)); }
	static void fail(String name) throws Exception {
		String line = System.currentTimeMillis() + " " + name + "\\n";
		Files.writeString(Path.of(System.getenv("TRUTH")), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		throw new IllegalStateException(name + " failed");
	}
}
`;

const playwright = (workers: number, retries = 0): Project => ({
	files: {
		"truth.js": TRUTH,
		"first.spec.js": `const { test } = require("playwright/test");
${USE_TRUTH}
test.beforeEach(() => pause(1));
test("adds", () => pause(0.5));
test("pays", async () => { await pause(1); fail("pays"); });`,
		"second.spec.js": `const { test } = require("playwright/test");
${USE_TRUTH}
test("ships", async () => { await pause(0.5); fail("ships"); });
test("returns", async ({}, { retry }) => { await pause(1.5); if (retry === 0) fail("returns"); });`,
		"playwright.config.js": `module.exports = {
	testDir: ".", workers: ${workers}, retries: ${retries}, reporter: [["junit", { outputFile: "reports/r.xml" }]] };`,
	},
	command: [process.execPath, join(PLAYWRIGHT, "cli.js"), "test"],
	modules: join(root, "node_modules"),
	...(retries === 0 ? {} : { flaky: ["returns"] }),
});

const pytest = (...options: string[]): Project => ({
	files: {
		"truth.py": PYTHON_TRUTH,
		"test_first.py": `import time, pytest
from truth import fail

@pytest.fixture(autouse=True)
def pause():
    time.sleep(1)

def test_adds():
    pass

def test_pays():
    time.sleep(1.5)
    fail("pays")
`,
		"test_second.py": `import time
from truth import fail

def test_ships():
    time.sleep(0.5)
    fail("ships")

def test_returns():
    time.sleep(2)
    fail("returns")
`,
	},
	command: [packagePython, "-m", "pytest", "-p", "no:cacheprovider", ...options, "--junitxml", "reports/r.xml"],
	variables: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONDONTWRITEBYTECODE: "1" },
});

const surefire = (...options: string[]): Project => ({
	files: {
		"pom.xml": junitPom,
		"src/test/java/Truth.java": JAVA_TRUTH,
		"src/test/java/FirstTest.java": `import org.junit.jupiter.api.*;
class FirstTest {
	@BeforeAll static void once() throws Exception { Truth.pause(2); }
	@BeforeEach void each() throws Exception { Truth.pause(1); }
	@Test void adds() throws Exception { Truth.pause(0.5); }
	@Test void pays() throws Exception { Truth.pause(1); Truth.fail("pays"); }
	@AfterAll static void last() throws Exception { Truth.pause(1); }
}`,
		"src/test/java/SecondTest.java": `import org.junit.jupiter.api.*;
class SecondTest {
	static int runs = 0;
	@Test void ships() throws Exception { Truth.pause(0.5); Truth.fail("ships"); }
	@Test void returns() throws Exception { Truth.pause(1.5); if (runs++ == 0) Truth.fail("returns"); }
	@Nested class Inner { @Test void refunds() throws Exception { Truth.pause(1); Truth.fail("refunds"); } }
}`,
	},
	command: ["mvn", "-B", "-q", "--offline", ...options, "test"],
	reports: "target/surefire-reports",
	...(options.some((option) => option.includes("rerun")) ? { flaky: ["returns"] } : {}),
});

const jest = (...options: string[]): Project => ({
	files: {
		"truth.js": TRUTH,
		"first.test.js": `${USE_TRUTH}
beforeEach(() => pause(1));
test("adds", () => pause(0.5));
test("pays", async () => { await pause(1); fail("pays"); });
describe("later", () => {
	beforeAll(() => pause(1.2));
	test("refunds", async () => { await pause(0.5); fail("refunds"); });
});`,
		"second.test.js": `${USE_TRUTH}
test("ships", async () => { await pause(0.5); fail("ships"); });
test("returns", async () => { await pause(1.5); fail("returns"); });`,
		"jest.config.js": `module.exports = { reporters: [["jest-junit", { outputDirectory: "reports" }]] };`,
	},
	command: [process.execPath, join(MODULES, "jest", "bin", "jest.js"), ...options],
	modules: MODULES,
});

const mocha: Project = {
	files: {
		"truth.js": TRUTH,
		"spec.js": `${USE_TRUTH}
describe("cart", () => {
	beforeEach(() => pause(1.2));
	it("adds", () => pause(0.5));
	it("pays", async () => { await pause(1); fail("pays"); });
	describe("inside", () => { it("refunds", async () => { await pause(0.5); fail("refunds"); }); });
});
describe("later", () => {
	it("ships", async () => { await pause(0.5); fail("ships"); });
	it("returns", async () => { await pause(1.5); fail("returns"); });
});
describe("broken", () => {
	before(async () => { await pause(0.5); fail("opens"); });
	it("is never run", () => undefined);
});`,
	},
	command: [
		...[process.execPath, join(MODULES, "mocha", "bin", "mocha.js"), "--timeout", "60000", "spec.js"],
		...["--reporter", "mocha-junit-reporter", "--reporter-options", "mochaFile=reports/r.xml"],
	],
	modules: MODULES,
};

/** The links of the tests in the copies of the reports. */
async function linksIn(folder: string): Promise<string[]> {
	const found: string[] = [];
	for await (const file of glob(join(folder, "*.tapedeck.xml"))) {
		const copy = await readFile(file, "utf8");
		for (const [, url = ""] of copy.matchAll(/<property name="tapedeck\.url" value="([^"]*)"/g)) found.push(url);
	}
	return found;
}

/** Failures whose markers say when they were. */
let exact = 0;
const UTC_PLUS_9 = { TZ: "Asia/Tokyo" };

test.each([
	["Playwright Test", playwright(1)],
	["Playwright Test with two workers", playwright(2)],
	["Playwright Test with retries", playwright(1, 1)],
	["pytest", pytest()],
	["pytest-xdist", pytest("-p", "xdist.plugin", "-n", "2")],
	["Maven Surefire", surefire()],
	["Maven Surefire with reruns", surefire("-Dsurefire.rerunFailingTestsCount=1")],
	["jest", jest("--runInBand")],
	["jest with two workers, nine hours from UTC", { ...jest("--maxWorkers=2"), variables: UTC_PLUS_9 }],
	["mocha", mocha],
])("tests of %s have markers where they failed, or ones that say that they are not exact", async (name, project) => {
	const folder = await temporaryFolder("reports");
	for (const [file, text] of Object.entries(project.files)) {
		await mkdir(join(folder, dirname(file)), { recursive: true });
		await writeFile(join(folder, file), text);
	}
	if (project.modules !== undefined) await symlink(project.modules, join(folder, "node_modules"));
	const truth = join(folder, "truth.txt");
	const reports = join(folder, project.reports ?? "reports");
	const answer = await tapedeck(
		[
			...["run", "--display", stack.displayId, "--data-dir", join(stack.dataDir, "demo-runner"), "--name", name],
			...["--junit", join(reports, "*.xml"), "--junit-links"],
			...["--", "sh", "-c", 'cd "$0" && exec "$@"', folder, ...project.command],
		],
		{ TRUTH: truth, ...project.variables },
	);
	expect(answer.status, answer.text).not.toBe(0);
	expect(answer.text).toMatch(/tapedeck: Times of tests, as assumed: [^\n]*\.\n/);
	const failures = (await readFile(truth, "utf8"))
		.trim()
		.split("\n")
		.map((line) => line.split(" ") as [string, string]);
	const jobId = /\/jobs\/(\d+)/.exec(answer.text)?.[1];
	const { data } = await stack.api.call<{ data: Marker[] }>("GET", `/v1/jobs/${jobId}/markers?limit=100`);
	const failed = data.filter(({ kind }) => kind === "fail");
	const names = [...new Set(failures.map(([, test]) => test))].filter((test) => !project.flaky?.includes(test));
	const { data: results } = await stack.api.call<{ data: TestResult[] }>("GET", `/v1/tests?jobId=${jobId}&limit=100`);
	for (const test of names) {
		// The error of a hook names another test, or none.
		const errors = results.filter(({ outcome }) => outcome === "failed" || outcome === "error");
		const texts = errors.map(({ message, stack }) => stack ?? message);
		expect(texts, `${test} of:\n${answer.text}`).toContainEqual(expect.stringContaining(`${test} failed`));
		const marker = failed.find(({ label, message }) => label.includes(test) || message?.includes(`${test} failed`));
		expect(marker?.message, `${test} of:\n${answer.text}`).toContain(`${test} failed`);
		if (marker === undefined || marker.label.startsWith("about: ")) continue;
		// The last of several attempts is the test's failure.
		const at = Number(failures.findLast(([, each]) => each === test)?.[0]);
		const late = Date.parse(marker.at ?? "") - at;
		expect(Math.abs(late), `${test} is ${late} ms late:\n${answer.text}`).toBeLessThan(NEAR_MS);
		exact++;
	}
	for (const test of project.flaky ?? []) {
		expect(failed.filter(({ label }) => label.includes(test))).toEqual([]);
		const attempts = results.filter((each) => each.test.includes(test)).sort((a, b) => a.attempt - b.attempt);
		expect(attempts.at(-1)).toMatchObject({ outcome: "passed" });
		// Playwright's report has the last one alone.
		if (project.reports !== undefined)
			expect(attempts[0]).toMatchObject({ outcome: "failed", attempt: 1, flaky: true });
	}
	expect(failed).toHaveLength(names.length);
	const ids = new Set(results.map(({ id }) => String(id)));
	for (const url of await linksIn(reports)) expect(ids, url).toContain(/\/jobs\/\d+\?result=(\d+)$/.exec(url)?.[1]);
});

test("keywords of Robot Framework's output.xml have their times in the video, and its failures their moments", async () => {
	const folder = await temporaryFolder("reports");
	const files = {
		"truth.py": PYTHON_TRUTH,
		"Shop.py":
			"import time\nfrom truth import fail\n\ndef pause(seconds): time.sleep(float(seconds))\ndef break_it(name): fail(name)\n",
		"shop.robot": `*** Settings ***
Library    Shop.py

*** Keywords ***
Pay
    Pause    1
    Break It    pays

*** Test Cases ***
Adds
    Pause    1
Pays
    Pause    0.5
    Pay
    [Teardown]    Pause    2
`,
	};
	for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
	const truth = join(folder, "truth.txt");
	const robot = [packagePython, "-m", "robot", "--pythonpath", ".", "--outputdir", "results", "shop.robot"];
	const answer = await tapedeck(
		[
			...["run", "--display", stack.displayId, "--data-dir", join(stack.dataDir, "demo-runner"), "--name", "robot"],
			...["--report", join(folder, "results/output.xml"), "--", "sh", "-c", 'cd "$0" && exec "$@"', folder, ...robot],
		],
		{ TRUTH: truth },
	);
	expect(answer.status, answer.text).toBe(1);
	const jobId = /\/jobs\/(\d+)/.exec(answer.text)?.[1];
	const { startedAt } = await stack.api.call<{ startedAt: string }>("GET", `/v1/jobs/${jobId}`);
	const failedAt = (Number((await readFile(truth, "utf8")).split(" ")[0]) - Date.parse(startedAt)) / 1_000;
	const { data } = await stack.api.call<{ data: TestResult[] }>("GET", `/v1/tests?jobId=${jobId}`);
	expect(data.map(({ test, outcome, isApproximate }) => [test, outcome, isApproximate]).sort()).toEqual([
		["Shop › Adds", "passed", false],
		["Shop › Pays", "failed", false],
	]);
	const pays = data.find(({ outcome }) => outcome === "failed");
	expect(answer.text).toContain(`Shop › Pays: ${stack.url}/jobs/${jobId}?result=${pays?.id}`);
	const [pause, pay, teardown] = pays?.steps ?? [];
	expect([pause, pay, teardown].map((step) => step?.title)).toEqual(["Shop.Pause", "Pay", "Shop.Pause"]);
	expect(pay?.steps.map(({ title, outcome }) => [title, outcome])).toEqual([
		["Shop.Pause", "passed"],
		["Shop.Break It", "failed"],
	]);
	const { data: markers } = await stack.api.call<{ data: Marker[] }>("GET", `/v1/jobs/${jobId}/markers`);
	const moments = [pays?.failureOffsetSeconds, ...markers.map(({ offsetSeconds }) => offsetSeconds)];
	expect(moments).toHaveLength(2);
	for (const at of moments) expect(Math.abs((at ?? 0) - failedAt), answer.text).toBeLessThan(NEAR_MS / 1_000);
	// The teardown, which ends 2 s later, shows something else.
	expect(teardown?.offsetSeconds).toBeGreaterThan((pays?.failureOffsetSeconds ?? 0) - 0.1);
});

test("some of them have known times", () => {
	expect(exact).toBeGreaterThan(0);
});
