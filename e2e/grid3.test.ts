/** Selenium Grid 3.141.59, whose `/wd/hub/status` carries no sessions, driven over plain WebDriver. */
import { afterAll, beforeAll, test } from "vitest";
import { freePort } from "./fixtures/free-port.ts";
import { expectSessionRecorded, SESSION_MS } from "./fixtures/recorded-session.ts";
import { type Grid, openSession, PAGE, startGrid } from "./fixtures/selenium-grid.ts";
import { root, type Stack, startStack } from "./fixtures/stack.ts";

const JAR = `${root}/node_modules/selenium-server/lib/runner/selenium-server-standalone-3.141.59.jar`;

let stack: Stack;
let grid: Grid;

beforeAll(async () => {
	stack = await startStack();
	const port = await freePort();
	const args = ["-Dwebdriver.chrome.driver=/usr/bin/chromedriver", "-jar", JAR];
	grid = await startGrid([...args, "-host", "127.0.0.1", "-port", String(port)], port, stack);
});

afterAll(async () => {
	await grid?.stop();
	await stack?.stop();
});

test("a browser session on a real Grid 3 is recorded, and the recording stops 5 to 6 s after it quits", async () => {
	await expectSessionRecorded(stack, grid.url, async () => {
		const session = await openSession(grid.url);
		await session.show(PAGE);
		await new Promise((resolve) => setTimeout(resolve, SESSION_MS));
		const quitSentAt = Date.now();
		await session.quit();
		return { quitSentAt, quitDoneAt: Date.now() };
	});
});
