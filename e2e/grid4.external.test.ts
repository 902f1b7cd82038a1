/** Selenium Grid 4 from Maven Central, driven by Selenium's own Python client. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, test } from "vitest";
import { clientPython, gridFolder } from "../bin/setup/external-programs.mjs";
import { freePort } from "./fixtures/free-port.ts";
import { expectSessionRecorded, SESSION_MS, type Session } from "./fixtures/recorded-session.ts";
import { chromeOptions, type Grid, PAGE, startGrid } from "./fixtures/selenium-grid.ts";
import { root, type Stack, startStack } from "./fixtures/stack.ts";

let stack: Stack;
let grid: Grid;

beforeAll(async () => {
	stack = await startStack();
	const port = await freePort();
	const main = ["-cp", `${gridFolder}/*`, "org.openqa.selenium.grid.Bootstrap", "standalone"];
	const options = ["--host", "127.0.0.1", "--port", String(port), "--selenium-manager", "false"];
	grid = await startGrid([...main, ...options], port, stack);
});

afterAll(async () => {
	await grid?.stop();
	await stack?.stop();
});

test("a browser session on a real Grid 4 is recorded, and the recording stops 5 to 6 s after it quits", async () => {
	await expectSessionRecorded(stack, grid.url, async () => {
		const script = join(root, "e2e/fixtures/browser-session.py");
		const session = [grid.url, PAGE, String(SESSION_MS / 1_000), chromeOptions.binary, ...chromeOptions.args];
		const { stdout } = await promisify(execFile)(clientPython, [script, ...session], { timeout: 120_000 });
		return JSON.parse(stdout) as Session;
	});
});
