/**
 * 40 tests of each tool on displays that a runner makes, without a DISPLAY: every test shows its own color on a page, in a popup and
 * on a second tab, and writes down when. Each of these moments has to be in the film of the test's result at the time that the result
 * says, and in no other film.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Job, TestResult } from "@tapedeck/client-source/index.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_API_KEY } from "#test/api-server.ts";
import { colorOfTest, type Frame, framesByTest } from "#test/clients/film-colors.ts";
import { type PlaywrightProject, RUNNER, startPlaywrightProject } from "#test/clients/playwright-project.ts";
import { startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { startCommand } from "#test/processes/tapedeck-command.ts";
import { root } from "#test/stack.ts";
import { junitPom, packagePython } from "../bin/setup/external-programs.mjs";

const TESTS = 40;
const NUMBERS = Array.from({ length: TESTS }, (_, number) => number);
const WORKERS = 4;
const KINDS = ["page", "popup", "tab"] as const;
/** Every tenth test fails once where the tool tries again. */
const FAILS_ONCE = 10;
const SHOWN_MS = 700;
/** For so long, the display does not show the color of a test before the next moment: frames of a busy machine are far apart. */
const BETWEEN_MS = 400;
/** A moment and its film may differ by so many seconds. */
const NEAR = 0.3;
const BROWSER_ARGS = ["--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"];
const POPUP = "width=500,height=400,left=200,top=200";
const RUN_MS = 900_000;

/** Milliseconds since 1970 before a test asked for its color, and when the browser had shown it. */
interface Moment {
	test: number;
	kind: (typeof KINDS)[number];
	before: number;
	shown: number;
}

/**
 * The body of a function of a color and `done`, which gets the instant at which the display shows the color: that of a text which is
 * drawn in the same frame, by https://w3c.github.io/element-timing/. A frame that was asked for is shown later on a busy machine.
 */
const SHOW_COLOR = `
const text = document.createElement("p");
text.textContent = "shown";
text.setAttribute("elementtiming", "shown");
new PerformanceObserver((list) => done(Math.round(performance.timeOrigin + list.getEntries()[0].renderTime))).observe({ type: "element" });
document.body.style.background = "rgb(" + color + ")";
document.body.append(text);`;

let project: PlaywrightProject;
beforeAll(async () => {
	project = await startPlaywrightProject({ TAPEDECK_VIRTUAL_DISPLAYS: String(WORKERS) });
});
afterAll(() => project?.stop());

/** The path of the file to which the tests of a run write their moments. */
const truthOf = (run: string): string => join(project.folder, `${run}.jsonl`);

async function momentsOf(run: string): Promise<Moment[]> {
	const lines = (await readFile(truthOf(run), "utf8")).trim().split("\n");
	return lines.map((line) => JSON.parse(line));
}

const numberOf = ({ test: title }: TestResult): number => Number(/film.?(\d\d)/.exec(title)?.[1]);

interface Film {
	job: Job;
	frames: Frame[];
}

/** The second of a film that shows an instant. A test may begin before the film of its own: results say no second then. */
const secondsIn = ({ startedAt }: Job, at: number): number => (at - Date.parse(startedAt ?? "")) / 1_000;

/**
 * Twice as many browsers as processors keep the recorder waiting: some frames are half a second apart. So a film has to show a moment
 * at the latest in its first frame that was captured NEAR after it, which the display has to show as well.
 * @returns a sentence if a moment is not where it has to be.
 */
function misplaced(moment: Moment, results: readonly TestResult[], films: ReadonlyMap<number, Film>): string[] {
	const ofTest = results.filter((result) => numberOf(result) === moment.test);
	// The attempt during which it was.
	const attempt = ofTest.findLast(({ startedAt }) => Date.parse(startedAt) - NEAR * 1_000 <= moment.before);
	const name = `${moment.kind} of test ${moment.test}`;
	const film = films.get(attempt?.jobId ?? 0);
	if (attempt === undefined || film === undefined) return [`${name} has no film (${ofTest.length} results)`];
	const inFilm = (at: number) => secondsIn(film.job, at);
	const [from, to] = [inFilm(moment.before) - NEAR, inFilm(moment.shown) + NEAR];
	const hasColor = (frame?: Frame) => frame?.tests.has(moment.test) === true;
	const begun = film.frames.filter((frame, index) => hasColor(frame) && !hasColor(film.frames[index - 1]));
	const first = begun.find(({ at }) => at >= from);
	const latest = Math.min(film.frames.find(({ at }) => at > to)?.at ?? to, to + SHOWN_MS / 1_000);
	if (first !== undefined && first.at <= latest) return [];
	const seen = begun.map(({ at }) => at).join(", ") || "never";
	return [`${name} is not at ${from}–${latest} s of "${film.job.name}", whose frames show it from ${seen}`];
}

/** The second that a result names is that of its beginning. */
function wrongOffset(
	{ test: title, jobId, startedAt, offsetSeconds }: TestResult,
	films: ReadonlyMap<number, Film>,
): string[] {
	const film = films.get(jobId ?? 0);
	if (film === undefined || offsetSeconds === null) return [];
	const at = secondsIn(film.job, Date.parse(startedAt));
	return Math.abs(Math.max(0, at) - offsetSeconds) <= NEAR
		? []
		: [`${title} is said to begin at ${offsetSeconds} s, not at ${at} s`];
}

/** Every frame that shows a test is in a film of that test, during one of its attempts. */
function misplacedFrames({ job, frames }: Film, results: readonly TestResult[]): string[] {
	return NUMBERS.flatMap((number) => {
		const attempts = results.filter((result) => numberOf(result) === number && result.jobId === job.id);
		const isDuring = (at: number) =>
			attempts.some(({ startedAt, durationSeconds }) => {
				const from = secondsIn(job, Date.parse(startedAt));
				return at >= from - NEAR && at <= from + (durationSeconds ?? 0) + NEAR;
			});
		const wrong = frames.filter(({ tests, at }) => tests.has(number) && !isDuring(at)).map(({ at }) => at);
		return wrong.length === 0 ? [] : [`"${job.name}" shows test ${number} at ${wrong.slice(0, 5).join(", ")} s`];
	});
}

/** @param filmCount the number of films, if it is known. */
async function expectAllFilms(run: string, output: string, filmCount?: number): Promise<void> {
	const results = await project.client.tests.list({ q: `build:${run}` }).toArray();
	results.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
	const passed = results.filter(({ outcome }) => outcome === "passed");
	expect(new Set(passed.map(numberOf)).size, output).toBe(TESTS);
	const jobs = (await project.client.jobs.list().toArray()).filter(({ labels }) => labels.build === run);
	if (filmCount !== undefined) expect(jobs.length, output).toBe(filmCount);
	const films = new Map<number, Film>();
	for (const job of jobs) films.set(job.id, { job, frames: await framesByTest(project, job, TESTS) });
	const moments = await momentsOf(run);
	const seen = new Set(moments.map((moment) => `${moment.kind} ${moment.test}`));
	expect(seen.size).toBe(TESTS * KINDS.length);
	const faults = [
		...results.flatMap((result) => wrongOffset(result, films)),
		...moments.flatMap((moment) => misplaced(moment, results, films)),
		...[...films.values()].flatMap((film) => misplacedFrames(film, results)),
	];
	expect(faults, output).toEqual([]);
}

async function write(files: Record<string, string>): Promise<void> {
	for (const [name, text] of Object.entries(files)) {
		const path = join(project.folder, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, text);
	}
}

const SPEC = `
import { appendFileSync } from "node:fs";
import { test } from "@tapedeck/playwright";
const colors = ${JSON.stringify(NUMBERS.map(colorOfTest))};
for (const [number, color] of colors.entries()) {
	test("film " + String(number).padStart(2, "0"), async ({ page, context }, { retry }) => {
		const show = async (where, kind) => {
			const before = Date.now();
			const shown = await where.evaluate((color) => new Promise((done) => {${SHOW_COLOR}}), color);
			const moment = { test: number, kind, before, shown };
			appendFileSync(process.env.TRUTH, JSON.stringify(moment) + "\\n");
			await where.waitForTimeout(${SHOWN_MS});
		};
		await show(page, "page");
		if (number % ${FAILS_ONCE} === 0 && retry === 0) throw new Error("fails once");
		await page.evaluate(() => { document.body.style.background = "white"; });
		await page.waitForTimeout(${BETWEEN_MS});
		const popups = page.waitForEvent("popup");
		await page.evaluate(() => void window.open("about:blank", "popup", "${POPUP}"));
		const popup = await popups;
		await show(popup, "popup");
		await popup.close();
		await page.waitForTimeout(${BETWEEN_MS});
		const tab = await context.newPage();
		await show(tab, "tab");
	});
}
`;

test.each([
	["worker", 2 * WORKERS],
	["test", TESTS + TESTS / FAILS_ONCE],
] as const)(
	"Playwright with a display for each %s, four workers, retries and two shards",
	async (kind, films) => {
		await write({ "forty.spec.ts": SPEC });
		const run = `playwright-${kind}`;
		const config = {
			...{ fullyParallel: true, workers: WORKERS, retries: 1 },
			use: {
				tapedeckDisplay: kind,
				launchOptions: { executablePath: requireProgram("chromium"), args: BROWSER_ARGS },
			},
		};
		const env = { TAPEDECK_DATA_DIR: project.dataDir, TRUTH: truthOf(run) };
		let output = "";
		for (const shard of [1, 2]) {
			const options = { name: `Shard ${shard}`, labels: { build: run, shard: `${shard}` }, displayId: undefined };
			const ended = await project.run(["forty", "--shard", `${shard}/2`], options, env, config);
			output += ended.output;
			expect(ended.status, output).toBe(0);
		}
		await expectAllFilms(run, output, films);
	},
	RUN_MS,
);

const PYTHON_COLORS = `COLORS = ${JSON.stringify(NUMBERS.map(colorOfTest))}
`;
/** The moments of a test by Selenium, for pytest and Robot Framework alike. */
const PYTHON_FILMS = `${PYTHON_COLORS}
import json, os, time
from selenium import webdriver

SHOW_COLOR = """const [color, done] = arguments;${SHOW_COLOR}"""

def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = ${JSON.stringify(requireProgram("chromium"))}
    for argument in ${JSON.stringify(BROWSER_ARGS)}:
        options.add_argument(argument)
    return webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))

def show(driver, number, kind):
    before = time.time() * 1000
    shown = driver.execute_async_script(SHOW_COLOR, COLORS[number])
    moment = {"test": number, "kind": kind, "before": before, "shown": shown}
    with open(os.environ["TRUTH"], "a") as file:
        file.write(json.dumps(moment) + "\\n")
    time.sleep(${SHOWN_MS / 1_000})

def show_page(driver, number):
    driver.get("about:blank")
    show(driver, number, "page")
    driver.execute_script("document.body.style.background = 'white'")
    time.sleep(${BETWEEN_MS / 1_000})

def show_others(driver, number):
    page = driver.current_window_handle
    driver.execute_script("void window.open('about:blank', 'popup', '${POPUP}')")
    driver.switch_to.window(next(each for each in driver.window_handles if each != page))
    show(driver, number, "popup")
    driver.close()
    driver.switch_to.window(page)
    time.sleep(${BETWEEN_MS / 1_000})
    driver.switch_to.new_window("tab")
    show(driver, number, "tab")
    driver.close()
    driver.switch_to.window(page)
`;

/** The variables of this process without those of the tests and a display. */
const environment = (): Record<string, string | undefined> =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^(TAPEDECK_|PYTHON|PYTEST_|VITEST|DISPLAY$|CI$|GITHUB_)/.test(name),
		),
	);
const access = () => ({
	...{ TAPEDECK_URL: project.api.url, TAPEDECK_API_KEY: TEST_API_KEY, TAPEDECK_DATA_DIR: project.dataDir },
});

test(
	"pytest-xdist with a display for each of four workers, and reruns",
	async () => {
		await write({
			"forty/films.py": PYTHON_FILMS,
			"forty/conftest.py": `import pytest
from films import open_browser

@pytest.fixture(scope="session")
def driver():
    driver = open_browser()
    yield driver
    driver.quit()
`,
			"forty/test_forty.py": `import pytest
from films import show_others, show_page

TRIED = set()

@pytest.mark.parametrize("name", [f"film{number:02d}" for number in range(${TESTS})])
def test_forty(driver, name):
    number = int(name[-2:])
    show_page(driver, number)
    if number % ${FAILS_ONCE} == 0 and number not in TRIED:
        TRIED.add(number)
        raise RuntimeError("fails once")
    show_others(driver, number)
`,
		});
		const plugins = ["xdist.plugin", "pytest_rerunfailures", "pytest_tapedeck"].flatMap((name) => ["-p", name]);
		const words = [
			...["-m", "pytest", "-p", "no:cacheprovider", ...plugins, "-n", `${WORKERS}`, "--reruns", "1"],
			...["--tapedeck=always", "--tapedeck-display=worker", "--tapedeck-label", "build=pytest"],
		];
		const own = {
			PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
			TAPEDECK_RUNNER_NAME: RUNNER,
			PYTHONPATH: join(root, "clients/python/src"),
			TRUTH: truthOf("pytest"),
		};
		const child = startChild(packagePython, words, {
			cwd: join(project.folder, "forty"),
			env: { ...environment(), ...access(), ...own } as unknown as NodeJS.ProcessEnv,
		});
		expect(await child.exited, child.output()).toBe(0);
		await expectAllFilms("pytest", child.output(), WORKERS);
	},
	RUN_MS,
);

/** Runs a tool on a display that the runner of this machine lends. */
async function runOnNewDisplay(run: string, cwd: string, report: string, command: string[]): Promise<void> {
	const words = ["run", "--new-display", "1280x720", "--label", `build=${run}`, "--report", report, "--", "sh", "-c"];
	const inFolder = `cd "$0" && exec "$@"`;
	const child = startCommand([...words, inFolder, cwd, ...command], { ...access(), TRUTH: truthOf(run) });
	expect(await child.exited, child.output()).toBe(0);
	await expectAllFilms(run, child.output(), 1);
}

test(
	"tapedeck run --new-display around Robot Framework",
	async () => {
		const tests = NUMBERS.map((number) => `film ${String(number).padStart(2, "0")}\n    Show All    ${number}\n`);
		await write({
			"robot/films.py": PYTHON_FILMS,
			"robot/Shop.py": `from films import open_browser, show_others, show_page

class Shop:
    ROBOT_LIBRARY_SCOPE = "SUITE"

    def start_browser(self):
        self.driver = open_browser()

    def end_browser(self):
        self.driver.quit()

    def show_all(self, number):
        show_page(self.driver, int(number))
        show_others(self.driver, int(number))
`,
			"robot/forty.robot": `*** Settings ***
Library           Shop.py
Suite Setup       Start Browser
Suite Teardown    End Browser

*** Test Cases ***
${tests.join("\n")}`,
		});
		const cwd = join(project.folder, "robot");
		const options = ["--pythonpath", ".", "--outputdir", "results"];
		const words = [packagePython, "-m", "robot", ...options, "forty.robot"];
		await runOnNewDisplay("robot", cwd, join(cwd, "results/output.xml"), words);
	},
	RUN_MS,
);

/** A text of a script, inside the JSON that Java's source holds as a text. */
const inJava = (script: string): string => JSON.stringify(JSON.stringify(script).slice(1, -1));

const JAVA = `import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.util.List;
import java.util.regex.*;
import org.junit.jupiter.api.*;

/** Speaks WebDriver itself: Maven needs no more packages. */
class FortyTest {
	static final List<String> COLORS = List.of(${NUMBERS.map((number) => `"${colorOfTest(number)}"`).join(", ")});
	static final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
	static Process driver;
	static String session;

	static String call(String method, String path, String body) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + System.getenv("DRIVER_PORT") + path))
			.header("content-type", "application/json")
			.method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body)).build();
		HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
		if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
		return answer.body();
	}
	static String found(String pattern, String text) {
		Matcher matcher = Pattern.compile(pattern).matcher(text);
		if (!matcher.find()) throw new IllegalStateException(text);
		return matcher.group(1);
	}
	static String script(String kind, String text) throws Exception {
		return call("POST", session + "/execute/" + kind, "{\\"script\\":\\"" + text + "\\",\\"args\\":[]}");
	}
	static void window(String handle) throws Exception {
		call("POST", session + "/window", "{\\"handle\\":\\"" + handle + "\\"}");
	}
	static String current() throws Exception { return found("\\"value\\":\\"([^\\"]+)\\"", call("GET", session + "/window", null)); }

	@BeforeAll static void open() throws Exception {
		driver = new ProcessBuilder("/usr/bin/chromedriver", "--port=" + System.getenv("DRIVER_PORT"))
			.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
		String options = "{\\"binary\\":\\"${requireProgram("chromium")}\\",\\"args\\":[${BROWSER_ARGS.map((arg) => `\\"${arg}\\"`).join(",")}]}";
		String wanted = "{\\"capabilities\\":{\\"alwaysMatch\\":{\\"goog:chromeOptions\\":" + options + "}}}";
		for (int attempt = 0; ; attempt++) {
			try {
				session = "/session/" + found("\\"sessionId\\":\\"(\\\\w+)\\"", call("POST", "/session", wanted));
				return;
			} catch (java.net.ConnectException error) {
				if (attempt == 600) throw error;
				Thread.sleep(50);
			}
		}
	}
	@AfterAll static void close() throws Exception {
		call("DELETE", session, null);
		driver.destroy();
	}

	void show(int number, String kind) throws Exception {
		long before = System.currentTimeMillis();
		String show = "const color = '" + COLORS.get(number) + "', done = arguments[0];" + ${inJava(SHOW_COLOR)};
		String shown = found("\\"value\\":([0-9]+)", script("async", show));
		String times = "\\"before\\":" + before + ",\\"shown\\":" + shown;
		String line = "{\\"test\\":" + number + ",\\"kind\\":\\"" + kind + "\\"," + times + "}\\n";
		Files.writeString(Path.of(System.getenv("TRUTH")), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		Thread.sleep(${SHOWN_MS});
	}
	void showAll(int number) throws Exception {
		call("POST", session + "/url", "{\\"url\\":\\"about:blank\\"}");
		String page = current();
		show(number, "page");
		script("sync", "document.body.style.background = 'white'");
		Thread.sleep(${BETWEEN_MS});
		script("sync", "void window.open('about:blank', 'popup', '${POPUP}')");
		String handles = call("GET", session + "/window/handles", null).replace("\\"" + page + "\\"", "");
		window(found("\\"([0-9A-F-]{20,})\\"", handles));
		show(number, "popup");
		call("DELETE", session + "/window", null);
		window(page);
		Thread.sleep(${BETWEEN_MS});
		window(found("\\"handle\\":\\"([^\\"]+)\\"", call("POST", session + "/window/new", "{\\"type\\":\\"tab\\"}")));
		show(number, "tab");
		call("DELETE", session + "/window", null);
		window(page);
	}
${NUMBERS.map((number) => {
	const name = `film${String(number).padStart(2, "0")}`;
	return `	@Test void ${name}() throws Exception { showAll(${number}); }`;
}).join("\n")}
}
`;

test(
	"tapedeck run --new-display around Maven",
	async () => {
		const cwd = join(project.folder, "maven");
		await rm(cwd, { recursive: true, force: true });
		await write({
			"maven/pom.xml": junitPom,
			"maven/src/test/java/FortyTest.java": JAVA,
			// Open Test Reporting has exact times.
			"maven/src/test/resources/junit-platform.properties":
				"junit.platform.reporting.open.xml.enabled=true\njunit.platform.reporting.output.dir=target/junit\n",
		});
		const port = `DRIVER_PORT=${await freePort()}`;
		const words = ["env", port, "mvn", "-B", "-q", "--offline", "test"];
		await runOnNewDisplay("maven", cwd, join(cwd, "target/junit/*.xml"), words);
	},
	RUN_MS,
);
