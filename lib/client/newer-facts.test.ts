import { expect, test } from "vitest";
import { NewerFacts } from "./newer-facts.ts";

type Thing = { id: number; state: string };

test("an answer that was under way while an event came in does not bring the old state back", () => {
	const facts = new NewerFacts<Thing>();
	facts.note(1, { id: 1, state: "new" }, 100);
	facts.note(2, null, 100);
	const answer = [
		{ id: 1, state: "old" },
		{ id: 2, state: "old" },
		{ id: 3, state: "old" },
	];
	expect(facts.overlay(answer, 50)).toEqual([
		{ id: 1, state: "new" },
		{ id: 3, state: "old" },
	]);
});

test("an answer that was asked for after the event counts", () => {
	const facts = new NewerFacts<Thing>();
	facts.note(1, { id: 1, state: "event" }, 100);
	expect(facts.overlay([{ id: 1, state: "answer" }], 101)).toEqual([{ id: 1, state: "answer" }]);
});

test("events are forgotten when no fetch can be that old", () => {
	const facts = new NewerFacts<Thing>();
	facts.note(1, { id: 1, state: "event" }, 0);
	facts.note(2, { id: 2, state: "event" }, 60_000);
	expect(facts.overlay([{ id: 1, state: "answer" }], -1)).toEqual([{ id: 1, state: "answer" }]);
});
