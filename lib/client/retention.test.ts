import { expect, test } from "vitest";
import { policyOf, retentionValuesOf } from "./retention.ts";

test("a policy survives its form, unset limits included", () => {
	for (const policy of [
		{ maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null, trashHours: 24, testResultDays: 400 },
		{ maxAgeDays: null, maxDiskPercent: null, maxBytes: 1_500_000_000, trashHours: 0, testResultDays: 1 },
	]) {
		expect(policyOf(retentionValuesOf(policy))).toEqual(policy);
	}
});
