import { MAX_LETS_PASS_DAYS } from "@tapedeck/contract/gate.ts";
import { expect, test } from "vitest";
import { muteDays } from "./mute-days.ts";

test("a mute that lets CI pass is offered for the longest time that the dashboard accepts, and for no longer", () => {
	expect(Math.max(...muteDays(true))).toBe(MAX_LETS_PASS_DAYS);
	expect(Math.max(...muteDays(false))).toBe(90);
});
