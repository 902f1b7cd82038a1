/**
 * Bugs planted in tests of Playwright, PHPUnit, pytest and Go, in two repositories with two workflows each. `SERIES` and `CAUSES` say
 * beforehand what has to be concluded from twelve builds: causes, new, known, fixed and flaky tests, since when a test fails, where
 * it passed last, and its message.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { root } from "#test/stack.ts";
import { packagePython } from "../bin/setup/external-programs.mjs";

export const BUILDS = [1, 2, 3] as const;

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
// Where it passes, it may take as long as a busy machine needs.
const timeout = process.env.BUILD === "1" ? 30_000 : 200;
exports.checkTotal = (page, total) => expect(page.locator("#total")).toHaveText(total, { timeout });`,
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
	await page.getByRole("button", { name: "Pay now" }).click({ timeout: build < 3 ? 300 : 30_000 });
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
export interface Planted {
	/** The end of its title. */
	test: string;
	/** Its outcome in each build. */
	outcomes: readonly string[];
	/** A part of the line that tells its last failure apart, and of its message. */
	reason?: string;
}

/** A series of builds. */
export interface Series {
	repository: string;
	workflow: string;
	projects: Project[];
	planted: Planted[];
	/** Titles of tests that are flaky, though passed at last, by their build. */
	flaky?: Partial<Record<number, string[]>>;
	/** Builds whose tests run a second time, for the same commit. */
	again?: number;
}

export const SERIES: Series[] = [
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
export const CAUSES = [
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

export const buildOf = ({ repository, workflow }: Series, build: number) => `${repository} ${workflow} #${build}`;

/** The builds' tools ran from `from` to `to`, in milliseconds since 1970, and `tapedeck import` printed these texts. */
export interface Imported {
	build: string;
	from: number;
	to: number;
	printed: string[];
}

/** The dashboard of the reports. */
interface Target {
	url: string;
	apiKey: string;
}

/** Runs all builds, one after the other, and imports their reports into a dashboard. */
export async function importPlantedBuilds(dashboard: Target): Promise<Imported[]> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-planted-"));
	const imported: Imported[] = [];
	try {
		for (const build of BUILDS) {
			for (const series of SERIES) {
				imported.push(await runBuild(folder, dashboard, series, { build, isAgain: false }));
				if (series.again === build) imported.push(await runBuild(folder, dashboard, series, { build, isAgain: true }));
			}
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	return imported;
}

async function runBuild(
	folder: string,
	{ url, apiKey }: Target,
	series: Series,
	{ build, isAgain }: { build: number; isAgain: boolean },
): Promise<Imported> {
	const imported: Imported = { build: buildOf(series, build), from: Date.now(), to: 0, printed: [] };
	for (const [part, { files, links = {}, command, report }] of series.projects.entries()) {
		// The same folder for each build, as in CI.
		const place = join(folder, `${SERIES.indexOf(series)}-${part}`);
		await mkdir(place, { recursive: true });
		for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
		for (const [name, target] of Object.entries(links)) {
			await symlink(target, join(place, name)).catch((error) => {
				if (error.code !== "EEXIST") throw error;
			});
		}
		await rm(join(place, report), { force: true });
		const env = {
			...process.env,
			BUILD: String(build),
			AGAIN: isAgain ? "yes" : "no",
			PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
		};
		// It ends with an error if tests fail.
		const output = await new Promise<string>((done) => {
			execFile(command[0] as string, command.slice(1), { cwd: place, env }, (_error, out, err) => done(out + err));
		});
		imported.to = Date.now();
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
			{ TAPEDECK_URL: url, TAPEDECK_API_KEY: apiKey },
		);
		if (answer.status !== 0) throw new Error(`${output}${answer.text}`);
		imported.printed.push(answer.text);
	}
	return imported;
}

/** Whether a title is that of a planted test. */
export const isOf = (planted: string, title: string): boolean => title.endsWith(planted);
