import { expect, test } from "vitest";
import { policyOf, retentionValuesOf } from "./retention.ts";

test("a policy survives its form, unset limits included", () => {
	for (const policy of [
		{ maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null, trashHours: 24 },
		{ maxAgeDays: null, maxDiskPercent: null, maxBytes: 1_500_000_000, trashHours: 0 },
	]) {
		expect(policyOf(retentionValuesOf(policy))).toEqual(policy);
	}
});
