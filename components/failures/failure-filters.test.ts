import { expect, test } from "vitest";
import { addressOf, type FailureFilters, filtersFromSearch, GROUPINGS, PERIODS, startOf } from "./failure-filters.ts";

test("a period begins when the user last looked, on the evening before, or so many hours ago", () => {
	const now = new Date(2026, 10, 24, 8, 30).getTime();
	const seenAt = new Date(2026, 10, 22, 9).getTime();
	expect(startOf("seen", now, seenAt)).toBe(seenAt);
	expect(startOf("night", now, seenAt)).toBe(new Date(2026, 10, 23, 18).getTime());
	expect(startOf("day", now, seenAt)).toBe(now - 86_400_000);
	expect(startOf("week", now, null)).toBe(now - 7 * 86_400_000);
	// Users who have never looked see the last week.
	expect(startOf("seen", now, null)).toBe(startOf("week", now, null));
});

test("an address has the filters that it was made of, and nothing of what is usual", () => {
	const read = (address: string) => filtersFromSearch(new URL(address, "http://localhost").searchParams);
	expect(read("/failures")).toEqual({ period: "seen", by: "cause", muted: false, q: "" });
	expect(addressOf(read("/failures?since=tomorrow&by=colour&muted=1&q=%20"))).toBe("/failures");
	for (const period of PERIODS) {
		for (const by of Object.keys(GROUPINGS) as FailureFilters["by"][]) {
			for (const muted of [true, false]) {
				const filters = { period, by, muted, q: 'branch:"a & b"' };
				expect(read(addressOf(filters))).toEqual(filters);
			}
		}
	}
});
