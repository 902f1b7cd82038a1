/** The durations of test files, which keep their order on machines of any speed. */
import { expect, test } from "vitest";
import { mergeDurations } from "./durations.mjs";

const always = () => true;

test("a file's duration is replaced when it has clearly changed, and kept otherwise", () => {
	const known = { "a.test.ts": 10, "b.test.ts": 10, "c.test.ts": 10 };
	const measured = { "a.test.ts": 10, "b.test.ts": 12, "c.test.ts": 30 };
	expect(mergeDurations(known, measured, always)).toEqual({ "a.test.ts": 10, "b.test.ts": 10, "c.test.ts": 25 });
});

test("a machine that takes three times as long for everything changes nothing", () => {
	const known = { "a.test.ts": 10, "b.test.ts": 20, "c.test.ts": 60 };
	const measured = { "a.test.ts": 30, "b.test.ts": 60, "c.test.ts": 180 };
	expect(mergeDurations(known, measured, always)).toEqual(known);
});

test("a new file is added at the speed of the others, a short one is not listed, and a deleted one is removed", () => {
	const known = { "a.test.ts": 10, "deleted.test.ts": 20 };
	const measured = { "a.test.ts": 20, "new.test.ts": 8, "short.test.ts": 0.4 };
	const merged = mergeDurations(known, measured, (file) => file !== "deleted.test.ts");
	expect(merged).toEqual({ "a.test.ts": 10, "new.test.ts": 4 });
});
