import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type FakeGrid, startFakeGrid } from "../../test/grids/fake-grid.ts";
import { hubStatus, type StatusNode } from "../../test/grids/grid-status.ts";
import { AllowedGrids } from "./allowed-grids.ts";
import { GridPoller } from "./poll.ts";

let grid: FakeGrid;
beforeAll(async () => {
	grid = await startFakeGrid();
});
afterAll(() => grid.stop());
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["performance"] });
	return () => vi.useRealTimers();
});

const busy: StatusNode = { id: "id-1", uri: "http://node-1:5555", slots: [{ id: "a" }] };
const down: StatusNode = { ...busy, availability: "DOWN" };
const other: StatusNode = { id: "id-2", uri: "http://node-2:5555", slots: [null] };
const show = (...nodes: StatusNode[]) => grid.respondWith({ kind: "json", body: hubStatus(nodes) });
/** The result of a poll, such as `1` for a running session, and the lost nodes. */
const said = async (poller: GridPoller, passedSeconds: number) => {
	vi.advanceTimersByTime(passedSeconds * 1_000);
	const { seen } = await poller.poll();
	return [seen.kind === "count" ? seen.active : seen.kind, Object.fromEntries(poller.lost)];
};

test.each([
	["of the node that is meant", "node-1", "node-1"],
	["of any node", undefined, "http://node-1:5555"],
])("a session %s counts for 300 s after its node went down, although the grid lists it for longer", async (_, node, name) => {
	const poller = new GridPoller({ url: grid.url, ...(node === undefined ? {} : { node }) }, AllowedGrids.all);
	show(busy, other);
	expect(await said(poller, 0)).toEqual([1, {}]);
	show(down, other);
	expect(await said(poller, 10)).toEqual([1, { [name]: "waiting" }]);
	expect(await said(poller, 240)).toEqual([1, { [name]: "waiting" }]);
	expect(await said(poller, 59)).toEqual([1, { [name]: "waiting" }]);
	expect(await said(poller, 2)).toEqual([0, { [name]: "given_up" }]);
	poller.close();
});

test.each([
	["of the node that is meant", "node-1", "node-1"],
	["of any node", undefined, "http://node-1:5555"],
])("a session %s counts for 300 s in all when its node goes down and then vanishes", async (_, node, name) => {
	const poller = new GridPoller({ url: grid.url, ...(node === undefined ? {} : { node }) }, AllowedGrids.all);
	show(busy, other);
	await said(poller, 0);
	show(down, other);
	await said(poller, 1);
	show(other);
	expect(await said(poller, 240)).toEqual(["unknown", { [name]: "waiting" }]);
	expect(await said(poller, 59)).toEqual(["unknown", { [name]: "waiting" }]);
	expect(await said(poller, 2)).toEqual([0, { [name]: "given_up" }]);
	poller.close();
});

test("a node that comes back is no longer lost, and waits anew when it goes down again", async () => {
	const poller = new GridPoller({ url: grid.url, node: "node-1" }, AllowedGrids.all);
	show(down);
	expect(await said(poller, 0)).toEqual([1, { "node-1": "waiting" }]);
	show(busy);
	expect(await said(poller, 200)).toEqual([1, {}]);
	show(down);
	expect(await said(poller, 1)).toEqual([1, { "node-1": "waiting" }]);
	expect(await said(poller, 200)).toEqual([1, { "node-1": "waiting" }]);
	poller.close();
});
