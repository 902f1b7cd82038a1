import { expect, test } from "vitest";
import { hubStatus, type StatusSession } from "../../test/grids/grid-status.ts";
import type { Poll } from "./grid-health.ts";
import { readStatus } from "./read-status.ts";
import { SessionClock, type SessionStart } from "./session-clock.ts";

type Slots = (string | null)[];
const seenIn = (slots: Slots): Poll["seen"] => {
	const sessions = slots.map((id): StatusSession | null => (id === null ? null : { id }));
	const reading = readStatus(JSON.stringify(hubStatus([{ id: "n", uri: "http://n:5555", slots: sessions }])));
	if (reading.kind !== "count") throw new Error("unreadable");
	return reading;
};
const unknown: Poll["seen"] = { kind: "unknown", why: "no nodes" };

/** A poll every 500 ms, answered after 5 ms. @returns when it ended, in ms, with the decision; null if it did not. */
function play(start: Partial<SessionStart>, script: (Slots | Poll["seen"])[]) {
	const clock = new SessionClock({ at: 0, sessionId: null, waitMs: null, ...start });
	for (const [index, step] of script.entries()) {
		const askedAt = index * 500;
		const seen = Array.isArray(step) ? seenIn(step) : step;
		const decision = clock.take({ askedAt, answeredAt: askedAt + 5, seen });
		if (decision !== null) return { at: askedAt + 5, decision, sessionId: clock.sessionId };
	}
	return null;
}

test("ends half a second after its session has gone, by two polls", () => {
	const end = play({ sessionId: "a" }, [["a"], ["a"], [null], [null], [null]]);
	expect(end).toMatchObject({ at: 1_505, decision: { reason: "session_ended", sessionId: "a" } });
	expect(end?.decision.polls).toHaveLength(2);
});

test("a session that is missing from one answer, or in an answer that tells nothing, has not gone", () => {
	expect(play({ sessionId: "a" }, [["a"], [null], ["a"], [null], unknown, [null], ["a"]])).toBeNull();
});

test("ends at once when its slot holds another session, or one that is being created", () => {
	expect(play({ sessionId: "a" }, [["a"], ["b"]])).toMatchObject({ at: 505 });
	expect(play({ sessionId: "a" }, [["a"], ["reserved"]])).toMatchObject({ at: 505 });
	expect(
		play({ sessionId: "a" }, [
			["a", null],
			[null, "b"],
		]),
	).toBeNull();
});

test("a session whose slot is at another place of the next answer has not ended", () => {
	const answer = (slots: Slots, order: number[]) => {
		const sessions = slots.map((id) => (id === null ? null : { id }));
		const reading = readStatus(JSON.stringify(hubStatus([{ id: "n", uri: "http://n:5555", slots: sessions, order }])));
		if (reading.kind !== "count") throw new Error("unreadable");
		return reading;
	};
	const both: Slots = ["a", "b"];
	const [listed, missing] = [answer(both, [0, 1]), answer([null, "b"], [1, 0])];
	// The place of its slot is taken by another slot, with the other session, in an answer that misses it for once.
	expect(play({ sessionId: "a" }, [listed, missing, answer(both, [1, 0])])).toBeNull();
	expect(play({ sessionId: "a" }, [listed, answer(["c", "b"], [1, 0])])).toMatchObject({ at: 505 });
});

test("without an id, it follows the next session to begin and none that was there before", () => {
	const end = play({}, [
		["old", null],
		["old", "reserved"],
		["old", "new"],
		["old", "new"],
		[null, "new"],
		[null],
		[null],
	]);
	expect(end).toMatchObject({ at: 3_005, sessionId: "new" });
	// It was being created when the recording began.
	expect(play({}, [["reserved"], ["a"], [null], [null]])).toMatchObject({ sessionId: "a" });
});

test("a recording that gets its first answer late follows the session that is there", () => {
	const late = [...new Array(7).fill(unknown), ["a"], [null], [null]];
	expect(play({}, late)).toMatchObject({ sessionId: "a", decision: { reason: "session_ended" } });
});

test("waits for the session as long as its setting says", () => {
	const never: Slots[] = new Array(20).fill([null]);
	expect(play({}, never)).toBeNull();
	expect(play({ waitMs: 3_000 }, never)).toMatchObject({ at: 3_505, decision: { sessionId: null } });
	// A session with an id exists already, so if it is missing, it has ended.
	expect(play({ sessionId: "a", waitMs: 0 }, never)).toMatchObject({ at: 505, decision: { sessionId: null } });
});

test("a grid that only counts its sessions is not recognised after 60 s", () => {
	const counts: Poll["seen"] = { kind: "count", active: 1, sessions: null };
	expect(play({ sessionId: "a" }, new Array(130).fill(counts))).toMatchObject({
		at: 60_005,
		decision: { reason: "grid_not_recognised", why: "it counts its sessions, but does not list them" },
	});
});
