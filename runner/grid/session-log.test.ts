import { expect, test } from "vitest";
import { hubStatus } from "../../test/grids/grid-status.ts";
import type { Poll } from "./grid-health.ts";
import { readStatus } from "./read-status.ts";
import { SessionLog } from "./session-log.ts";

const now = performance.now();
const startAt = (at: number) => new Date(Date.now() - performance.now() + at).toISOString();
/** A poll answered 10 ms after it was asked. */
function poll(at: number, ...sessions: { id: string; start?: string }[]): Poll {
	const reading = readStatus(JSON.stringify(hubStatus([{ id: "n", uri: "http://n:5555", slots: sessions }])));
	if (reading.kind !== "count") throw new Error("unreadable");
	return { askedAt: at - 10, answeredAt: at, seen: reading };
}
const ids = ({ came, went }: ReturnType<SessionLog["take"]>) => [
	came.map(({ session }) => session.id),
	went.map(({ id }) => id),
];

test("tells which sessions came and went, and ignores those that are being created", () => {
	const log = new SessionLog();
	expect(ids(log.take(poll(now, { id: "a" }, { id: "reserved" })))).toEqual([["a"], []]);
	expect(ids(log.take(poll(now + 500, { id: "a" }, { id: "b" })))).toEqual([["b"], []]);
	expect(ids(log.take(poll(now + 1_000, { id: "b" })))).toEqual([[], ["a"]]);
	expect(log.take(poll(now + 1_500)).went).toEqual([{ id: "b", at: now + 1_500 }]);
});

test("an answer without a list changes nothing", () => {
	const log = new SessionLog();
	log.take(poll(now, { id: "a" }));
	for (const seen of [
		{ kind: "unknown", why: "no nodes" },
		{ kind: "unreachable", why: "refused" },
		{ kind: "count", active: 0, sessions: null },
	] as const) {
		expect(ids(log.take({ askedAt: now, answeredAt: now, seen }))).toEqual([[], []]);
	}
	expect(ids(log.take(poll(now + 500, { id: "a" })))).toEqual([[], []]);
});

test("a session began when the grid says, if that lies between the polls before and after it", () => {
	const log = new SessionLog();
	const beginningOf = (at: number, id: string, start: string) =>
		(log.take(poll(at, { id, start })).came[0]?.at ?? Number.NaN) - now;
	// Already there: the grid knows better.
	expect(beginningOf(now, "first", startAt(now - 60_000))).toBeCloseTo(-60_000, -2);
	expect(beginningOf(now + 500, "second", startAt(now + 300))).toBeCloseTo(300, -2);
	// A grid whose clock is an hour slow, or fast, or that says nothing.
	expect(beginningOf(now + 1_000, "third", startAt(now - 3_600_000))).toBeCloseTo(490, -1);
	expect(beginningOf(now + 1_500, "fourth", startAt(now + 3_600_000))).toBeCloseTo(1_500, -1);
	expect(beginningOf(now + 2_000, "fifth", "then")).toBeCloseTo(2_000, -1);
});
