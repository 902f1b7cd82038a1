import { expect, test } from "vitest";
import { expiresAtOf } from "./key-expiry.ts";

const now = new Date(2026, 10, 21, 12).getTime();

test("a key expires after a number of days, or never", () => {
	expect(Date.parse(expiresAtOf("30", "", now) ?? "")).toBe(now + 30 * 86_400_000);
	expect(expiresAtOf("never", "", now)).toBeNull();
});

test("a key works until the end of its last day in the user's time zone", () => {
	expect(expiresAtOf("date", "2026-11-21", now)).toBe(new Date(2026, 10, 22).toISOString());
	expect(expiresAtOf("date", "2027-12-31", now)).toBe(new Date(2028, 0, 1).toISOString());
});

test("an invalid or past day is rejected", () => {
	for (const day of ["", "2026-11-20", "soon", "2026-11"]) expect(expiresAtOf("date", day, now)).toBeUndefined();
});
