import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import { groupsOf } from "./result-groups.ts";

const result = (testId: number, values: Partial<TestResult>) =>
	({
		id: testId,
		testId,
		test: `test ${testId}`,
		outcome: "passed",
		cause: null,
		reason: null,
		file: null,
		...values,
	}) as TestResult;

const RESULTS = [
	result(1, { file: "cart.spec.ts" }),
	result(2, { outcome: "failed", cause: "a", reason: "#total: expected 80, received 89", file: "pay.spec.ts" }),
	result(3, { outcome: "failed", cause: "b", reason: "no such user", file: "login.spec.ts" }),
	result(4, { outcome: "error", cause: "a", reason: "#total: expected 80, received 90", file: "pay.spec.ts" }),
	result(5, { outcome: "failed" }),
	result(6, {}),
];

const shown = (by: "cause" | "file") =>
	groupsOf(by, RESULTS).map(({ title, failed, results }) => [title, failed, results.map(({ id }) => id)]);

test("failures of one cause are a group, and a failure without a message has a group of its own", () => {
	expect(shown("cause")).toEqual([
		["#total: expected 80, received 89", 2, [2, 4]],
		["no such user", 1, [3]],
		["test 5 failed without a message", 1, [5]],
		["No failure", 0, [1, 6]],
	]);
});

test("tests of one file are a group, those with failures first", () => {
	expect(shown("file")).toEqual([
		["pay.spec.ts", 2, [2, 4]],
		["login.spec.ts", 1, [3]],
		["No file reported", 1, [5, 6]],
		["cart.spec.ts", 0, [1]],
	]);
});
