import { expect, test } from "vitest";
import { NewerEvents } from "./newer-events.ts";

test("the last change of each item is returned, unless it is older than requested", () => {
	const events = new NewerEvents<string>();
	events.note(1, "first", 100);
	events.note(2, "early", 100);
	events.note(3, null, 150);
	events.note(1, "last", 200);
	expect(events.since(150)).toEqual([
		{ id: 3, value: null },
		{ id: 1, value: "last" },
	]);
	expect(events.since(201)).toEqual([]);
});

test("events are dropped once no fetch can be that old", () => {
	const events = new NewerEvents<string>();
	events.note(1, "old", 0);
	events.note(2, "new", 120_000);
	expect(events.since(0)).toEqual([{ id: 2, value: "new" }]);
});
