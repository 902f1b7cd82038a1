import { seenSessionSchema } from "@tapedeck/contract/session.ts";
import { expect, test } from "vitest";
import { hubStatus, nodeStatus, type StatusNode } from "../../test/grids/grid-status.ts";
import { readStatus } from "./read-status.ts";
import { ShortSessions } from "./short-sessions.ts";

let uses = 0;
/** A time that no test has used. */
const next = (): string => new Date(Date.UTC(2026, 2, 1) + 1_234 * ++uses).toISOString();
type Slots = StatusNode["slots"];
const nodeWith = (slots: Slots, id = "n1"): StatusNode => ({ id, uri: `http://${id}:5555`, slots });
const slotsIn = (status: unknown) => {
	const reading = readStatus(JSON.stringify(status));
	if (reading.kind !== "count") throw new Error("unreadable");
	return reading.slots;
};
/** @returns for each poll the beginnings of the short sessions that it brought up. */
function play(...polls: Slots[]): unknown[][] {
	const short = new ShortSessions();
	return polls.map((slots) => short.take(slotsIn(hubStatus([nodeWith(slots)]))).map(({ start }) => start));
}

test("a session between two polls is known by the time that its slot keeps, once", () => {
	const [before, short, other] = [next(), next(), next()];
	expect(play([null], [{ lastStarted: short }], [{ lastStarted: short }], [{ lastStarted: other }])).toEqual([
		[],
		[short],
		[],
		[other],
	]);
	expect(play([{ lastStarted: before }], [{ lastStarted: short }])).toEqual([[], [short]]);
});

test("it is described by its slot: an id that every runner gives it, and the browser that the slot offers", () => {
	const started = next();
	const runners = [new ShortSessions(), new ShortSessions()];
	for (const each of runners) each.take(slotsIn(hubStatus([nodeWith([null])])));
	const [first, second] = runners.map((each) => each.take(slotsIn(hubStatus([nodeWith([{ lastStarted: started }])]))));
	expect(first).toEqual([
		{
			id: `short:n1/slot-0@${started}`,
			...{ slot: "n1/slot-0", node: { id: "n1", uri: "http://n1:5555" }, start: started },
			capabilities: { browserName: "chrome", platformName: "linux", name: "Short session (chrome)" },
		},
	]);
	expect(second).toEqual(first);
	const uuid = "6e1f0a52-6a3b-4f0e-9d0c-3c1b7f0f8a11";
	const longest = new ShortSessions();
	longest.take(slotsIn(hubStatus([nodeWith([null], uuid)])));
	const [session] = longest.take(slotsIn(hubStatus([nodeWith([{ lastStarted: next() }], uuid)])));
	expect(seenSessionSchema.shape.sessionId.parse(session?.id)).toBe(session?.id);
});

test("a session that was listed is none, nor is one that ended before the first poll", () => {
	const [earlier, start] = [next(), next()];
	expect(
		play([{ lastStarted: earlier }], [{ id: "a", start }], [{ lastStarted: start }], [{ lastStarted: start }]).flat(),
	).toEqual([]);
	expect(play([{ id: "a", start }], [{ lastStarted: start }]).flat()).toEqual([]);
});

test("a creation that failed is none; one that became a session is one, also on a node whose clock is behind", () => {
	const [behind, reserved, begun] = [next(), next(), next()];
	const creating = { id: "reserved", start: reserved };
	expect(play([null], [creating], [{ lastStarted: reserved }]).flat()).toEqual([]);
	expect(play([creating], [{ lastStarted: reserved }]).flat()).toEqual([]);
	expect(play([null], [creating], [{ lastStarted: begun }])).toEqual([[], [], [begun]]);
	expect(play([null], [creating], [{ lastStarted: behind }])).toEqual([[], [], [behind]]);
});

test("once a creation was seen to fail, what no poll saw is no session, until one begins", () => {
	const [failed, reserved] = [next(), next()];
	const [unseen, start, short] = [next(), next(), next()];
	const running = { id: "running", start: next() };
	const failure: Slots[] = [
		[running, null],
		[running, { id: "reserved", start: failed }],
		[running, { lastStarted: failed }],
	];
	const retries: Slots[] = [
		[running, { lastStarted: next() }],
		[running, { id: "reserved", start: reserved }],
		[running, { lastStarted: next() }],
	];
	expect(play(...failure, ...retries).flat()).toEqual([]);
	const again: Slots[] = [
		[running, { lastStarted: unseen }],
		[running, { id: "a", start }],
		[running, { lastStarted: start }],
		[running, { lastStarted: short }],
	];
	expect(play(...failure, ...again).flat()).toEqual([short]);
});

test("slots that change their places have no sessions between them", () => {
	const times = [next(), next(), next(), next()];
	const slots = times.map((lastStarted) => ({ lastStarted }));
	const short = new ShortSessions();
	for (const order of [
		[0, 1, 2, 3],
		[3, 1, 0, 2],
		[2, 3, 1, 0],
	])
		expect(short.take(slotsIn(hubStatus([{ ...nodeWith(slots), order }])))).toEqual([]);
});

test("a grid that restarts, a node that comes back, and a node's own status report no session again", () => {
	const [start, earlier] = [next(), next()];
	const short = new ShortSessions();
	const poll = (status: unknown) => short.take(slotsIn(status)).map(({ start: at }) => at);
	const used: Slots = [{ lastStarted: start }, { lastStarted: earlier }];
	poll(hubStatus([nodeWith(used)]));
	expect(poll(hubStatus([]))).toEqual([]);
	// The hub was restarted and knows no times; then it is polled through another one that knows them.
	expect(poll(hubStatus([nodeWith([null, null])]))).toEqual([]);
	expect(poll(hubStatus([nodeWith(used)]))).toEqual([]);
	// The node was restarted: it has another id.
	expect(poll(hubStatus([nodeWith([null, null], "n2")]))).toEqual([]);
	expect(poll(nodeStatus(nodeWith([null, null], "n2")))).toEqual([]);
	const newer = next();
	expect(poll(hubStatus([nodeWith([null, { lastStarted: newer }], "n2")]))).toEqual([newer]);
});

test("a session that another poller of the runner saw keeps its id and its name", () => {
	const start = next();
	const [coverage, recorder] = [new ShortSessions(), new ShortSessions()];
	const idle = slotsIn(hubStatus([nodeWith([null])]));
	coverage.take(idle);
	recorder.take(idle);
	recorder.take(slotsIn(hubStatus([nodeWith([{ id: "a", start, capabilities: { "se:name": "login" } }])])));
	const free = slotsIn(hubStatus([nodeWith([{ lastStarted: start }])]));
	expect(recorder.take(free)).toEqual([]);
	expect(coverage.take(free)).toMatchObject([{ id: "a", capabilities: { "se:name": "login" } }]);
	// It saw that a creation failed.
	const failed = next();
	recorder.take(slotsIn(hubStatus([nodeWith([{ id: "reserved", start: failed }])])));
	for (const each of [failed, next()])
		expect(coverage.take(slotsIn(hubStatus([nodeWith([{ lastStarted: each }])])))).toEqual([]);
});

test("times of any type and of any number are no reason to fail or to keep all of them", () => {
	const short = new ShortSessions();
	const anything = [
		null,
		undefined,
		7,
		{},
		"",
		"soon",
		"x".repeat(200),
		"1970-01-01T00:00:00Z",
		"-000001-01-01T00:00:00Z",
	];
	for (const lastStarted of anything) {
		const slot = { id: { hostId: "n1", id: "s" }, lastStarted, session: null, stereotype: "chrome" };
		const status = { value: { nodes: [{ id: "n1", uri: "http://n1", availability: "UP", slots: [slot] }] } };
		expect(short.take(slotsIn(status))).toEqual([]);
	}
	const found = Array.from({ length: 500 }, () =>
		short.take(slotsIn(hubStatus([nodeWith([{ lastStarted: next() }])]))),
	);
	expect(found.flat()).toHaveLength(500);
	const long = nodeWith([{ lastStarted: next() }], "n".repeat(300));
	short.take(slotsIn(hubStatus([{ ...long, slots: [null] }])));
	expect(short.take(slotsIn(hubStatus([long])))).toEqual([]);
});
