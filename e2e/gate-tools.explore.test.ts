/** The gate with the reports of real test tools: `tapedeck run --gate --junit`, and `tapedeck import --gate`. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { junitPom, packagePython } from "../bin/setup/external-programs.mjs";

let api: TestApi;
let owner: Person;
beforeAll(async () => {
	api = await startTestApi();
	owner = await signIn(api);
});
afterAll(() => api?.stop());

/** A project with a test that is known to fail, and one that fails if `BROKEN` is set. */
interface Project {
	files: Record<string, string>;
	command: string[];
	/** The folder of its reports. */
	reports: string;
	env?: Record<string, string>;
}

const maven: Project = {
	files: {
		"pom.xml": junitPom,
		"src/test/java/ShopTest.java": `import org.junit.jupiter.api.*;
class ShopTest {
	@Test void ships() { throw new IllegalStateException("Maven: the courier of parcel " + System.nanoTime() + " is late"); }
	@Test void pays() { if (System.getenv("BROKEN") != null) Assertions.assertEquals(200, 500, "the bank of Maven"); }
}`,
	},
	command: ["mvn", "-B", "-q", "--offline", "test"],
	reports: "target/surefire-reports",
};
const pytest: Project = {
	files: {
		"test_shop.py": `import os, time
def test_ships(): raise RuntimeError(f"pytest: the courier of parcel {time.time_ns()} is late")
def test_pays():
    if os.environ.get("BROKEN"): raise ValueError("pytest: the bank is broken")
`,
	},
	command: [packagePython, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", "reports/r.xml"],
	reports: "reports",
	env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" },
};
const playwright: Project = {
	files: {
		"shop.spec.js": `const { test } = require("playwright/test");
test("ships", () => { throw new Error("Playwright: the courier of parcel " + process.hrtime.bigint() + " is late"); });
test("pays", () => { if (process.env.BROKEN) throw new Error("Playwright: the bank is broken"); });`,
		"playwright.config.js": `module.exports = { reporter: [["junit", { outputFile: "reports/r.xml" }]] };`,
	},
	command: [process.execPath, join(root, "node_modules", "playwright", "cli.js"), "test"],
	reports: "reports",
};

test.each([
	["Maven Surefire", maven],
	["pytest", pytest],
	["Playwright Test", playwright],
])("a known failure of %s passes, in a run and as an imported report, and a new one does not", async (name, project) => {
	const folder = await temporaryFolder("gate");
	for (const [file, text] of Object.entries(project.files)) {
		await mkdir(join(folder, dirname(file)), { recursive: true });
		await writeFile(join(folder, file), text);
	}
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	const reports = join(folder, project.reports);
	const env = { ...project.env, TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY, DISPLAY: "" };
	const build = (number: number) => ["--label", `build=${name} ${number}`];
	const run = async (number: number, variables: Record<string, string> = {}) => {
		await rm(reports, { recursive: true, force: true });
		// No runner has this folder: the results are a test run.
		const where = ["--data-dir", join(folder, "data")];
		const words = ["run", "--gate", ...where, "--junit", join(reports, "*.xml"), ...build(number)];
		const command = ["sh", "-c", 'cd "$0" && exec "$@"', folder, ...project.command];
		return tapedeck([...words, "--", ...command], { ...env, ...variables });
	};
	const imported = (number: number) => tapedeck(["import", "--gate", ...build(number), reports], env);

	const first = await run(1);
	expect(first.status, first.text).toBe(1);
	expect(first.text).toMatch(/tapedeck: 1 cause: 1 new: .*ships/);
	const { causes } = (await api.call("GET", `/v1/builds/${encodeURIComponent(`${name} 1`)}/report`))
		.body as BuildReport;
	const mutedUntil = new Date(Date.now() + 86_400_000).toISOString();
	for (const { cause } of causes.data) {
		const body = { cause, letsPass: true, mutedUntil, reason: "TAP-45", assigneeUserId: owner.userId };
		expect((await owner.call("PUT", "/v1/failure-triage", { body })).status).toBe(200);
	}

	const known = await run(2);
	expect(known.status, known.text).toBe(0);
	expect(known.text).toContain("CI passes: every failure is known. The command itself ended with 1.");
	const report = await imported(3);
	expect(report.status, report.text).toBe(0);
	expect(report.text).toContain("1 cause: 1 known (let through by ");

	const broken = await run(4, { BROKEN: "1" });
	expect(broken.status, broken.text).toBe(1);
	expect(broken.text).toMatch(/tapedeck: 2 causes: 1 known .*, 1 new: .*pays/);
	const brokenReport = await imported(5);
	expect(brokenReport.status, brokenReport.text).toBe(1);
});
