import { expect, test } from "vitest";
import { NewerFacts } from "./newer-facts.ts";

test("of each thing it is told what was said last, when that is not older than asked for", () => {
	const facts = new NewerFacts<string>();
	facts.note(1, "first", 100);
	facts.note(2, "early", 100);
	facts.note(3, null, 150);
	facts.note(1, "last", 200);
	expect(facts.since(150)).toEqual([
		{ id: 3, value: null },
		{ id: 1, value: "last" },
	]);
	expect(facts.since(201)).toEqual([]);
});

test("events are forgotten when no fetch can be that old", () => {
	const facts = new NewerFacts<string>();
	facts.note(1, "old", 0);
	facts.note(2, "new", 120_000);
	expect(facts.since(0)).toEqual([{ id: 2, value: "new" }]);
});
