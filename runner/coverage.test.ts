import { afterEach, beforeEach, expect, test } from "vitest";
import type { SeenSession } from "#lib/contract/session.ts";
import { type FakeGrid, startFakeGrid } from "#test/grids/fake-grid.ts";
import { hubStatus, type StatusNode } from "#test/grids/grid-status.ts";
import { until } from "#test/wait.ts";
import { reportCoverage } from "./coverage.ts";
import { AllowedGrids } from "./grid/allowed-grids.ts";

let grid: FakeGrid;
beforeEach(async () => {
	grid = await startFakeGrid();
});
afterEach(() => grid.stop());

const own = (id: string | null, capabilities: object = {}): StatusNode => ({
	...{ id: "n1", uri: "http://node-1:5555" },
	slots: [id === null ? null : { id, capabilities: { "se:name": `name of ${id}`, ...capabilities } }],
});
const other = (id: string | null): StatusNode => ({ ...own(id), id: "n2", uri: "http://node-2:5555" });

test("sessions of all nodes are reported once they ended, again if the dashboard did not take them", async () => {
	const show = (...nodes: StatusNode[]) => grid.respondWith({ kind: "json", body: hubStatus(nodes) });
	const sent: SeenSession[] = [];
	let refusals = 1;
	const closed = new AbortController();
	show(own(null), other(null));
	const running = reportCoverage(
		{
			allowedGrids: AllowedGrids.all,
			whyMissed: () => "display_unavailable",
			async send(sessions) {
				if (refusals-- > 0) throw new Error("refused");
				sent.push(...sessions);
			},
		},
		{ url: grid.url, node: "node-1" },
		closed.signal,
	);
	await until(() => grid.requests.length > 0, "a poll");
	show(own("a"), other("b"));
	const polls = grid.requests.length;
	await until(() => grid.requests.length > polls + 1, "another poll");
	show(own("c", { "tapedeck:record": false }), other(null));
	await until(
		() => sent.length === 2,
		() => JSON.stringify(sent),
	);
	show(own(null), other(null));
	await until(
		() => sent.length === 3,
		() => JSON.stringify(sent),
	);
	closed.abort();
	await running;
	const endedAt = expect.any(String);
	expect(sent).toMatchObject([
		{ sessionId: "a", name: "name of a", node: "http://node-1:5555", reason: "display_unavailable", endedAt },
		{ sessionId: "b", node: "http://node-2:5555", reason: null, endedAt },
		{ sessionId: "c", reason: "not_wanted", endedAt },
	]);
});
