import type { RecentResult } from "@tapedeck/contract/listed-test.ts";
import { expect, test } from "vitest";
import { describe } from "./sparkline.tsx";

const result = (outcome: RecentResult["outcome"], flaky = false): RecentResult => ({
	...{ id: 1, outcome, flaky, startedAt: "2026-11-01T00:00:00.000Z", durationSeconds: 1 },
});

test("a sparkline says in words what it shows", () => {
	const results = [result("error"), result("passed", true), result("passed"), result("skipped"), result("failed")];
	expect(describe(results)).toBe(
		"Last 5 results: 1 passed, 1 failed, 1 with an error, 1 skipped, 1 flaky. The newest ended with an error.",
	);
	expect(describe([result("passed")])).toBe("Last 1 result: 1 passed. The newest passed.");
});
