/** Selenium Grid 3.141.59, whose `/wd/hub/status` carries no sessions, driven over plain WebDriver. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGridProxy } from "#test/grids/grid-proxy.ts";
import {
	browse,
	browseInTurn,
	expectRestartSurvived,
	expectSessionsRecorded,
	SESSION_MS,
} from "#test/grids/recorded-session.ts";
import { type Grid, openSession, startGrid, stopAll, togetherAs } from "#test/grids/selenium-grid.ts";
import { freePort } from "#test/processes/free-port.ts";
import { root, type Stack, startStack } from "#test/stack.ts";
import { pause } from "#test/wait.ts";

const JAR = `${root}/node_modules/selenium-server/lib/runner/selenium-server-standalone-3.141.59.jar`;
const DRIVER = "-Dwebdriver.chrome.driver=/usr/bin/chromedriver";
const address = (port: number) => ["-host", "127.0.0.1", "-port", String(port)];

let stack: Stack;

beforeAll(async () => {
	stack = await startStack();
});
afterAll(() => stack?.stop());

const standalone = (port: number): Promise<Grid> =>
	startGrid([DRIVER, "-jar", JAR, ...address(port)], { url: `http://127.0.0.1:${port}` }, stack);

/** A hub and two nodes with one slot each; stops as one. */
async function hubWithTwoNodes(): Promise<Grid> {
	const port = await freePort();
	const hub = { url: `http://127.0.0.1:${port}` };
	const parts: Grid[] = [];
	const start = async (args: string[], nodes: number) => {
		const ready = (body: Record<string, unknown>) => (body.slotCounts as { total: number }).total === nodes;
		parts.push(await startGrid(args, hub, stack, { path: "/grid/api/hub", ready }));
	};
	try {
		await start(["-jar", JAR, "-role", "hub", ...address(port)], 0);
		for (const nodes of [1, 2]) {
			const role = ["-role", "node", "-hub", `${hub.url}/grid/register`, ...address(await freePort())];
			const slot = ["-maxSession", "1", "-browser", "browserName=chrome,maxInstances=1"];
			await start([DRIVER, "-jar", JAR, ...role, ...slot], nodes);
		}
	} catch (error) {
		await stopAll(parts);
		throw error;
	}
	return togetherAs(hub, parts);
}

test("consecutive sessions on a real Grid 3 are one recording, which stops 5 to 6 s after the last one quits", async () => {
	const grid = await standalone(await freePort());
	try {
		// A standalone Grid 3 reports a session only once its browser runs, which makes the gap longer.
		await expectSessionsRecorded(stack, grid, async () => {
			await browseInTurn(grid, [1_000]);
			await pause(1_000);
			return browse(grid, SESSION_MS);
		});
	} finally {
		await grid.stop();
	}
});

test("a Grid 3 hub with two nodes behind a password and a sub-path: gaps of 1 to 4 s stay in the recording, one of 7 s ends it", async () => {
	const hub = await hubWithTwoNodes();
	const proxy = await startGridProxy(hub.url, { subPath: "/team/a", username: "röd", password: "grön:1" });
	try {
		let nextAt = 0;
		const { job, events } = await expectSessionsRecorded(stack, proxy, async () => {
			// Both nodes at once: the recording continues after the first one ends.
			const longer = await openSession(proxy);
			await browse(proxy, 500);
			await pause(6_500);
			await longer.quit();
			await pause(1_000);
			const session = await browseInTurn(proxy, [2_500, 4_000]);
			await pause(session.quitDoneAt + 7_000 - Date.now());
			nextAt = Date.now();
			await browse(proxy, 0);
			return session;
		});
		expect(Date.parse(job.stoppedAt ?? "")).toBeLessThan(nextAt);
		expect(events.find(({ type }) => type === "grid_recognised")?.data).toMatchObject({ path: "/grid/api/hub" });
		expect(JSON.stringify([job, events])).not.toContain("grön");
	} finally {
		await proxy.stop();
		await hub.stop();
	}
});

test("restarting a Grid 3 during a recording is reported and does not end it", async () => {
	const port = await freePort();
	await expectRestartSurvived(stack, () => standalone(port));
});
