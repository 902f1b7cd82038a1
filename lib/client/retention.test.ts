import { expect, test } from "vitest";
import { policyOf, textsOf } from "./retention-texts.ts";

test("a policy survives its form, limits that are not set included", () => {
	for (const policy of [
		{ maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null },
		{ maxAgeDays: null, maxDiskPercent: null, maxBytes: 1_500_000_000 },
	]) {
		expect(policyOf(textsOf(policy))).toEqual(policy);
	}
});
