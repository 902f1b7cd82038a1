import { expect, test } from "vitest";
import { expiresAtOf } from "./key-expiry.ts";

const now = new Date(2026, 10, 21, 12).getTime();

test("a key ends so many days from now, or never", () => {
	expect(Date.parse(expiresAtOf("30", "", now) ?? "")).toBe(now + 30 * 86_400_000);
	expect(expiresAtOf("never", "", now)).toBeNull();
});

test("a key works on its last day to the end, where the person is", () => {
	expect(expiresAtOf("date", "2026-11-21", now)).toBe(new Date(2026, 10, 22).toISOString());
	expect(expiresAtOf("date", "2027-12-31", now)).toBe(new Date(2028, 0, 1).toISOString());
});

test("a day that is none, or has passed, is no last day", () => {
	for (const day of ["", "2026-11-20", "soon", "2026-11"]) expect(expiresAtOf("date", day, now)).toBeUndefined();
});
