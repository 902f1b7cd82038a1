import { expect, test } from "vitest";
import type { Failure } from "#lib/contract/failure.ts";
import { groupFailures, periodOf, startOf } from "./failure-groups.ts";

const failure = (id: number, name: string, labels: Record<string, string> = {}) => ({ id, name, labels }) as Failure;

test("failures are grouped by build and test, each where its first failure is", () => {
	const groups = groupFailures([
		failure(5, "Attempt 2", { build: "7", test: "cart" }),
		failure(4, "Smoke"),
		failure(3, "Attempt 1", { build: "7", test: "cart" }),
		failure(2, "Login", { build: "7" }),
		failure(1, "Smoke", { build: "6" }),
	]);
	expect(
		groups.map(({ build, count, tests }) => [
			build,
			count,
			tests.map(({ test, failures }) => [test, failures.map(({ id }) => id)]),
		]),
	).toEqual([
		[
			"7",
			3,
			[
				["cart", [5, 3]],
				["Login", [2]],
			],
		],
		[null, 1, [["Smoke", [4]]]],
		["6", 1, [["Smoke", [1]]]],
	]);
});

test("a period begins when the user last looked, on the evening before, or so many hours ago", () => {
	const now = new Date(2026, 10, 24, 8, 30).getTime();
	const seenAt = new Date(2026, 10, 22, 9).getTime();
	expect(startOf("seen", now, seenAt)).toBe(seenAt);
	expect(startOf("night", now, seenAt)).toBe(new Date(2026, 10, 23, 18).getTime());
	expect(startOf("day", now, seenAt)).toBe(now - 86_400_000);
	expect(startOf("week", now, null)).toBe(now - 7 * 86_400_000);
	// Who never looked sees a week.
	expect(startOf("seen", now, null)).toBe(startOf("week", now, null));
	expect([periodOf("night"), periodOf("tomorrow"), periodOf(null)]).toEqual(["night", "seen", "seen"]);
});
