/**
 * Test results of real tools that show their browsers on a recorded display: Playwright Test in two shards with our reporter,
 * pytest-xdist with our plugin, and JUnit in Maven with a browser on a Selenium Grid. One test fails and one is flaky. The tests
 * paint the time in their browsers, so that the frame of each failure says whether it is the right one. What builds conclude
 * from results is tested by planted-bugs.explore.test.ts and headless-builds.explore.test.ts.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
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
const RUNNER = "the machine of the tests";
/** The tolerance between the painted time and the screen at the failure: less than the time between tests. */
const NEAR_MS = 1_000;
/** The time for which each test shows the clock before it ends. */
const SHOWN_MS = 1_200;
/** The time limit of a tool, on a machine with ten times the load it can handle. */
const BUILD_MS = 400_000;
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

/** The way to run a build of a project, whose tests are steady, broken and flaky. */
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

const BROKEN = "The total is wrong";
const FLAKY = "The courier did not answer";

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
		await fail(page, "broken", "${BROKEN}");
	});
});
test("flaky", async ({ page }, { retry }) => { if (retry === 0) await fail(page, "flaky", "${FLAKY}"); });
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
		"test_shop.py": `attempts = []

def test_steady(): pass

def test_broken(fail): fail("broken", "${BROKEN}")

def test_flaky(fail):
    attempts.append(1)
    if len(attempts) == 1: fail("flaky", "${FLAKY}")
`,
	},
	title: (name) => `test_shop › test_${name}`,
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
	@Test void broken() throws Exception { Shop.fail("broken", "${BROKEN}"); }
}
`,
		"src/test/java/CourierTest.java": `import org.junit.jupiter.api.*;

class CourierTest {
	@Test void flaky() throws Exception {
		Shop.show();
		if (System.getenv("SHOP_RETRY").equals("0")) Shop.fail("flaky", "${FLAKY}");
	}
}
`,
	},
	title: (name) => `${name === "flaky" ? "CourierTest" : "ShopTest"} › ${name}`,
	async run(project, labels, env) {
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
] as const)("a build of %s", (name, tool) => {
	const labels = { build: name, branch: "main", commit: "1".repeat(40) };
	let failures: Failure[] = [];
	let results: TestResult[] = [];

	beforeAll(async () => {
		const project = join(folder, name);
		for (const [file, text] of Object.entries({ ...tool.files, "clock.html": CLOCK_PAGE })) {
			await mkdir(dirname(join(project, file)), { recursive: true });
			await writeFile(join(project, file), text);
		}
		for (const [path, target] of Object.entries(tool.links?.() ?? {})) await symlink(target, join(project, path));
		const truth = join(project, "truth");
		await tool.run(project, labels, {
			...{ TRUTH: truth, CLOCK: `file://${join(project, "clock.html")}` },
			...{ TAPEDECK_URL: dashboard.url, TAPEDECK_API_KEY: dashboard.apiKey, DISPLAY: display.id },
		});
		const lines = (await readFile(truth, "utf8")).trim().split("\n");
		failures = lines.map((line) => JSON.parse(line));
		results = await list<TestResult>(`/v1/tests?limit=100&q=build:${name}`);
	}, BUILD_MS);

	test("each attempt of each test is there once, with its outcome and the labels of its build", async () => {
		const attemptsOf = (test: string, outcomes: string[], attempts = outcomes.map((_, index) => index + 1)) =>
			outcomes.map((outcome, index) => `${tool.title(test)} ${attempts[index]} ${outcome}`);
		expect(results.map(({ test, attempt, outcome }) => `${test} ${attempt} ${outcome}`).sort()).toEqual(
			[
				...attemptsOf("steady", ["passed"]),
				...attemptsOf(
					"broken",
					Array.from({ length: tool.attempts }, () => "failed"),
				),
				...attemptsOf("flaky", ["failed", "passed"], tool.flakyAttempts),
			].sort(),
		);
		for (const result of results) expect(result.labels).toMatchObject({ branch: "main", commit: labels.commit });
		expect(await list(`/v1/recordings?q=build:${name}`)).toHaveLength(tool.recordings);
	});

	test("the frame of each failure, and the video there, show the moment at which the test failed", async () => {
		const all: ({ isNear: boolean } & Record<string, unknown>)[] = [];
		for (const [{ test, at, shown, left }, attempt] of numbered(failures)) {
			const result = results.find(
				(each) => each.test === tool.title(test) && each.attempt === attempt && each.outcome === "failed",
			);
			if (result === undefined) throw new Error(`Attempt ${attempt} of ${test} has no result.`);
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
			all.push({ test, attempt, frame, player, least, most, isNear });
		}
		expect(all.filter(({ isNear }) => !isNear)).toEqual([]);
		expect(all).toHaveLength(1 + tool.attempts);
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

const list = async <T>(path: string): Promise<T[]> => (await dashboard.api.call<{ data: T[] }>("GET", path)).data;
