/** A run of the tests: its output and its end when tests fail, are unstable, hang or crash. */

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { until } from "#test/wait.ts";
import { root } from "./run.mjs";

let folder: string;

beforeEach(async () => {
	folder = await temporaryFolder("checks");
	await cp(join(root, "bin", "setup"), join(folder, "bin", "setup"), {
		recursive: true,
		filter: (path) => !path.endsWith(".test.ts"),
	});
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	await mkdir(join(folder, "test"));
	await write("package.json", '{ "type": "module" }');
	await write(
		"vitest.config.js",
		`export default { test: { projects: [
			{ test: { name: "plain", include: ["*.test.js"], pool: "forks", isolate: false, fileParallelism: true, maxWorkers: 2 } },
		] } };`,
	);
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const writeTests = (name: string, text: string) =>
	write(`${name}.test.js`, `import { beforeAll, describe, expect, test } from "vitest";\n${text}`);

const TESTS = 'vitestCheck("Tests", "plain")';

interface Run {
	/** Standard output. */
	output: string;
	/** The lines from the summary on. */
	summary: string;
	/** The return value of performChecks. */
	result: { passed: boolean; stopped: boolean; seconds: Record<string, number> };
}

/** Runs checks in a process of its own. @param checks an expression for each, with the functions of `checks.mjs` */
async function runChecks(checks: string[], { CI = "", options = "{}" } = {}): Promise<Run> {
	await write(
		"run.mjs",
		`import { writeFileSync } from "node:fs";
import { performChecks, plainCheck, playwrightCheck, vitestCheck } from "./bin/setup/checks.mjs";
writeFileSync("result.json", JSON.stringify(await performChecks([${checks}], ${options})));`,
	);
	const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_OPTIONS|CI$)/.test(name));
	const output = await new Promise<string>((done) => {
		execFile(
			process.execPath,
			["run.mjs"],
			{ cwd: folder, env: { ...Object.fromEntries(inherited), NODE_ENV: "test", FORCE_COLOR: "1", ...(CI && { CI }) } },
			(_error, stdout) => done(stdout),
		);
	});
	const result = JSON.parse(await readFile(join(folder, "result.json"), "utf8"));
	return { output, summary: output.slice(output.indexOf("── Summary")), result };
}

const ledger = async () => JSON.parse(await readFile(join(folder, "test", "unstable.json"), "utf8"));
const lastLines = ({ output }: Run) => output.trimEnd().split("\n").slice(-2);

/** Whether the process does not exist, or is a zombie. */
const hasEnded = async (pid: number) =>
	/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State: Z"));

/** A test that fails as long as a file is not there, and writes it. */
const failsOnce = (title: string) => `
import { existsSync, writeFileSync } from "node:fs";
test(${JSON.stringify(title)}, () => {
	const wasThere = existsSync("seen");
	writeFileSync("seen", "");
	expect(wasThere, "The first time is not the second.").toBe(true);
});`;

test("a test that always fails is a failure with its message, after it failed again alone", async () => {
	await writeTests("cart", 'test("adds", () => expect({ lost: 1 }).toEqual({ lost: 0 }));\ntest("holds", () => {});');
	const run = await runChecks([TESTS]);
	expect(run.output).toContain("── Again, alone: cart.test.js");
	expect(run.summary).toMatch(/✗ cart\.test\.js › adds\n.*lost: 1/s);
	expect(run.summary).not.toContain("\u001b");
	expect(lastLines(run)).toEqual(["0 unstable", "1 passed, 1 failed"]);
	expect(run.result.passed).toBe(false);
	await expect(ledger()).rejects.toThrow("ENOENT");
});

test("a test that fails every second time is unstable: it is named with its first message, counted and in the ledger", async () => {
	await writeTests("cart", failsOnce("pays"));
	const run = await runChecks([TESTS]);
	expect(run.summary).toMatch(/Unstable: cart\.test\.js › pays\n.*The first time is not the second\./s);
	expect(run.summary).not.toContain("✗");
	expect(lastLines(run)).toEqual(["1 unstable", "1 passed, 0 failed"]);
	expect(run.result.passed).toBe(true);
	expect(await ledger()).toEqual([
		{
			test: "cart.test.js › pays",
			message: expect.stringContaining("The first time is not the second."),
			commit: "",
			date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		},
	]);
});

inExplore(test)("CI does not write to the ledger", async () => {
	await writeTests("cart", failsOnce("pays"));
	const run = await runChecks([TESTS], { CI: "true" });
	expect(lastLines(run)).toEqual(["1 unstable", "1 passed, 0 failed"]);
	await expect(ledger()).rejects.toThrow("ENOENT");
});

test("a test that fails only beside another file is unstable, because it runs again alone", async () => {
	const busy =
		'import { existsSync, rmSync, writeFileSync } from "node:fs";\nconst pause = (ms) => new Promise((done) => setTimeout(done, ms));';
	await writeTests(
		"one",
		`${busy}\ntest("has the port", async () => { writeFileSync("port", ""); await pause(1_500); rmSync("port"); });`,
	);
	await writeTests(
		"other",
		`${busy}\ntest("finds the port free", async () => { await pause(700); expect(existsSync("port"), "The port is taken.").toBe(false); });`,
	);
	const run = await runChecks([TESTS]);
	expect(run.summary).toMatch(/Unstable: other\.test\.js › finds the port free\n.*The port is taken\./s);
	expect(lastLines(run)).toEqual(["1 unstable", "2 passed, 0 failed"]);
});

test("a crash of the test program is a failure that names the file that was running, and nothing runs again", async () => {
	await writeTests(
		"cart",
		'test("pays", async () => { process.kill(process.ppid, "SIGKILL"); await new Promise(() => {}); });',
	);
	const run = await runChecks([TESTS]);
	expect(run.summary).toContain("The test program ended before its tests.");
	expect(run.summary).toMatch(/✗ cart\.test\.js( › pays)?\nIt had not ended/);
	expect(run.output).not.toContain("── Again");
	expect(lastLines(run)).toEqual(["0 unstable", "0 passed, 2 failed"]);
});

inExplore(test)("a worker that dies is a failure", async () => {
	await writeTests("cart", 'test("pays", () => process.kill(process.pid, "SIGKILL"));');
	const run = await runChecks([TESTS]);
	expect(run.result.passed).toBe(false);
	expect(run.summary).toMatch(/, [1-9] failed$/m);
});

test("a test program that hangs is ended, its file is named, and no process is left", async () => {
	await writeTests(
		"cart",
		'import { writeFileSync } from "node:fs";\ntest("waits", () => { writeFileSync("pid", String(process.pid)); for (;;); });',
	);
	const run = await runChecks(['vitestCheck("Tests", "plain", [], { timeoutMs: 6_000 })']);
	expect(run.output).toContain("Ended after 6 s, because it seems to hang.");
	expect(run.summary).toMatch(/✗ cart\.test\.js( › waits)?\nIt had not ended/);
	expect(run.result.passed).toBe(false);
	const pid = Number(await readFile(join(folder, "pid"), "utf8"));
	await until(() => hasEnded(pid), "the worker has ended");
});

test("a failing lint stops the run before the tests, after the other static checks", async () => {
	await writeTests("cart", 'test("pays", () => {});');
	const run = await runChecks([
		'plainCheck("Lint", [["node", "-e", "process.exit(1)"]], { isGate: true })',
		'plainCheck("Types", [["node", "-e", "0"]], { isGate: true })',
		TESTS,
	]);
	expect(run.summary).toContain("Failed: Lint");
	expect(run.summary).toMatch(/\d s {2}Types/);
	expect(run.output).not.toContain("── Tests");
	expect(run.output).toContain("Stopped before the tests");
	expect(lastLines(run)).toEqual(["0 unstable", "0 passed, 1 failed"]);
	expect(run.result).toMatchObject({ passed: false, stopped: true });
});

inExplore(test)("a file that does not load and a suite whose set-up fails are failures", async () => {
	await writeTests("fallen", 'throw new Error("Xvfb is missing.");');
	await writeTests(
		"setup",
		`describe("on a database", () => {
	beforeAll(() => { throw new Error("It does not start."); });
	test("is skipped", () => expect(1).toBe(1));
});`,
	);
	const run = await runChecks([TESTS]);
	expect(run.summary).toMatch(/✗ fallen\.test\.js\n.*Xvfb is missing\./s);
	expect(run.summary).toMatch(/✗ setup\.test\.js › on a database\n.*It does not start\./s);
	expect(lastLines(run)).toEqual(["0 unstable", "0 passed, 2 failed"]);
});

inExplore(test)("an error outside of any test fails the run", async () => {
	await writeTests("cart", 'test("pays", () => { Promise.reject(new Error("Nobody waits for me.")); });');
	const run = await runChecks([TESTS]);
	expect(run.summary).toContain("Nobody waits for me.");
	expect(run.result.passed).toBe(false);
});

inExplore(test)(
	"a failed browser test shows its page and its requests, and a spec that does not load is a failure",
	async () => {
		await write(
			"playwright.config.js",
			`export default { testMatch: "*.spec.js", outputDir: "results", projects: [{ name: "pages" }],
	use: { launchOptions: { executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] } } };`,
		);
		await write(
			"page.spec.js",
			`import { expect, test } from "playwright/test";
test("opens", async ({ page }, testInfo) => {
	await testInfo.attach("requests", { body: "no answer: /v1/jobs", contentType: "text/plain" });
	await page.setContent("<h1>Queue</h1><button>New job</button>");
	await expect(page.getByRole("dialog")).toBeVisible({ timeout: 1 });
});
test("holds", () => {});`,
		);
		const BROWSER_TESTS = 'playwrightCheck("Browser tests", "plain")';
		const run = await runChecks([BROWSER_TESTS]);
		expect(run.summary).toMatch(
			/✗ page\.spec\.js › opens\n.*The page at that moment:\n.*heading "Queue".*button "New job".*no answer: \/v1\/jobs/s,
		);
		expect(lastLines(run)).toEqual(["0 unstable", "1 passed, 1 failed"]);
		await write("fallen.spec.js", 'import { nothing } from "./not-there.js";');
		const fallen = await runChecks([BROWSER_TESTS]);
		expect(fallen.summary).toContain("not-there.js");
		expect(fallen.result.passed).toBe(false);
	},
);

test("the seconds of files whose tests passed are returned, and those of failed ones are not", async () => {
	await writeTests("cart", 'test("pays", () => new Promise((done) => setTimeout(done, 300)));');
	await writeTests("fallen", 'test("falls", () => { throw new Error("No space is left."); });');
	const { result } = await runChecks([TESTS]);
	expect(Object.keys(result.seconds)).toEqual(["cart.test.js"]);
	expect(result.seconds["cart.test.js"]).toBeGreaterThan(0.29);
});
