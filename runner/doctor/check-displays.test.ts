import { expect, test } from "vitest";
import { checkDisplays } from "./check-displays.ts";

const refusal = { code: "display_unavailable", what: "refuses the runner", remedy: "allow it with xhost" };
const refused = [":0", ":99"].map((id) => ({ id, ...refusal }));
const open = { id: ":5", xName: ":5", width: 640, height: 360 };
const levelsOf = (displays: (typeof open)[], wanted: string | null) =>
	checkDisplays({ displays, refused, allowed: null }, wanted, null).map(({ level }) => level);

test("a display that refuses the runner is a failure if it is the configured one, or if there is nothing else to record", () => {
	expect(levelsOf([], ":99")).toEqual(["warning", "failure"]);
	expect(levelsOf([open], ":99")).toEqual(["ok", "warning", "failure"]);
	expect(levelsOf([open], ":5")).toEqual(["ok", "warning", "warning"]);
	expect(levelsOf([], null)).toEqual(["failure", "failure"]);
	expect(levelsOf([open], null)).toEqual(["ok", "warning", "warning"]);
});

test("a wanted display that is not there is the failure, whatever other displays refuse", () => {
	expect(levelsOf([], ":7")).toEqual(["warning", "warning", "failure"]);
});
