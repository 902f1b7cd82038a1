import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeGrid, startFakeGrid } from "#test/grids/fake-grid.ts";
import { hubStatus, nodeStatus, type StatusNode } from "#test/grids/grid-status.ts";
import { AllowedGrids } from "./allowed-grids.ts";
import { nodeMatcher } from "./grid-node.ts";
import { GridPoller } from "./poll.ts";

let grid: FakeGrid;
beforeAll(async () => {
	grid = await startFakeGrid();
});
afterAll(() => grid.stop());

const first: StatusNode = { id: "id-1", uri: "http://node-1:5555", slots: [{ id: "a" }, null] };
const second: StatusNode = { id: "id-2", uri: "http://node-2:5555", slots: [{ id: "b" }] };
const show = (...nodes: StatusNode[]) => grid.respondWith({ kind: "json", body: hubStatus(nodes) });
const pollerOf = (node: string) => new GridPoller({ url: grid.url, node }, AllowedGrids.all);

test.each([
	["its id", "ID-1", true],
	["its URI", "http://node-1:5555", true],
	["its URI with a slash", "http://node-1:5555/", true],
	["its host", "node-1", true],
	["its host and port", "NODE-1:5555", true],
	["another port", "node-1:5556", false],
	["another node", "node-2", false],
	["a part of its name", "node", false],
])("a node is named by %s: %s", (_what, wanted, isIt) => {
	expect(nodeMatcher(wanted)(first)).toBe(isIt);
});

test("only the sessions of the node count", async () => {
	const poller = pollerOf("node-1");
	show(first, second);
	expect((await poller.poll()).seen).toMatchObject({ kind: "count", active: 1, sessions: [{ id: "a" }] });
	show({ ...first, slots: [null] }, second);
	expect((await poller.poll()).seen).toMatchObject({ kind: "count", active: 0, sessions: [] });
	poller.close();
});

test("a node that the grid does not have is unknown, and the message names those that it has", async () => {
	const poller = pollerOf("node-9");
	show(first, second);
	expect((await poller.poll()).seen).toEqual({
		kind: "unknown",
		unknownNode: true,
		why: 'the grid has no node "node-9"; it has http://node-1:5555, http://node-2:5555',
	});
	poller.close();
});

test("a node that vanishes while its session runs is unknown, not idle; without one it is idle", async () => {
	const poller = pollerOf("node-1");
	show(first, second);
	await poller.poll();
	show(second);
	expect((await poller.poll()).seen).toMatchObject({ kind: "unknown" });
	show({ ...first, slots: [null] }, second);
	await poller.poll();
	show(second);
	expect((await poller.poll()).seen).toMatchObject({ kind: "count", active: 0 });
	poller.close();
});

test("a node's own status is understood, at the path where it has it", async () => {
	const node = await startFakeGrid();
	node.respondWith({ kind: "json", body: nodeStatus(first) });
	const poller = new GridPoller({ url: node.url }, AllowedGrids.all);
	expect((await poller.poll()).seen).toMatchObject({ kind: "count", active: 1, sessions: [{ id: "a" }] });
	expect(poller.recognised?.grid).toBe("Grid 4 node");
	poller.close();
	await node.stop();
});

test("a grid with 500 nodes and one with capabilities of 1 MB are polled in less than the poll interval", async () => {
	const nodes = Array.from({ length: 500 }, (_, index): StatusNode => {
		const capabilities = {
			browserName: "chrome",
			"se:name": `test ${index}`,
			"goog:chromeOptions": { args: ["x".repeat(3_000)] },
		};
		return { id: `id-${index}`, uri: `http://node-${index}:5555`, slots: [{ id: `s-${index}`, capabilities }] };
	});
	const huge = {
		id: "huge",
		uri: "http://huge:5555",
		slots: [{ id: "h", capabilities: { "se:name": "x".repeat(1 << 20) } }],
	};
	const poller = pollerOf("node-499");
	show(...nodes, huge);
	await poller.poll();
	const times: number[] = [];
	for (let round = 0; round < 5; round++) {
		const { askedAt, answeredAt, seen } = await poller.poll();
		expect(seen).toMatchObject({ kind: "count", active: 1, sessions: [{ id: "s-499" }] });
		times.push(answeredAt - askedAt);
	}
	expect(Math.min(...times)).toBeLessThan(500);
	poller.close();
});
