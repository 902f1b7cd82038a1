import type { SeenSession } from "@tapedeck/contract/session.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeGrid, startFakeGrid } from "../test/grids/fake-grid.ts";
import { hubStatus, type StatusNode } from "../test/grids/grid-status.ts";
import { until } from "../test/wait.ts";
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
	await until(() => grid.answers() > 0, "a poll");
	show(own("a"), other("b"));
	await until(() => grid.answers() > 1, "polls with both");
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

test("sessions of nodes that share the host of TAPEDECK_GRID_NODE are reported as ambiguous, those of others are not", async () => {
	const at = (uri: string, id: string | null) => ({ ...own(id), id: uri, uri });
	const show = (...nodes: StatusNode[]) => grid.respondWith({ kind: "json", body: hubStatus(nodes) });
	const sent: SeenSession[] = [];
	const closed = new AbortController();
	show(at("http://host:5555", "a"), at("http://host:5556", "b"), other("c"));
	const running = reportCoverage(
		{
			allowedGrids: AllowedGrids.all,
			whyMissed: () => "recording_failed",
			send: async (sessions) => void sent.push(...sessions),
		},
		{ url: grid.url, node: "host" },
		closed.signal,
	);
	await until(() => grid.answers() > 1, "two polls");
	show(at("http://host:5555", null), at("http://host:5556", null), other(null));
	await until(
		() => sent.length === 3,
		() => JSON.stringify(sent),
	);
	closed.abort();
	await running;
	expect(sent).toMatchObject([
		{ sessionId: "a", reason: "node_ambiguous" },
		{ sessionId: "b", reason: "node_ambiguous" },
		{ sessionId: "c", reason: null },
	]);
});

test("a session between two polls is reported once, with its node's reason; creations that fail are not", async () => {
	const sent: SeenSession[] = [];
	const closed = new AbortController();
	const nodes = { "node-1": [null, null] as StatusNode["slots"], "node-2": [null] as StatusNode["slots"] };
	/** Shows the slots for two polls at least. */
	const show = async (changed: Partial<typeof nodes>) => {
		Object.assign(nodes, changed);
		const all = Object.entries(nodes).map(([id, slots]) => ({ id, uri: `http://${id}:5555`, slots }));
		grid.respondWith({ kind: "json", body: hubStatus(all) });
		await until(() => grid.answers() > 1, "two polls");
	};
	const answered = show({});
	const running = reportCoverage(
		{
			allowedGrids: AllowedGrids.all,
			whyMissed: () => "recording_failed",
			send: async (sessions) => void sent.push(...sessions),
		},
		{ url: grid.url, node: "node-1" },
		closed.signal,
	);
	await answered;
	const [short, reserved, other] = [0, 100, 200].map((later) => new Date(Date.now() + later).toISOString());
	await show({ "node-1": [{ lastStarted: short ?? "" }, { id: "reserved", start: reserved }] });
	await show({ "node-1": [{ lastStarted: short ?? "" }, { lastStarted: reserved ?? "" }] });
	await show({ "node-2": [{ lastStarted: other ?? "" }] });
	await until(
		() => sent.length >= 2,
		() => JSON.stringify(sent),
	);
	await show({ "node-2": [{ id: "a" }] });
	await show({ "node-2": [null] });
	await until(
		() => sent.length >= 3,
		() => JSON.stringify(sent),
	);
	closed.abort();
	await running;
	const name = "Short session (chrome)";
	expect(sent).toMatchObject([
		{ sessionId: `short:node-1/slot-0@${short}`, name, node: "http://node-1:5555", reason: "recording_failed" },
		{ sessionId: `short:node-2/slot-0@${other}`, name, node: "http://node-2:5555", reason: null },
		{ sessionId: "a", reason: null },
	]);
	for (const { startedAt, endedAt } of sent)
		expect(Date.parse(endedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(startedAt));
});
