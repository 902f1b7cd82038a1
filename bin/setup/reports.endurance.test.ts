import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPlaywright } from "./reports.mjs";
import { root } from "./run.mjs";

const CASES = `
test("holds", () => expect(1).toBe(1));
test("is red", () => expect({ lost: 1 }).toEqual({ lost: 0 }));
test("is red as well", () => { throw new Error("No space is left."); });
`;

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-reports-"));
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a test program of the project in the folder, without the variables of this run. */
async function report(program: string, args: string[], env: Record<string, string> = {}) {
	const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_OPTIONS)/.test(name));
	await new Promise<void>((done) => {
		execFile(
			join(root, "node_modules", ".bin", program),
			args,
			{ cwd: folder, env: { NODE_ENV: "test", ...Object.fromEntries(inherited), FORCE_COLOR: "1", ...env } },
			() => done(),
		);
	});
	return JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
}

test("the summary names each failed test of vitest with its message, and a file or a suite whose setup threw", async () => {
	await writeFile(join(folder, "cases.test.js"), `import { expect, test } from "vitest";${CASES}`);
	await writeFile(join(folder, "fallen.test.js"), 'throw new Error("Xvfb is missing.");');
	await writeFile(
		join(folder, "setup.test.js"),
		`import { beforeAll, describe, expect, test } from "vitest";
describe("on a database", () => {
	beforeAll(() => { throw new Error("It does not start."); });
	test("is skipped", () => expect(1).toBe(1));
});`,
	);
	const reporter = `--reporter=${join(root, "bin", "setup", "vitest-report.mjs")}`;
	const { passed, failures } = (await report("vitest", ["run", reporter], {
		VITEST_REPORT: join(folder, "report.json"),
	})) as ReturnType<typeof readPlaywright>;
	expect(passed).toBe(1);
	const listed = failures.map(({ title, message }) => `${title}: ${message}`).sort();
	expect(listed).toHaveLength(4);
	expect(listed[0]).toMatch(/fallen\.test\.js: .*Xvfb is missing\./s);
	expect(listed[3]).toMatch(/^on a database: .*It does not start\./s);
	expect(listed[1]).toMatch(/^is red as well: .*No space is left\..*cases\.test\.js/s);
	expect(listed[2]).toMatch(/^is red: .*expected.*lost: 1/s);
	expect(listed.join()).not.toContain("\u001b");
});

test("the summary names each failed test of Playwright with its message, and a spec that does not load", async () => {
	await writeFile(join(folder, "cases.spec.js"), `import { expect, test } from "playwright/test";${CASES}`);
	await writeFile(join(folder, "fallen.spec.js"), 'import { nothing } from "./not-there.js";');
	const args = ["test", "--config=.", "--reporter=json", "--output=results"];
	const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, "report.json") };
	// A spec that does not load ends the run before its first test.
	const fallen = readPlaywright(await report("playwright", args, env));
	expect(fallen.passed).toBe(0);
	expect(fallen.failures.map(({ message }) => message).join()).toContain("not-there.js");
	await rm(join(folder, "fallen.spec.js"));
	const { passed, failures } = readPlaywright(await report("playwright", args, env));
	expect(passed).toBe(1);
	expect(failures.map(({ title }) => title)).toEqual(["cases.spec.js › is red", "cases.spec.js › is red as well"]);
	expect(failures[0]?.message).toMatch(/lost/);
	expect(failures[1]?.message).toContain("No space is left.");
	expect(failures[0]?.message).not.toContain("\u001b");
});

test("the summary shows what a page of Playwright's showed and asked for when its test failed", async () => {
	await writeFile(
		join(folder, "page.spec.js"),
		`import { expect, test } from "playwright/test";
test("is red", async ({ page }, testInfo) => {
	await testInfo.attach("requests", { body: "no answer: /v1/jobs", contentType: "text/plain" });
	await page.setContent("<h1>Queue</h1><button>New job</button>");
	await expect(page.getByRole("dialog")).toBeVisible({ timeout: 1 });
});`,
	);
	await writeFile(
		join(folder, "playwright.config.js"),
		`export default { use: { launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] } } };`,
	);
	const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, "report.json") };
	const { failures } = readPlaywright(await report("playwright", ["test", "--reporter=json", "--output=results"], env));
	expect(failures[0]?.message).toMatch(
		/The page at that moment:\n.*heading "Queue".*button "New job".*no answer: \/v1\/jobs/s,
	);
});
