/**
 * Bugs planted in tests of Playwright, PHPUnit, pytest and Go, in two repositories with two workflows each. `PLANTED` says
 * beforehand what the pages have to conclude from twelve builds: causes, new, known, fixed and flaky tests, since when a
 * test fails, where it passed last, its message, and that links lead to the failure itself.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { FailureGroupList } from "@tapedeck/contract/test-failure.ts";
import type { TestHistory, TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { root } from "#test/stack.ts";
import { packagePython } from "../bin/setup/external-programs.mjs";

const BUILDS = [1, 2, 3] as const;

/** The tests of a project, and the command that runs them. The variable BUILD says which bugs there are. */
interface Project {
	files: Record<string, string>;
	/** Symbolic links in its folder. */
	links?: Record<string, string>;
	command: string[];
	/** The path of the report in its folder. */
	report: string;
}

const CHROMIUM = process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium-headless-shell";
const PLAYWRIGHT: Project = {
	files: {
		"helpers.js": `const { expect } = require("playwright/test");
exports.checkTotal = (page, total) => expect(page.locator("#total")).toHaveText(total, { timeout: 200 });`,
		"shop.spec.js": `const { test } = require("playwright/test");
const { checkTotal } = require("./helpers.js");
const build = Number(process.env.BUILD);
const tax = build === 1 ? 0 : build;
test("health", () => {});
test("the cart has a total", async ({ page }) => {
	await page.setContent(\`<p id="total">80.1\${tax}</p>\`);
	await checkTotal(page, "80.10");
});
test("the invoice has a total", async ({ page }) => {
	await page.setContent(\`<p id="total">12.3\${tax}</p>\`);
	await checkTotal(page, "12.30");
});
test("pays", async ({ page }) => {
	await page.setContent(build < 3 ? "" : "<button>Pay now</button>");
	await page.getByRole("button", { name: "Pay now" }).click({ timeout: 300 });
});
test("saves the profile", async ({}, { retry }) => {
	if (build === 2 && retry === 0) throw new Error("The profile of user 4711 was not saved within 3 s");
});`,
		"playwright.config.js": `module.exports = { testDir: ".", workers: 1, retries: 1, reporter: [["json", { outputFile: "report.json" }]],
	use: { launchOptions: { executablePath: ${JSON.stringify(CHROMIUM)}, args: ["--no-sandbox", "--disable-gpu"] } } };`,
	},
	links: { node_modules: join(root, "node_modules") },
	command: [process.execPath, join(root, "node_modules", "playwright", "cli.js"), "test"],
	report: "report.json",
};

const PHPUNIT: Project = {
	files: {
		"ShopTest.php": `<?php
use PHPUnit\\Framework\\TestCase;
class ShopTest extends TestCase {
	private function build(): int { return (int) getenv("BUILD"); }
	public function testHealth(): void { $this->assertTrue(true); }
	public function testTax(): void { $this->assertSame(1990, $this->build() < 2 ? 1990 : 2000 + $this->build()); }
	public function testInvoice(): void {
		if ($this->build() < 3) throw new RuntimeException("No invoice for order " . (1000 + $this->build()));
		$this->assertTrue(true);
	}
}`,
	},
	command: ["phpunit", "--do-not-cache-result", "--log-junit", "report.xml", "ShopTest.php"],
	report: "report.xml",
};

const pytest = (file: string, body: string): Project => ({
	files: { [file]: `import os\nbuild, again = int(os.environ["BUILD"]), os.environ["AGAIN"] == "yes"\n${body}` },
	command: [packagePython, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", "report.xml", file],
	report: "report.xml",
});
const SHOP_PYTEST = pytest(
	"test_service.py",
	`
def test_health():
    assert build != 2, "the shop does not answer"
`,
);
const API_PYTEST = pytest(
	"test_service.py",
	`
def test_health():
    assert build > 0

def test_status():
    status = 200 if build == 1 else 500
    assert status == 200

def test_user():
    user = {"id": 7} if build < 3 else {"id": 7, "name": "Ada"}
    assert user["name"] == "Ada"

def test_race():
    assert build != 3 or again, f"lost the race by {build * 7} ms"
`,
);

const GO: Project = {
	files: {
		"go.mod": "module example.com/orders\n\ngo 1.19\n",
		"orders_test.go": `package orders

import (
	"os"
	"strconv"
	"testing"
)

func build() int { n, _ := strconv.Atoi(os.Getenv("BUILD")); return n }
func TestHealth(t *testing.T) {}
func TestOrder(t *testing.T) {
	if build() >= 2 {
		t.Fatalf("order %d: got status 500, want 200", 7000+build())
	}
}
func TestCache(t *testing.T) {
	if build() < 3 {
		t.Errorf("dial tcp cache:6379: connect: connection refused")
	}
}
`,
	},
	command: ["gotestsum", "--junitfile", "report.xml", "--", "-count=1", "./..."],
	report: "report.xml",
};

/** The conclusion about a test: over all its builds, or in the newest one. */
interface Planted {
	/** The end of its title. */
	test: string;
	/** Its outcome in each build. */
	outcomes: readonly string[];
	/** A part of the line that tells its last failure apart, and of its message. */
	reason?: string;
}

/** A series of builds. */
interface Series {
	repository: string;
	workflow: string;
	projects: Project[];
	planted: Planted[];
	/** By build: titles of tests that are flaky, though passed at last. */
	flaky?: Partial<Record<number, string[]>>;
	/** Builds whose tests run a second time, for the same commit. */
	again?: number;
}

const SERIES: Series[] = [
	{
		...{ repository: "acme/shop", workflow: "CI", projects: [PLAYWRIGHT] },
		planted: [
			{ test: "health", outcomes: ["passed", "passed", "passed"] },
			{
				...{ test: "the cart has a total", outcomes: ["passed", "failed", "failed"] },
				reason: "#total",
			},
			{
				...{ test: "the invoice has a total", outcomes: ["passed", "failed", "failed"] },
				reason: "#total",
			},
			{ test: "pays", outcomes: ["failed", "failed", "passed"], reason: "Pay now" },
			{ test: "saves the profile", outcomes: ["passed", "passed", "passed"] },
		],
		flaky: { 2: ["saves the profile"] },
	},
	{
		...{ repository: "acme/shop", workflow: "Nightly", projects: [PHPUNIT, SHOP_PYTEST] },
		planted: [
			{ test: "testHealth", outcomes: ["passed", "passed", "passed"] },
			{ test: "testTax", outcomes: ["passed", "failed", "failed"], reason: "1990" },
			{ test: "testInvoice", outcomes: ["failed", "failed", "passed"], reason: "No invoice for order" },
			{ test: "test_health", outcomes: ["passed", "failed", "passed"], reason: "the shop does not answer" },
		],
	},
	{
		...{ repository: "acme/api", workflow: "CI", projects: [API_PYTEST] },
		planted: [
			{ test: "test_health", outcomes: ["passed", "passed", "passed"] },
			{ test: "test_status", outcomes: ["passed", "failed", "failed"], reason: "500 == 200" },
			{ test: "test_user", outcomes: ["failed", "failed", "passed"], reason: "KeyError: 'name'" },
			{ test: "test_race", outcomes: ["passed", "passed", "passed"] },
		],
		again: 3,
		flaky: { 3: ["test_race"] },
	},
	{
		...{ repository: "acme/api", workflow: "Nightly", projects: [GO] },
		planted: [
			{ test: "TestHealth", outcomes: ["passed", "passed", "passed"] },
			{ test: "TestOrder", outcomes: ["passed", "failed", "failed"], reason: "got status 500, want 200" },
			{ test: "TestCache", outcomes: ["failed", "failed", "passed"], reason: "cache:6379" },
		],
	},
];

/** Every cause: its words, its tests, and the builds in which it failed. */
const CAUSES = [
	{ words: "#total", tests: 2, builds: 2 },
	{ words: "Pay now", tests: 1, builds: 2 },
	{ words: "The profile of user", tests: 1, builds: 1 },
	{ words: "1990", tests: 1, builds: 2 },
	{ words: "No invoice", tests: 1, builds: 2 },
	{ words: "the shop does not answer", tests: 1, builds: 1 },
	{ words: "500 == 200", tests: 1, builds: 2 },
	{ words: "KeyError", tests: 1, builds: 2 },
	{ words: "lost the race", tests: 1, builds: 1 },
	{ words: "got status 500", tests: 1, builds: 2 },
	{ words: "cache:6379", tests: 1, builds: 2 },
];

const buildOf = ({ repository, workflow }: Series, build: number) => `${repository} ${workflow} #${build}`;

let dashboard: TestApi;
let api: ReturnType<typeof connect>;
let folder: string;
/** The output of `tapedeck import`. */
const printed: string[] = [];
/** By build: when its tools ran, in milliseconds since 1970. */
const runs = new Map<string, { from: number; to: number }>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-planted-"));
	dashboard = await startTestApi();
	api = connect(dashboard.url, TEST_API_KEY);
	for (const build of BUILDS) {
		for (const [index, series] of SERIES.entries()) {
			await runBuild(series, index, build, false);
			if (series.again === build) await runBuild(series, index, build, true);
		}
	}
}, 600_000);
afterAll(async () => {
	await dashboard?.stop();
	await rm(folder, { recursive: true, force: true });
});

async function runBuild(series: Series, index: number, build: number, isAgain: boolean): Promise<void> {
	for (const [part, { files, links = {}, command, report }] of series.projects.entries()) {
		// The same folder for each build, as in CI.
		const place = join(folder, `${index}-${part}`);
		await mkdir(place, { recursive: true });
		for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
		for (const [name, target] of Object.entries(links)) {
			await symlink(target, join(place, name)).catch(({ code }) => expect(code).toBe("EEXIST"));
		}
		await rm(join(place, report), { force: true });
		const env = {
			...process.env,
			BUILD: String(build),
			AGAIN: isAgain ? "yes" : "no",
			PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
		};
		const name = buildOf(series, build);
		const from = runs.get(name)?.from ?? Date.now();
		// It ends with an error if tests fail.
		const output = await new Promise<string>((done) => {
			execFile(command[0] as string, command.slice(1), { cwd: place, env }, (_error, out, err) => done(out + err));
		});
		runs.set(name, { from, to: Date.now() });
		const { repository, workflow } = series;
		const labels = {
			repository,
			workflow,
			build: buildOf(series, build),
			branch: "main",
			commit: `${build}`.repeat(40),
		};
		const answer = await tapedeck(
			[
				"import",
				...Object.entries(labels).flatMap(([key, value]) => ["--label", `${key}=${value}`]),
				join(place, report),
			],
			{ TAPEDECK_URL: dashboard.url, TAPEDECK_API_KEY: TEST_API_KEY },
		);
		expect(answer.status, `${output}${answer.text}`).toBe(0);
		printed.push(answer.text);
	}
}

const isOf = (planted: string, title: string) => title.endsWith(planted);
const plantedIn = ({ planted }: Series, is: (one: Planted) => boolean) =>
	planted
		.filter(is)
		.map(({ test }) => test)
		.sort();
/** The planted names of these results. */
const namesOf = ({ planted }: Series, results: readonly TestResult[]) =>
	results.map(({ test }) => planted.find((one) => isOf(one.test, test))?.test ?? test).sort();

const EVERY_BUILD = SERIES.flatMap((series) => BUILDS.map((build) => [buildOf(series, build), series, build] as const));

test.each(EVERY_BUILD)("the report of %s has its new, known, fixed and flaky tests", async (name, series, build) => {
	const report = await api.call<BuildReport>("GET", `/v1/builds/${encodeURIComponent(name)}/report`);
	const at = ({ outcomes }: Planted, of: number) => outcomes[of - 1] ?? "passed";
	const before = build - 1;
	expect({
		previous: report.previous,
		passed: report.tests.passed,
		failed: report.tests.failed + report.tests.error,
		newlyFailing: namesOf(series, report.newlyFailing.data),
		stillFailing: namesOf(series, report.stillFailing.data),
		fixed: namesOf(series, report.fixed.data),
		flaky: namesOf(series, report.flaky.data),
	}).toEqual({
		previous: build === 1 ? null : buildOf(series, before),
		passed: plantedIn(series, (one) => at(one, build) === "passed").length,
		failed: plantedIn(series, (one) => at(one, build) === "failed").length,
		newlyFailing: plantedIn(series, (one) => at(one, build) === "failed" && at(one, before) === "passed"),
		stillFailing: plantedIn(series, (one) => at(one, build) === "failed" && at(one, before) === "failed"),
		fixed: plantedIn(series, (one) => at(one, build) === "passed" && at(one, before) === "failed"),
		flaky: (series.flaky?.[build] ?? []).toSorted(),
	});
});

test("failures of one bug have one cause, and failures of different bugs have different ones", async () => {
	const groups = await api.call<FailureGroupList>("GET", "/v1/test-failures?by=cause&limit=100");
	const found = groups.data.map(({ title, tests, builds }) => ({
		words: CAUSES.find(({ words }) => title.includes(words))?.words ?? title,
		...{ tests, builds },
	}));
	const byWords = (a: { words: string }, b: { words: string }) => (a.words < b.words ? -1 : 1);
	expect(found.toSorted(byWords)).toEqual(CAUSES.toSorted(byWords));
});

const EVERY_TEST = SERIES.flatMap((series) =>
	series.planted.map(
		(planted) => [`${series.repository} ${series.workflow}: ${planted.test}`, series, planted] as const,
	),
);

test.each(
	EVERY_TEST,
)("the history of %s says since when it fails and where it passed last", async (_name, series, planted) => {
	const { repository, workflow } = series;
	const q = encodeURIComponent(`label:repository=${repository} label:workflow=${workflow}`);
	const { data } = await api.call<{ data: TestResult[] }>("GET", `/v1/tests?limit=100&q=${q}`);
	const own = data.filter(({ test }) => isOf(planted.test, test));
	const testId = own[0]?.testId;
	const history = await api.call<TestHistory>("GET", `/v1/test-history?testId=${testId}&limit=100`);
	// No result of another repository's test of this name.
	expect(new Set(history.data.map(({ labels }) => labels.repository))).toEqual(new Set([repository]));
	const { failingSince, lastPassedId } = history.summary;
	const isFailing = planted.outcomes.at(-1) === "failed";
	expect(failingSince?.build ?? null).toBe(isFailing ? buildOf(series, planted.outcomes.indexOf("failed") + 1) : null);
	const lastPassed = history.data.find(({ id }) => id === lastPassedId);
	expect(lastPassed?.labels.build).toBe(buildOf(series, planted.outcomes.lastIndexOf("passed") + 1));
	for (const result of own) {
		if (result.outcome === "passed" || planted.reason === undefined) continue;
		expect(result.reason).toContain(planted.reason);
		expect(result.message).toContain(planted.reason);
		// A new cause on its branch, in the first build that has it.
		const first = planted.outcomes.indexOf("failed") + 1;
		expect(result.new, `${result.labels.build}: ${result.reason}`).toBe(result.labels.build === buildOf(series, first));
	}
});

test("every result is at a time at which its tool ran, or says that its time is approximate", async () => {
	const { data } = await api.call<{ data: TestResult[] }>("GET", "/v1/tests?limit=100");
	const exact = data.filter(({ isApproximate }) => !isApproximate);
	expect(exact.length).toBeGreaterThan(data.length / 2);
	for (const { test, labels, startedAt } of exact) {
		const { from = 0, to = 0 } = runs.get(labels.build ?? "") ?? {};
		// Reports have whole seconds, or the time at which a file was written.
		expect(Date.parse(startedAt), test).toBeGreaterThan(from - 1_500);
		expect(Date.parse(startedAt), test).toBeLessThan(to + 1_500);
	}
});

test("every link of an import leads to its test run's build, and every failure has an address of its own", async () => {
	for (const text of printed) expect(text).toMatch(/http:\/\/\S+\/builds\/\S+/);
	const { data } = await api.call<{ data: TestResult[] }>(
		"GET",
		"/v1/tests?limit=100&q=outcome:failed%20outcome:error",
	);
	expect(data.length).toBeGreaterThan(15);
	for (const { id } of data) {
		expect(await api.call("GET", `/v1/tests/${id}`)).toMatchObject({ id });
	}
});
