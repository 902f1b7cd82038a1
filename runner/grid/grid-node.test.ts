import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeGrid, startFakeGrid } from "../../test/grids/fake-grid.ts";
import { hubStatus, nodeStatus, type StatusNode } from "../../test/grids/grid-status.ts";
import { AllowedGrids } from "./allowed-grids.ts";
import { NodeFinder } from "./grid-node.ts";
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
	expect(means(wanted, first)).toBe(isIt);
});

const means = (name: string, ...nodes: StatusNode[]): boolean => new NodeFinder(name).find(nodes).kind === "found";

const V6_URI = "http://[fd00:10:244::1f]:5555";
test.each([
	[V6_URI, "fd00:10:244::1f", true],
	[V6_URI, "FD00:10:244::1F", true],
	[V6_URI, "[fd00:10:244::1f]", true],
	[V6_URI, "[FD00:0010:0244:0:0:0:0:001F]:5555", true],
	[V6_URI, "fd00:10:244:0:0:0:0:1f", true],
	[V6_URI, "fd00:10:244:0:0:0:0:1f:5555", true],
	[V6_URI, "http://[fd00:10:244:0:0:0:0:1f]:5555/", true],
	[V6_URI, "[fd00:10:244::1f]:5556", false],
	[V6_URI, "fd00:10:244::1e", false],
	[V6_URI, "fd00:10:244::", false],
	["http://[fd00:10:244:0:0:0:0:1f]:5555", "fd00:10:244::1f", true],
	["http://fd00:10:244:0:0:0:0:1f:5555", "fd00:10:244::1f", true],
	["http://[fe80:0:0:0:1005:ef25:ba6a:6e41%eth0]:5555", "fe80::1005:ef25:ba6a:6e41%eth0", true],
	["http://[fe80:0:0:0:1005:ef25:ba6a:6e41%eth0]:5555", "[FE80::1005:ef25:ba6a:6e41%25eth0]:5555", true],
	["http://[fe80:0:0:0:1005:ef25:ba6a:6e41%25eth0]:5555", "fe80::1005:ef25:ba6a:6e41%eth0", true],
	["http://[fe80:0:0:0:1005:ef25:ba6a:6e41%eth0]:5555", "fe80::1005:ef25:ba6a:6e41", true],
	["http://[fe80:0:0:0:1005:ef25:ba6a:6e41%eth0]:5555", "fe80::1005:ef25:ba6a:6e41%eth1", false],
	["http://[::ffff:10.0.0.7]:5555", "10.0.0.7", true],
	["http://10.0.0.7:5555", "::ffff:10.0.0.7", true],
	["http://10.0.0.7:5555", "[::ffff:a00:7]:5555", true],
	["http://10.0.0.7:5555", "10.0.0.70", false],
	["http://node-1.example.:5555", "node-1.example", true],
	["http://user@node-1:5555/wd/hub", "node-1:5555", true],
	["https://node-1", "node-1:443", true],
	["http://node-1", "http://node-1:80", true],
	["http://[::1]:5555", "::1:5555", true],
	["http://node_1:5555", "NODE_1", true],
	["not an address", "NOT AN ADDRESS", true],
	["", "node-1", false],
])("the node at %s is meant by %s: %s", (uri, wanted, isIt) => {
	expect(means(wanted, { id: "id-7", uri, slots: [] }, { id: "id-8", uri: "http://other:5555", slots: [] })).toBe(isIt);
});

const node = (id: string, uri: string): StatusNode => ({ id, uri, slots: [] });

test("a host that several nodes share means none of them: an id or a URI is needed", () => {
	const nodes = [node("id-1", "http://host:5555"), node("id-2", "http://host:5556"), node("id-3", "http://other:5555")];
	expect(new NodeFinder("host").find(nodes)).toMatchObject({
		kind: "shared",
		uris: ["http://host:5555", "http://host:5556"],
	});
	for (const name of ["id-2", "host:5556", "http://host:5556"]) {
		const found = new NodeFinder(name).find(nodes);
		expect(nodes.filter((each) => found.kind === "found" && found.isMeant(each))).toEqual([nodes[1]]);
	}
	// An address on two interfaces.
	const zones = [node("id-1", "http://[fe80::1%eth0]:5555"), node("id-2", "http://[fe80::1%eth1]:5555")];
	expect(new NodeFinder("fe80::1").find(zones).kind).toBe("shared");
	expect(new NodeFinder("fe80::1%eth1").find(zones).kind).toBe("found");
});

test("a restarted node whose old entry the grid still lists is one node", () => {
	const nodes = [node("old", "http://host:5555"), node("new", "http://HOST:5555/")];
	const found = new NodeFinder("host").find(nodes);
	expect(nodes.map((each) => found.kind === "found" && found.isMeant(each))).toEqual([true, true]);
});

test("a node is still followed when another one shares its host later, and the other one never takes its place", () => {
	const finder = new NodeFinder("host");
	const [own, other] = [node("id-1", "http://host:5555"), node("id-2", "http://host:5556")];
	expect(finder.find([own], 0).kind).toBe("found");
	const found = finder.find([other, own], 1_000);
	expect([own, other].map((each) => found.kind === "found" && found.isMeant(each))).toEqual([true, false]);
	expect(finder.find([other], 2_000).kind).toBe("absent");
	expect(finder.find([own, other], 3_000).kind).toBe("found");
	// Once the node is gone permanently, its host name belongs to the other one.
	expect(finder.find([other], 303_000).kind).toBe("absent");
	expect(finder.find([other], 304_000).kind).toBe("found");
});

test("a host is refused as long as one of the nodes that shared it may come back", () => {
	const finder = new NodeFinder("host");
	const [one, two] = [node("id-1", "http://host:5555"), node("id-2", "http://host:5556")];
	expect(finder.find([one, two], 0).kind).toBe("shared");
	expect(finder.find([two], 1_000).kind).toBe("shared");
	expect(finder.find([two], 301_000).kind).toBe("found");
});

test("only the sessions of the node count", async () => {
	const poller = pollerOf("node-1");
	show(first, second);
	expect((await poller.poll()).seen).toMatchObject({ kind: "count", active: 1, sessions: [{ id: "a" }] });
	const lastStarted = "2026-03-01T12:00:00Z";
	show({ ...first, slots: [{ lastStarted }] }, second);
	const { seen } = await poller.poll();
	expect(seen).toMatchObject({ kind: "count", active: 0, sessions: [], slots: [{ id: "id-1/slot-0", lastStarted }] });
	expect(seen.kind === "count" && seen.slots).toHaveLength(1);
	poller.close();
});

test("a node that the grid does not have is unknown, and the message names those that it has", async () => {
	const poller = pollerOf("node-9");
	show(first, second);
	expect((await poller.poll()).seen).toEqual({
		kind: "unknown",
		node: "absent",
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
