import { expect, test } from "vitest";
import { readStatus } from "./read-status.ts";

const read = (body: unknown) => readStatus(JSON.stringify(body));
const slot = (session: unknown, index: number) => ({ id: { hostId: "h", id: `s${index}` }, session, stereotype: {} });
const node = (...sessions: unknown[]) => ({ id: "n1", availability: "UP", slots: sessions.map(slot) });

test("Grid 4: the sessions of all slots of all nodes count, including those being created", () => {
	const nodes = [
		node(null, { sessionId: "a" }),
		{ ...node({ sessionId: "reserved" }), id: "n2", availability: "DOWN" },
	];
	expect(read({ value: { ready: false, message: "", nodes } })).toMatchObject({
		kind: "count",
		grid: "Grid 4",
		active: 2,
		nodes: [
			{ id: "n1", uri: "", down: false, sessions: 1 },
			{ id: "n2", uri: "", down: true, sessions: 1 },
		],
		sessions: [
			{ id: "a", slot: "n1/s1", node: { id: "n1", uri: "" } },
			{ id: "reserved", slot: "n2/s0", node: { id: "n2", uri: "" } },
		],
	});
});

test("Grid 4: a slot is known by its id, where it has one, at whatever place it is listed", () => {
	const slots = [
		{ id: { hostId: "n1", id: "s7" }, session: null, lastStarted: "2026-03-01T12:00:00Z", stereotype: { a: 1 } },
		{ session: { sessionId: "b" } },
		{ id: { hostId: "n1", id: 7 }, session: { sessionId: "" } },
	];
	const reading = read({ value: { nodes: [{ id: "n1", slots }] } });
	expect(reading).toMatchObject({
		slots: [
			{ id: "n1/s7", isFree: true, session: null, lastStarted: "2026-03-01T12:00:00Z", stereotype: { a: 1 } },
			{ id: "n1/1", isFree: false, session: { id: "b", slot: "n1/1" } },
			{ id: "n1/2", isFree: false, session: null },
		],
	});
});

test("Grid 4: an empty list of nodes means no sessions; a missing list means nothing", () => {
	expect(read({ value: { ready: false, nodes: [] } })).toMatchObject({ kind: "count", active: 0 });
	expect(read({ value: { ready: false, message: "Unable to read" } })).toMatchObject({ kind: "no_sessions" });
	expect(read({ value: { ready: false, nodes: null } })).toMatchObject({ kind: "no_sessions" });
});

test("Grid 4: an incomplete answer is not counted", () => {
	expect(read({ value: { nodes: [{ id: "n" }] } })).toMatchObject({ kind: "no_sessions" });
	expect(read({ value: { nodes: [{ id: "n", slots: [{ id: 1 }] }] } })).toMatchObject({ kind: "no_sessions" });
	expect(read({ value: { nodes: [null] } })).toMatchObject({ kind: "no_sessions" });
});

test("Grid 3: the hub's slots and the standalone's sessions", () => {
	expect(read({ slotCounts: { free: 3, total: 5 } })).toMatchObject({ kind: "count", grid: "Grid 3", active: 2 });
	expect(read({ slotCounts: { free: 6, total: 5 } })).toMatchObject({ kind: "no_sessions" });
	expect(read({ status: 0, value: [{ id: "a" }] })).toMatchObject({ kind: "count", grid: "Grid 3", active: 1 });
	expect(read({ status: 13, value: [] })).toMatchObject({ kind: "no_sessions" });
	const status = { status: 0, value: { ready: true, message: "Server is running", build: {} } };
	expect(read(status)).toEqual({
		kind: "no_sessions",
		why: 'the response contains no session data; its message is "Server is running"',
	});
});

test("Selenoid: used and pending sessions count, queued ones don't", () => {
	const status = { total: 80, used: 10, queued: 4, pending: 1, browsers: {} };
	expect(read(status)).toMatchObject({ kind: "count", grid: "Selenoid", active: 11 });
	expect(read({ total: 80, used: "10" })).toMatchObject({ kind: "no_sessions" });
});

test("Grid 4: a node's own status is that of a grid with one node", () => {
	const own = { value: { ready: true, node: node(null, { sessionId: "a" }) } };
	expect(read(own)).toMatchObject({ kind: "count", grid: "Grid 4 node", active: 1, sessions: [{ id: "a" }] });
});

test("Selenoid and a standalone Grid 3 list their sessions", () => {
	const caps = { name: "login works", browserName: "chrome" };
	const browsers = { chrome: { "120.0": { ada: { count: 1, sessions: [{ id: "s1", vnc: false, caps }] } } } };
	const selenoid = read({ total: 5, used: 1, queued: 0, pending: 0, browsers });
	expect(selenoid).toMatchObject({ active: 1, sessions: [{ id: "s1", capabilities: caps }] });
	const grid3 = read({ status: 0, value: [{ id: "s2", capabilities: caps }] });
	expect(grid3).toMatchObject({ active: 1, sessions: [{ id: "s2", capabilities: caps }] });
	expect(read({ slotCounts: { free: 3, total: 5 } })).toMatchObject({ sessions: null });
});

test("other answers are classified as JSON or not JSON", () => {
	expect(readStatus("<!doctype html>")).toEqual({ kind: "no_json" });
	expect(readStatus("")).toEqual({ kind: "no_json" });
	for (const text of ["null", "7", '"x"', "[]", "{}"]) expect(readStatus(text).kind, text).toBe("no_sessions");
});
