import { expect, test } from "vitest";
import { safeNext } from "./sign-in.ts";

test("signing in redirects only to pages of this site", () => {
	expect(safeNext("/recordings/3?t=1.5")).toBe("/recordings/3?t=1.5");
	for (const elsewhere of [
		"https://evil.example",
		"//evil.example",
		"/\\evil.example",
		"javascript:alert(1)",
		"",
		null,
	]) {
		expect(safeNext(elsewhere)).toBe("/jobs");
	}
});
