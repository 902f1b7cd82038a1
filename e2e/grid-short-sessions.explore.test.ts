/** Sessions of a real Selenium Grid 4 that are over before a runner sees them: each is in the coverage, once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Coverage, SHORT_SESSION } from "@tapedeck/contract/session.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AllowedGrids } from "#runner/grid/allowed-grids.ts";
import { GridPoller } from "#runner/grid/poll.ts";
import { type GridSession, RESERVED } from "#runner/grid/read-status.ts";
import { ShortSessions } from "#runner/grid/short-sessions.ts";
import { startTestApi, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Grid, type GridAccess, grid4Part, openSession, startGrid, stopAll } from "#test/grids/selenium-grid.ts";
import { freePort } from "#test/processes/free-port.ts";
import { startRunner } from "#test/runners/runner-process.ts";
import { startTcpProxy } from "#test/servers/tcp-proxy.ts";
import { pause, until } from "#test/wait.ts";

const FAILURES = 12;

let folder: string;
let display: VirtualDisplay;
let port: number;
let grid: Grid;

const start = () => {
	const options = ["--selenium-manager", "false", "--max-sessions", "3", "--override-max-sessions", "true"];
	const place = { displayId: display.id, dataDir: folder };
	return startGrid(grid4Part("standalone", port, ...options), { url: `http://127.0.0.1:${port}` }, place);
};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-grid-"));
	[display, port] = await Promise.all([startXvfb({ width: 1280, height: 720 }), freePort()]);
	grid = await start();
});
afterAll(async () => {
	await grid?.stop();
	await display?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** A session of a few tenths of a second. Resolves when its slot is free. */
async function openShortly(on: GridAccess = grid): Promise<void> {
	const session = await openSession(on);
	await close(session, on);
}

/** The grid frees the slot a moment after it has answered. */
async function close(session: Awaited<ReturnType<typeof openSession>>, { url }: GridAccess = grid): Promise<void> {
	await session.quit();
	const isGone = async () => !(await (await fetch(`${url}/status`)).text()).includes(session.id);
	await until(isGone, "the session is gone");
}

/** A browser that cannot start. */
const openInVain = () => expect(openSession(grid, "/bin/false")).rejects.toThrow("session");

test("a slot tells of a session that no poll saw, and of no other", async () => {
	const poller = new GridPoller({ url: grid.url }, AllowedGrids.all);
	const short = new ShortSessions();
	let listed: GridSession[] = [];
	/** Polls like a runner. @returns the start times of the sessions that it did not see. */
	const poll = async () => {
		const { seen } = await poller.poll();
		if (seen.kind !== "count" || seen.slots === undefined) throw new Error(JSON.stringify(seen));
		listed = seen.sessions ?? [];
		return short.take(seen.slots).map(({ id, start: begun }) => {
			expect(id.startsWith(SHORT_SESSION)).toBe(true);
			return Date.parse(String(begun));
		});
	};
	try {
		expect(await poll()).toEqual([]);
		const before = Date.now();
		await openShortly();
		const [begun, ...others] = await poll();
		expect(begun).toBeGreaterThanOrEqual(before);
		expect(begun).toBeLessThanOrEqual(Date.now());
		expect(others).toEqual([]);
		expect(await poll()).toEqual([]);

		// A session that a poll listed, and one whose creation a poll saw.
		const session = await openSession(grid);
		expect(await poll()).toEqual([]);
		expect(listed.map(({ id }) => id)).toEqual([session.id]);
		await close(session);
		expect(await poll()).toEqual([]);
		const seenReserved = (opening: Promise<unknown>) => {
			const settled = opening.catch(() => undefined);
			return until(async () => {
				expect(await poll()).toEqual([]);
				return listed.some(({ id }) => id === RESERVED);
			}, "a reserved slot").then(() => settled);
		};
		await seenReserved(openShortly());
		expect(await poll()).toHaveLength(1);
		await seenReserved(openInVain());
		expect(await poll()).toEqual([]);
		// The node is now known to fail creations, so an unseen one does not count as a session until one succeeds.
		await openInVain();
		expect(await poll()).toEqual([]);
		const next = await openSession(grid);
		expect(await poll()).toEqual([]);
		await close(next);
		await Promise.all([openShortly(), openShortly()]);
		expect(await poll()).toHaveLength(2);

		await grid.kill();
		grid = await start();
		expect(await poll()).toEqual([]);
		await openShortly();
		expect(await poll()).toHaveLength(1);
		expect(await poll()).toEqual([]);
	} finally {
		poller.close();
	}
});

test("the slots of a hub's nodes tell the sessions of each node apart, also when a node is restarted", async () => {
	const [hubPort = 0, publish, subscribe, ...nodePorts] = await Promise.all([1, 2, 3, 4, 5].map(freePort));
	const hub = { url: `http://127.0.0.1:${hubPort}` };
	const bus = ["--publish-events", `tcp://127.0.0.1:${publish}`, "--subscribe-events", `tcp://127.0.0.1:${subscribe}`];
	const place = { displayId: display.id, dataDir: folder };
	const startNode = (nodePort: number) => {
		const options = [...bus, "--max-sessions", "1", "--selenium-manager", "false"];
		const url = `http://127.0.0.1:${nodePort}`;
		return startGrid(grid4Part("node", nodePort, ...options), { url }, place, { path: "/status", ready: () => true });
	};
	const parts: Grid[] = [];
	const nodesAre = (uris: string[], ids?: Set<string>) =>
		until(async () => {
			const { value } = (await (await fetch(`${hub.url}/status`)).json()) as {
				value: { nodes?: { id: string; uri: string; availability: string }[] };
			};
			const up = value.nodes?.filter(({ id, availability }) => availability === "UP" && !ids?.has(id)) ?? [];
			return uris.every((uri) => up.some((node) => node.uri === uri)) ? new Set(up.map(({ id }) => id)) : null;
		}, "the nodes are up");
	const watched = [undefined, ...nodePorts.map((each) => `http://127.0.0.1:${each}`)].map((node) => ({
		poller: new GridPoller({ url: hub.url, node }, AllowedGrids.all),
		short: new ShortSessions(),
	}));
	/** @returns the sessions that no poll saw: of the grid, and of each node. */
	const poll = () =>
		Promise.all(
			watched.map(async ({ poller, short }) => {
				const { seen } = await poller.poll();
				return seen.kind === "count" ? short.take(seen.slots ?? []).map(({ id }) => id) : [];
			}),
		);
	try {
		parts.push(await startGrid(grid4Part("hub", hubPort, ...bus), hub, place, { ready: () => true }));
		for (const each of nodePorts) parts.push(await startNode(each));
		const ids = await nodesAre(nodePorts.map((each) => `http://127.0.0.1:${each}`));
		expect((await poll()).flat()).toEqual([]);
		for (let count = 0; count < 3; count++) {
			await openShortly(hub);
			const [ofGrid = [], ...ofNodes] = await poll();
			expect(ofGrid).toHaveLength(1);
			expect(ofNodes.flat()).toEqual(ofGrid);
		}
		const restarted = nodePorts[1] ?? 0;
		await parts.pop()?.kill();
		expect((await poll()).flat()).toEqual([]);
		parts.push(await startNode(restarted));
		await nodesAre([`http://127.0.0.1:${restarted}`], ids);
		expect((await poll()).flat()).toEqual([]);
	} finally {
		for (const { poller } of watched) poller.close();
		await stopAll(parts);
	}
});

test("short sessions are in the coverage once, whatever the runner saw of them; failed creations and a restart bring none", async () => {
	const api = await startTestApi();
	/** Between the runner and the grid. */
	const network = await startTcpProxy(grid.url);
	const env = { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_AUTO_RECORD: "session", SE_GRID_URL: network.url };
	const runner = startRunner({ url: api.url, display: display.id, dataDir: join(folder, "runner"), env });
	const coverage = async (): Promise<Coverage> => (await api.call("GET", "/v1/coverage?days=1")).body;
	const counts = (seen: number) =>
		until(async () => (await coverage()).seen >= seen, `${seen} sessions in the coverage`, 60_000);
	/** Twice as long as a runner may take to report sessions. */
	const settle = () => pause(8_000);
	/** A session that lasts until the runner has reported it. */
	const openLong = async (count: number) => {
		const session = await openSession(grid);
		await counts(count);
		await close(session);
	};
	try {
		await runner.says("waiting for sessions");
		await openLong(1);
		for (let count = 2; count <= 5; count++) {
			await openShortly();
			await counts(count);
		}
		await settle();
		expect((await coverage()).seen).toBe(5);
		const { missed } = await coverage();
		for (let count = 6; count <= 8; count++) {
			network.stall();
			await openShortly();
			network.resume();
			await counts(count);
		}
		await settle();
		const before = await coverage();
		expect([before.seen, before.missed - missed]).toEqual([8, 3]);
		const unseen = { sessionId: expect.stringMatching(/^short:/), name: "Short session (chrome)", node: grid.url };
		expect(before.data.slice(0, 3)).toMatchObject([unseen, unseen, unseen]);
		for (let count = 0; count < FAILURES; count++) await openInVain();
		await settle();
		// Creations that failed before any poll saw a reservation look like sessions.
		const { seen } = await coverage();
		expect(seen - before.seen).toBeLessThan(FAILURES / 2);

		await grid.kill();
		grid = await start();
		await openLong(seen + 1);
		await openShortly();
		await counts(seen + 2);
		await settle();
		expect((await coverage()).seen).toBe(seen + 2);
	} finally {
		await runner.stop();
		await network.stop();
		await api.stop();
	}
});
