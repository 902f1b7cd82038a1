/** Selenium Grid 4 from Maven Central, driven by Selenium's own Python client and over plain WebDriver. */
import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	browse,
	browseInTurn,
	expectRestartSurvived,
	expectSessionsRecorded,
	SESSION_MS,
	type Session,
} from "#test/grids/recorded-session.ts";
import {
	basicAuthorization,
	chromeOptions,
	type Grid,
	type GridAccess,
	grid4Part,
	openSession,
	PAGE,
	startGrid,
	stopAll,
	togetherAs,
} from "#test/grids/selenium-grid.ts";
import { freePort } from "#test/processes/free-port.ts";
import { startTcpProxy, type TcpProxy } from "#test/servers/tcp-proxy.ts";
import { root, type Stack, startStack } from "#test/stack.ts";
import { pause } from "#test/wait.ts";
import { clientPython } from "../bin/setup/external-programs.mjs";

let stack: Stack;

beforeAll(async () => {
	stack = await startStack();
});
afterAll(() => stack?.stop());

const standalone = (port: number): Promise<Grid> =>
	startGrid(grid4Part("standalone", port, "--selenium-manager", "false"), { url: `http://127.0.0.1:${port}` }, stack);

interface Node {
	availability: string;
}
const nodesUp = (body: Record<string, unknown>): number =>
	((body.value as { nodes?: Node[] }).nodes ?? []).filter(({ availability }) => availability === "UP").length;

/**
 * A hub with two nodes of one slot each, and a router of its own in front of it, which serves it on a sub-path, asks
 * for a password, and reaches the distributor through a network that can be made to stall.
 */
async function hubBehindRouter(): Promise<Grid & { network: TcpProxy }> {
	const [hubPort, routerPort, publish, subscribe] = await Promise.all([1, 2, 3, 4].map(freePort));
	const hub = { url: `http://127.0.0.1:${hubPort}` };
	const bus = ["--publish-events", `tcp://127.0.0.1:${publish}`, "--subscribe-events", `tcp://127.0.0.1:${subscribe}`];
	const network = await startTcpProxy(hub.url);
	const parts: Grid[] = [];
	const router: GridAccess = { url: `http://127.0.0.1:${routerPort}/team/a`, username: "tester", password: "grön:1" };
	const start = async (args: string[], nodes: number, access: GridAccess = hub) => {
		parts.push(await startGrid(args, access, stack, { ready: (body) => nodesUp(body) === nodes }));
	};
	const stop = async () => {
		await stopAll(parts);
		await network.stop();
	};
	try {
		await start(grid4Part("hub", hubPort ?? 0, ...bus), 0);
		for (const nodes of [1, 2]) {
			const slot = ["--max-sessions", "1", "--selenium-manager", "false"];
			await start(grid4Part("node", await freePort(), ...bus, ...slot), nodes);
		}
		const behind = ["--sessions", hub.url, "--sessionqueue", hub.url, "--distributor", network.url];
		const door = ["--sub-path", "/team/a", "--username", "tester", "--password", "grön:1"];
		await start(grid4Part("router", routerPort ?? 0, ...behind, ...door), 2, router);
	} catch (error) {
		await stop();
		throw error;
	}
	return { ...togetherAs(router, parts), stop, network };
}

/** A session of Selenium's own client. */
async function pythonSession(grid: GridAccess): Promise<Session> {
	const script = join(root, "test/grids/browser-session.py");
	const session = [grid.url, PAGE, String(SESSION_MS / 1_000), "{}", chromeOptions.binary, ...chromeOptions.args];
	const { stdout } = await promisify(execFile)(clientPython, [script, ...session], { timeout: 120_000 });
	return JSON.parse(stdout) as Session;
}

/** The browser, 8 s late: until then the grid reports its session as `reserved`. */
async function lateBrowser(): Promise<string> {
	const file = join(stack.dataDir, "late-browser");
	await writeFile(file, `#!/bin/sh\nsleep 8\nexec ${chromeOptions.binary} "$@"\n`);
	await chmod(file, 0o755);
	return file;
}

/** The ids of the sessions in the grid's slots. */
async function sessionIds({ url }: GridAccess): Promise<string[]> {
	const answer = await fetch(`${url}/status`);
	const { value } = (await answer.json()) as {
		value: { nodes: { slots: { session: { sessionId: string } | null }[] }[] };
	};
	return value.nodes.flatMap(({ slots }) => slots.flatMap(({ session }) => session?.sessionId ?? []));
}

test("consecutive sessions on a real Grid 4 are one recording, which stops 5 to 6 s after the last one quits", async () => {
	const grid = await standalone(await freePort());
	try {
		await expectSessionsRecorded(stack, grid, async () => {
			await browseInTurn(grid, [1_000, 4_000]);
			// A browser that takes long to come: nothing but a reserved slot for longer than the idle time.
			const coming = browse(grid, 500, await lateBrowser());
			await pause(6_000);
			expect(await sessionIds(grid)).toEqual(["reserved"]);
			await coming;
			await pause(500);
			return pythonSession(grid);
		});
	} finally {
		await grid.stop();
	}
});

test("a Grid 4 hub with two nodes behind a password and a sub-path: gaps of 1 to 4 s stay in the recording, one of 7 s ends it", async () => {
	const grid = await hubBehindRouter();
	try {
		let nextAt = 0;
		const { job, events } = await expectSessionsRecorded(stack, grid, async () => {
			// Both nodes at once: the recording continues after the first one ends.
			const longer = await openSession(grid);
			await browse(grid, 500);
			await pause(6_500);
			await longer.quit();
			await pause(1_000);
			await browseInTurn(grid, [2_500, 4_000]);
			// The distributor is silent: the grid answers 200 and names no nodes.
			grid.network.stall();
			const silentSince = performance.now();
			const answer = await fetch(`${grid.url}/wd/hub/status`, { headers: basicAuthorization(grid) });
			const status = (await answer.json()) as { value: object };
			expect(answer.status).toBe(200);
			expect(status.value).not.toHaveProperty("nodes");
			await pause(silentSince + 9_000 - performance.now());
			grid.network.resume();
			const session = await browse(grid, 1_500);
			await pause(session.quitDoneAt + 7_000 - Date.now());
			nextAt = Date.now();
			await browse(grid, 0);
			return session;
		});
		expect(Date.parse(job.stoppedAt ?? "")).toBeLessThan(nextAt);
		expect(JSON.stringify([job, events])).not.toContain("grön");
	} finally {
		await grid.stop();
	}
});

test("restarting a Grid 4 during a recording is reported and does not end it", async () => {
	const port = await freePort();
	await expectRestartSurvived(stack, () => standalone(port));
});
