/** The Python package as it is published: built, installed from its wheel, type-checked, and used on a real display. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startChild } from "#test/processes/child.ts";
import { root, type Stack, startStack } from "#test/stack.ts";
import { olderPytestPython, packagePython } from "../bin/setup/external-programs.mjs";

const PACKAGE = join(root, "clients", "python");

let stack: Stack;
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-python-"));
	// Inherited by the runner: enough for the tests that ask for displays at the same time.
	vi.stubEnv("TAPEDECK_VIRTUAL_DISPLAYS", "8");
	stack = await startStack();
	await installWheel();
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await stack?.stop();
	await rm(folder, { recursive: true, force: true });
});

async function installWheel(): Promise<void> {
	const run = (python: string, ...args: string[]) => promisify(execFile)(python, ["-m", ...args], { cwd: folder });
	await run(packagePython, "build", "--wheel", "--no-isolation", "--outdir", folder, PACKAGE);
	const [wheel = ""] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
	for (const python of [packagePython, olderPytestPython])
		await run(python, "pip", "install", "--quiet", "--no-deps", "--force-reinstall", join(folder, wheel));
}

/** Runs a Python program in the package's folder. The variables of this machine's dashboards and displays are left out. */
async function python(args: string[], variables: Record<string, string> = {}): Promise<void> {
	const inherited = Object.entries(process.env).filter(([name]) => !/^(TAPEDECK_|PYTHON|PYTEST_|DISPLAY$)/.test(name));
	const env = { ...Object.fromEntries(inherited), ...variables, PYTHONDONTWRITEBYTECODE: "1" } as unknown;
	const child = startChild(packagePython, args, { cwd: PACKAGE, env: env as NodeJS.ProcessEnv });
	onTestFinished(() => void child.stop());
	const status = await child.exited;
	expect(status, child.output()).toBe(0);
}

test("it has a name of its own, and the version of the dashboard", async () => {
	const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
	// "tapedeck" is another project on PyPI.
	const wheel = `tapedeck_client-${version}-py3-none-any.whl`;
	expect((await readdir(folder)).filter((name) => name.endsWith(".whl"))).toEqual([wheel]);
});

test("it is formatted, linted and typed throughout, for its oldest Python", async () => {
	await python(["-m", "ruff", "check", "--no-cache", "."]);
	await python(["-m", "ruff", "format", "--no-cache", "--check", "."]);
	await python(["-m", "mypy", "--cache-dir", join(root, ".cache", "mypy")]);
});

test("its types are those of the dashboard's document", async () => {
	const document = join(folder, "openapi.json");
	const answer = await fetch(`${stack.url}/v1/openapi.json`);
	await writeFile(document, await answer.text());
	await python(["scripts/generate.py", document, "--check"]);
});

test("its own tests pass against a real dashboard, runner and display", { timeout: 1_200_000 }, async () => {
	await python(["-m", "pytest", "--quiet", "--durations=5", "-n", "3"], {
		TEST_URL: stack.url,
		TEST_API_KEY: stack.apiKey,
		TEST_DISPLAY: stack.displayId,
		TEST_RUNNER: stack.runnerName,
		TEST_RUNNER_ID: String(stack.runnerId),
		TEST_EMAIL: stack.email,
		TEST_PASSWORD: stack.password,
		TEST_PYTHON: packagePython,
		TEST_OLDER_PYTHON: olderPytestPython,
		TEST_RUNNER_DATA_DIR: join(stack.dataDir, "demo-runner"),
		TEST_TAPEDECK: join(root, "bin", "tapedeck"),
	});
});
