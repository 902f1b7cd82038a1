/**
 * Test results of real tools, as a team has them after five builds of a branch: Playwright Test in two shards with our
 * reporter, pytest-xdist with our plugin, and JUnit in Maven with a browser on a Selenium Grid. One test is flaky, one breaks
 * with build 3, one is fixed with it, and one is renamed with build 4. The tests paint the time in their browsers, so that the
 * frame of each failure says whether it is the right one.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { FailureGroupList } from "@tapedeck/contract/test-failure.ts";
import type { TestHistory, TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installClients } from "#test/clients/install-clients.ts";
import { pythonClientSource } from "#test/clients/python-client.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { chromeOptions, type Grid, grid4Part, startGrid } from "#test/grids/selenium-grid.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { startRunner } from "#test/runners/runner-process.ts";
import { type Dashboard, root, startTestDashboard } from "#test/stack.ts";
import { CLOCK_PAGE, frameSpan, paintedAfter } from "#test/videos/painted-clock.ts";
import { until } from "#test/wait.ts";
import { packagePython, seleniumPom } from "../bin/setup/external-programs.mjs";

const DISPLAY = { width: 1280, height: 720 };
/** Two browsers at the same time are side by side. */
const WINDOW_WIDTH = DISPLAY.width / 2;
const BUILDS = [1, 2, 3, 4, 5];
const RUNNER = "the machine of the tests";
/** The tolerance between the painted time and the screen at the failure: less than the time between tests. */
const NEAR_MS = 1_000;
/** The time for which each test shows the clock before it ends. */
const SHOWN_MS = 1_200;
/** The time limit of a tool: it takes one minute, and ten on a machine with ten times the load it can handle. */
const BUILDS_MS = 1_200_000;
/** The dashboard takes one frame after the other, at the lowest priority. */
const FRAME_MS = 180_000;
const MODULES = join(root, "node_modules");
const BROWSER_ARGS = [...chromeOptions.args.slice(0, 4), `--window-size=${WINDOW_WIDTH},${DISPLAY.height}`];

let dashboard: Dashboard;
let display: VirtualDisplay;
let runner: Child;
let grid: Grid;
let folder: string;
let runnerDir: string;
let reporter: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-results-"));
	[dashboard, display] = await Promise.all([startTestDashboard(), startXvfb(DISPLAY)]);
	runnerDir = join(dashboard.dataDir, "runner");
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const part = grid4Part("standalone", port, "--selenium-manager", "false");
	const place = { displayId: display.id, dataDir: dashboard.dataDir };
	const [installed, started] = await Promise.all([installClients("playwright"), startGrid(part, { url }, place)]);
	grid = started;
	reporter = installed.folder;
	// The package and the project share one Playwright.
	for (const name of ["playwright", "playwright-core"])
		await symlink(join(MODULES, name), join(reporter, "node_modules", name));
	const env = {
		...{ TAPEDECK_TOKEN: dashboard.runnerToken, TAPEDECK_RUNNER_NAME: RUNNER },
		...{ TAPEDECK_AUTO_RECORD: "session", SE_GRID_URL: url },
	};
	runner = startRunner({ url: dashboard.url, display: display.id, dataDir: runnerDir, env });
	await runner.says("waiting for sessions");
});
afterAll(async () => {
	await grid?.stop();
	await runner?.stop();
	await display?.stop();
	await dashboard?.stop();
	for (const path of [folder, reporter]) if (path !== undefined) await rm(path, { recursive: true, force: true });
});

/** A failing test's own record of its failure. */
interface Failure {
	test: string;
	/** Milliseconds since 1970. */
	at: number;
	/** The time that its page showed, likewise. */
	shown: number;
	/** The window's left edge on the display, in pixels. */
	left: number;
}

/** The way to run a build of a project. */
interface Tool {
	files: Record<string, string>;
	/** Symbolic links in its folder. */
	links?: () => Record<string, string>;
	/** The titles of its tests, as Tapedeck names them. @param name as in the project. */
	title: (name: string) => string;
	/** Runs one build, whose tests fail. @param env of the tests. */
	run: (project: string, labels: Labels, env: Record<string, string>) => Promise<void>;
	/** The number of attempts of a test that fails every time. */
	attempts: number;
	/** The attempts of the flaky test. */
	flakyAttempts: [failed: number, passed: number];
	/** The number of recordings of a build. */
	recordings: number;
}
interface Labels extends Record<string, string> {
	build: string;
	branch: string;
	commit: string;
}

const BROKEN = "The total of order";
const FIXED = "No label to print for parcel";
const FLAKY = "The courier did not answer within";

/**
 * Tests whose behavior in each build is defined by `shop`, in JavaScript, Python and Java alike: they show the time,
 * and then pass or fail.
 */
const PLAYWRIGHT: Tool = {
	files: {
		"playwright.config.mjs": `export default {
	testDir: ".", workers: 2, retries: 1, fullyParallel: true,
	reporter: [["line"], ["@tapedeck/playwright"]],
};`,
		"shop.spec.mjs": `import { appendFileSync } from "node:fs";
import { test as base } from "playwright/test";

const left = (info) => info.parallelIndex * ${WINDOW_WIDTH};
const test = base.extend({
	launchOptions: [async ({}, use, info) => {
		const args = [...${JSON.stringify(BROWSER_ARGS)}, "--window-position=" + left(info) + ",0"];
		await use({ headless: false, executablePath: "${chromeOptions.binary}", args });
	}, { scope: "worker" }],
	viewport: null,
});
const build = Number(process.env.SHOP_BUILD);
const fail = async (page, name, message) => {
	const shown = await page.evaluate("shown()");
	const line = JSON.stringify({ test: name, at: Date.now(), shown, left: left(test.info()) });
	appendFileSync(process.env.TRUTH, line + "\\n");
	throw new Error(message);
};
test.beforeEach(async ({ page }) => {
	await page.goto(process.env.CLOCK);
	await page.waitForTimeout(${SHOWN_MS});
});
test("steady", async () => {});
test("broken", async ({ page }) => {
	await test.step("Reads the total", async () => {
		if (build >= 3) await fail(page, "broken", "${BROKEN} " + build * 1117 + " is wrong");
	});
});
test("fixed", async ({ page }) => { if (build < 3) await fail(page, "fixed", "${FIXED} " + build * 2003); });
test("flaky", async ({ page }, { retry }) => { if (retry === 0) await fail(page, "flaky", "${FLAKY} " + build * 3 + " s"); });
test(build < 4 ? "old name" : "new name", async () => {});
`,
	},
	links: () => ({ node_modules: join(reporter, "node_modules") }),
	title: (name) => `shop.spec.mjs › ${name}`,
	async run(project, labels, env) {
		for (const shard of ["1/2", "2/2"]) {
			const command = [process.execPath, join(MODULES, "playwright/cli.js"), "test", "--shard", shard];
			await runRecorded(project, { ...labels, shard }, env, [], command);
		}
	},
	attempts: 2,
	flakyAttempts: [1, 2],
	recordings: 2,
};

/** Other tests install the plugin into this Python. */
const PYTHON = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", PYTHONPATH: pythonClientSource() };
const PYTEST: Tool = {
	files: {
		"conftest.py": `import json, os, time
import pytest
from selenium import webdriver

LEFT = ${WINDOW_WIDTH} * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])

@pytest.fixture(scope="session")
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = "${chromeOptions.binary}"
    for argument in ${JSON.stringify(BROWSER_ARGS)} + [f"--window-position={LEFT},0"]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.get(os.environ["CLOCK"])
    yield driver
    driver.quit()

@pytest.fixture(autouse=True)
def shown(driver):
    time.sleep(${SHOWN_MS / 1_000})

@pytest.fixture
def fail(driver):
    def fail(name, message):
        shown = driver.execute_async_script("shown().then(arguments[0])")
        with open(os.environ["TRUTH"], "a") as file:
            file.write(json.dumps({"test": name, "at": time.time() * 1000, "shown": shown, "left": LEFT}) + "\\n")
        raise RuntimeError(message)
    return fail
`,
		"test_shop.py": `import os

BUILD = int(os.environ["SHOP_BUILD"])
attempts = []

def test_steady(): pass

def test_broken(fail):
    if BUILD >= 3: fail("broken", f"${BROKEN} {BUILD * 1117} is wrong")

def test_fixed(fail):
    if BUILD < 3: fail("fixed", f"${FIXED} {BUILD * 2003}")

def test_flaky(fail):
    attempts.append(1)
    if len(attempts) == 1: fail("flaky", f"${FLAKY} {BUILD * 3} s")

def renamed(): pass

globals()["test_old_name" if BUILD < 4 else "test_new_name"] = renamed
`,
	},
	title: (name) => `test_shop › test_${name.replace(" ", "_")}`,
	async run(project, labels, env) {
		const plugins = ["xdist.plugin", "pytest_rerunfailures", "pytest_tapedeck"].flatMap((name) => ["-p", name]);
		const tests = ["-m", "pytest", "-p", "no:cacheprovider", ...plugins, "-n", "2", "--reruns", "1"];
		const recorded = ["--tapedeck", "always"];
		const given = Object.entries(labels).flatMap(([key, value]) => ["--tapedeck-label", `${key}=${value}`]);
		const child = startChild(packagePython, [...tests, ...recorded, ...given], {
			cwd: project,
			env: { ...environment(), ...env, ...PYTHON } as unknown as NodeJS.ProcessEnv,
		});
		expect(await child.exited, child.output()).toBe(1);
	},
	attempts: 2,
	flakyAttempts: [1, 2],
	// One for each worker.
	recordings: 2,
};

/** For processes that end before further compilation of their code would pay. */
const SHORT_LIVED_JVM = "-XX:TieredStopAtLevel=1";
const MAVEN: Tool = {
	files: {
		"pom.xml": seleniumPom,
		"src/test/java/Shop.java": `import java.net.URI;
import java.nio.file.*;
import java.util.*;
import org.openqa.selenium.*;
import org.openqa.selenium.remote.RemoteWebDriver;

/** One browser for all tests, which is closed when they have ended. */
class Shop {
	static final int build = Integer.parseInt(System.getenv("SHOP_BUILD"));
	static final RemoteWebDriver driver = open();

	static RemoteWebDriver open() {
		try {
			Map<String, Object> options = Map.of("binary", "${chromeOptions.binary}",
				"args", List.of(${[...BROWSER_ARGS, "--window-position=0,0"].map((arg) => `"${arg}"`).join(", ")}));
			RemoteWebDriver driver = new RemoteWebDriver(URI.create(System.getenv("GRID")).toURL(), new ImmutableCapabilities(Map.of(
				"browserName", "chrome", "goog:chromeOptions", options, "tapedeck:build", System.getenv("BUILD_LABEL"))));
			Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
			driver.get(System.getenv("CLOCK"));
			return driver;
		} catch (Exception error) { throw new IllegalStateException(error); }
	}
	static void show() throws Exception { driver.getTitle(); Thread.sleep(${SHOWN_MS}); }
	static void fail(String test, String message) throws Exception {
		Object shown = driver.executeAsyncScript("shown().then(arguments[0])");
		String times = "\\"at\\":" + System.currentTimeMillis() + ",\\"shown\\":" + shown;
		String line = "{\\"test\\":\\"" + test + "\\"," + times + ",\\"left\\":0}\\n";
		Files.writeString(Path.of(System.getenv("TRUTH")), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		throw new IllegalStateException(message);
	}
}
`,
		"src/test/java/ShopTest.java": `import org.junit.jupiter.api.*;

class ShopTest {
	@BeforeEach void show() throws Exception { Shop.show(); }
	@Test void steady() {}
	@Test void broken() throws Exception { if (Shop.build >= 3) Shop.fail("broken", "${BROKEN} " + Shop.build * 1117 + " is wrong"); }
	@Test void fixed() throws Exception { if (Shop.build < 3) Shop.fail("fixed", "${FIXED} " + Shop.build * 2003); }
	@Test void NAME() {}
}
`,
		"src/test/java/CourierTest.java": `import org.junit.jupiter.api.*;

class CourierTest {
	@Test void flaky() throws Exception {
		Shop.show();
		if (System.getenv("SHOP_RETRY").equals("0")) Shop.fail("flaky", "${FLAKY} " + Shop.build * 3 + " s");
	}
}
`,
	},
	title: (name) => `${name === "flaky" ? "CourierTest" : "ShopTest"} › ${name.replace(" n", "N")}`,
	async run(project, labels, env) {
		const source = join(project, "src/test/java/ShopTest.java");
		const name = Number(env.SHOP_BUILD) < 4 ? "oldName" : "newName";
		await writeFile(source, (await readFile(source, "utf8")).replace(/NAME|oldName/, name));
		const options = ["--junit", join(project, "target/surefire-reports/*.xml")];
		const mvn = ["mvn", "-B", "-q", "--offline", `-DargLine=${SHORT_LIVED_JVM}`, "test"];
		for (const [retry, command] of [mvn, [...mvn, "-Dtest=CourierTest"]].entries()) {
			await rm(join(project, "target/surefire-reports"), { recursive: true, force: true });
			const of = { SHOP_RETRY: String(retry), GRID: grid.url, BUILD_LABEL: labels.build };
			const variables = { ...env, ...of, MAVEN_OPTS: SHORT_LIVED_JVM };
			await runRecorded(project, labels, variables, options, command);
		}
	},
	// A failed build is run again by hand: Surefire's report of its own reruns does not say when they were.
	attempts: 1,
	flakyAttempts: [1, 1],
	// One for each command, and one for its session.
	recordings: 4,
};

/** The variables of this machine's dashboards and displays are left out. */
const environment = (): Record<string, string | undefined> =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(TAPEDECK_|PYTHON|PYTEST_|VITEST|DISPLAY$|CI$|GITHUB_)/.test(name),
		),
	);

/** Records a command whose tests fail, by `tapedeck run`. */
async function runRecorded(
	project: string,
	labels: Record<string, string>,
	env: Record<string, string>,
	options: string[],
	command: string[],
): Promise<void> {
	const given = Object.entries(labels).flatMap(([key, value]) => ["--label", `${key}=${value}`]);
	const record = ["run", "--display", display.id, "--data-dir", runnerDir, ...given, ...options];
	const { text } = await tapedeck([...record, "--", "sh", "-c", 'cd "$0" && exec "$@"', project, ...command], env);
	expect(text).toMatch(/tapedeck: Recording .*\/(jobs|recordings)\/\d+/);
}

describe.each([
	["playwright", PLAYWRIGHT],
	["pytest", PYTEST],
	["maven", MAVEN],
] as const)("five builds of %s", (name, tool) => {
	const buildOf = (build: number): string => `${name} ${build}`;
	const failures = new Map<number, Failure[]>();
	/** Results by build; within a build, by test and attempt. */
	const results = new Map<number, TestResult[]>();
	const title = tool.title;

	beforeAll(async () => {
		const project = join(folder, name);
		for (const [file, text] of Object.entries({ ...tool.files, "clock.html": CLOCK_PAGE })) {
			await mkdir(dirname(join(project, file)), { recursive: true });
			await writeFile(join(project, file), text);
		}
		for (const [path, target] of Object.entries(tool.links?.() ?? {})) {
			await mkdir(dirname(join(project, path)), { recursive: true });
			await symlink(target, join(project, path));
		}
		for (const build of BUILDS) {
			const labels = { build: buildOf(build), branch: `main of ${name}`, commit: `${build}`.repeat(40) };
			const truth = join(project, `${build}.truth`);
			const env = {
				...{ SHOP_BUILD: String(build), TRUTH: truth, CLOCK: `file://${join(project, "clock.html")}` },
				...{ TAPEDECK_URL: dashboard.url, TAPEDECK_API_KEY: dashboard.apiKey, DISPLAY: display.id },
			};
			await tool.run(project, labels, env);
			const lines = (await readFile(truth, "utf8")).trim().split("\n");
			failures.set(
				build,
				lines.map((line) => JSON.parse(line)),
			);
			results.set(build, await resultsOf(buildOf(build)));
		}
	}, BUILDS_MS);

	/** Sorted, so that they can be compared. */
	const outcomesOf = (build: number) =>
		(results.get(build) ?? []).map(({ test, attempt, outcome }) => `${test} ${attempt} ${outcome}`).sort();
	const attemptsOf = (test: string, outcomes: string[], attempts = outcomes.map((_, index) => index + 1)) =>
		outcomes.map((outcome, index) => `${title(test)} ${attempts[index]} ${outcome}`);
	const failedAttempts = Array.from({ length: tool.attempts }, () => "failed");

	test("each attempt of each test is there once, with its outcome and the labels of its build", async () => {
		for (const build of BUILDS) {
			expect(outcomesOf(build)).toEqual(
				[
					...attemptsOf("steady", ["passed"]),
					...attemptsOf("broken", build >= 3 ? failedAttempts : ["passed"]),
					...attemptsOf("fixed", build < 3 ? failedAttempts : ["passed"]),
					...attemptsOf("flaky", ["failed", "passed"], tool.flakyAttempts),
					...attemptsOf(build < 4 ? "old name" : "new name", ["passed"]),
				].sort(),
			);
			for (const { labels } of results.get(build) ?? [])
				expect(labels).toMatchObject({ branch: `main of ${name}`, commit: `${build}`.repeat(40) });
			const found = await list<{ id: number }>(`/v1/recordings?q=${encodeURIComponent(`build:"${buildOf(build)}"`)}`);
			expect(found).toHaveLength(tool.recordings);
		}
	});

	test("a failure is new in the first build that has it, and flaky if the test passed on its retry", () => {
		for (const build of BUILDS) {
			for (const { test, flaky, new: isNew, outcome } of results.get(build) ?? []) {
				const isFlaky = test === title("flaky");
				const isFirst = build === 1 || (build === 3 && test === title("broken"));
				expect({ build, test, flaky }).toEqual({ build, test, flaky: isFlaky });
				expect({ build, test, isNew }).toEqual({ build, test, isNew: outcome === "failed" && isFirst });
			}
		}
	});

	test("each test has a history over the builds, and the renamed one has two", async () => {
		const historyOf = (test: string) =>
			dashboard.api.call<TestHistory>("GET", `/v1/test-history?test=${encodeURIComponent(title(test))}`);
		const buildsOf = ({ data }: TestHistory) => [...new Set(data.map(({ labels }) => labels.build))];
		const newestFirst = BUILDS.map(buildOf).reverse();
		for (const test of ["steady", "broken", "fixed", "flaky"])
			expect(buildsOf(await historyOf(test))).toEqual(newestFirst);
		expect((await historyOf("broken")).summary).toMatchObject({
			...{ results: 2 + 3 * tool.attempts, passed: 2, failed: 3 * tool.attempts, flaky: 0 },
			failingSince: { build: buildOf(3), commit: "3".repeat(40) },
		});
		expect((await historyOf("fixed")).summary).toMatchObject({ failed: 2 * tool.attempts, failingSince: null });
		expect((await historyOf("flaky")).summary).toMatchObject({ passed: 5, failed: 5, flaky: 10, failingSince: null });
		const [old, renamed] = [await historyOf("old name"), await historyOf("new name")];
		expect(buildsOf(old)).toEqual([3, 2, 1].map(buildOf));
		expect(buildsOf(renamed)).toEqual([5, 4].map(buildOf));
		expect(old.test?.id).not.toBe(renamed.test?.id);
	});

	test("its failures have three causes, although no two messages are the same", async () => {
		const all = [...results.values()].flat().filter(({ outcome }) => outcome === "failed");
		const query = encodeURIComponent(`branch:"main of ${name}"`);
		const groups = await dashboard.api.call<FailureGroupList>("GET", `/v1/test-failures?q=${query}`);
		expect(groups).toMatchObject({ groups: 3, failures: all.length });
		const summary = groups.data.map(({ title, failures, tests, builds }) => [
			[BROKEN, FIXED, FLAKY].find((text) => title.includes(text)),
			{ failures, tests, builds },
		]);
		expect(Object.fromEntries(summary)).toEqual({
			[BROKEN]: { failures: 3 * tool.attempts, tests: 1, builds: 3 },
			[FIXED]: { failures: 2 * tool.attempts, tests: 1, builds: 2 },
			[FLAKY]: { failures: 5, tests: 1, builds: 5 },
		});
	});

	test("the report of each build has what is new, fixed, still failing and flaky against the build before", async () => {
		for (const build of BUILDS) {
			const path = `/v1/builds/${encodeURIComponent(buildOf(build))}/report`;
			const report = await dashboard.api.call<BuildReport>("GET", path);
			const testsIn = ({ data }: BuildReport["fixed"]) => data.map(({ test }) => test);
			const failing = title(build < 3 ? "fixed" : "broken");
			const isNew = build === 1 || build === 3;
			expect(report).toMatchObject({
				...{ branch: `main of ${name}`, commit: `${build}`.repeat(40), isMore: false },
				previous: build === 1 ? null : buildOf(build - 1),
				tests: { all: 5, passed: 4, failed: 1, error: 0, skipped: 0, running: 0 },
			});
			expect({
				newlyFailing: testsIn(report.newlyFailing),
				stillFailing: testsIn(report.stillFailing),
				fixed: testsIn(report.fixed),
				flaky: testsIn(report.flaky),
			}).toEqual({
				newlyFailing: isNew ? [failing] : [],
				stillFailing: isNew ? [] : [failing],
				fixed: build === 3 ? [title("fixed")] : [],
				flaky: [title("flaky")],
			});
		}
	});

	test("the frame of each failure, and the video there, show the moment at which the test failed", async () => {
		const all: ({ isNear: boolean } & Record<string, unknown>)[] = [];
		for (const build of BUILDS) {
			for (const [{ test, at, shown, left }, attempt] of numbered(failures.get(build) ?? [])) {
				const result = (results.get(build) ?? []).find(
					(each) => each.test === title(test) && each.attempt === attempt && each.outcome === "failed",
				);
				if (result === undefined) throw new Error(`Attempt ${attempt} of ${test} in build ${build} has no result.`);
				const video = `${dashboard.url}/v1/recordings/${result.recordingId}/video`;
				const input = ["-headers", `Authorization: Bearer ${dashboard.apiKey}\r\n`, "-i", video];
				const atSeconds = result.failureOffsetSeconds ?? 0;
				const place = { display: DISPLAY, left, width: WINDOW_WIDTH };
				const [frame, player, { age }] = await Promise.all([
					frameOf(result).then((file) => paintedAfter({ input: ["-i", file] }, place, shown)),
					paintedAfter({ input, atSeconds }, place, shown),
					frameSpan(input, atSeconds),
				]);
				// The page continued to paint while the test read its content.
				const [least, most] = [-NEAR_MS - age * 1_000, at - shown + NEAR_MS];
				const isNear = [frame, player].every((ms) => ms !== null && ms >= least && ms <= most);
				all.push({ build, test, attempt, frame, player, least, most, isNear });
			}
		}
		expect(all.filter(({ isNear }) => !isNear)).toEqual([]);
		expect(all).toHaveLength(BUILDS.length * (1 + tool.attempts));
	});

	/** Saves the frame of a failure, once it is taken. @returns its path. */
	async function frameOf({ id }: TestResult): Promise<string> {
		const answer = await until(
			async () => {
				const answer = await fetch(`${dashboard.url}/v1/tests/${id}/frame`, {
					headers: { authorization: `Bearer ${dashboard.apiKey}` },
				});
				return answer.ok ? answer : null;
			},
			`the frame of result ${id}`,
			FRAME_MS,
		);
		const file = join(folder, `${id}.jpg`);
		await writeFile(file, Buffer.from(await answer.arrayBuffer()));
		return file;
	}
});

/** Numbers the failures of each test, from 1. */
function numbered(failures: readonly Failure[]): [Failure, number][] {
	const counts = new Map<string, number>();
	return failures.map((failure) => {
		const count = (counts.get(failure.test) ?? 0) + 1;
		counts.set(failure.test, count);
		return [failure, count];
	});
}

const resultsOf = (build: string): Promise<TestResult[]> =>
	list(`/v1/tests?limit=100&q=${encodeURIComponent(`build:"${build}"`)}`);

const list = async <T>(path: string): Promise<T[]> => (await dashboard.api.call<{ data: T[] }>("GET", path)).data;
