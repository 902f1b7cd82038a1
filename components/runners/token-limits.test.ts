import { expect, test } from "vitest";
import { NEW_TOKEN, tokenBody } from "./token-limits.ts";

test("fields that are left empty limit nothing", () => {
	expect(tokenBody({ ...NEW_TOKEN, name: "ci" }, 0)).toEqual({ name: "ci" });
});

test("lists are separated by commas, and the time counts from now", () => {
	const values = {
		...{ name: "ci", maxRunners: "3", enrollUntil: "24", namePattern: "ci-*" },
		...{ labels: "pool=ci, os = linux,", displays: ":1, :2", grids: "http://grid:4444" },
		capabilities: ["upload" as const, "record" as const],
	};
	expect(tokenBody(values, Date.parse("2026-11-21T12:00:00Z"))).toEqual({
		...{ name: "ci", maxRunners: 3, enrollUntil: "2026-11-22T12:00:00.000Z", namePattern: "ci-*" },
		...{ labels: { pool: "ci", os: "linux" }, displays: [":1", ":2"], grids: ["http://grid:4444"] },
		capabilities: ["record", "upload"],
	});
});
