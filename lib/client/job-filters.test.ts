import type { Job } from "@tapedeck/contract/job.ts";
import { expect, test } from "vitest";
import { apiQuery, filtersFromSearch, matchesFilters, searchFromFilters } from "./job-filters.ts";

test("filters survive the URL", () => {
	const filters = { status: ["queued" as const, "failed" as const], runnerId: 12, q: "a&b =c", to: "2026-11-23" };
	expect(filtersFromSearch(new URLSearchParams(searchFromFilters(filters)))).toEqual(filters);
	expect(filtersFromSearch(new URLSearchParams(searchFromFilters({ age: "24h" })))).toEqual({ age: "24h" });
	expect(searchFromFilters({})).toBe("");
});

test("invalid filters are left out of the URL", () => {
	const search = "?status=sleeping&status=failed&status=failed&runnerId=-1&q=%20%20&other=1";
	expect(filtersFromSearch(new URLSearchParams(search))).toEqual({ status: ["failed"] });
	expect(filtersFromSearch(new URLSearchParams("?runnerId=1e3"))).toEqual({});
	expect(filtersFromSearch(new URLSearchParams("?age=2h&from=yesterday&to=2026-02-30"))).toEqual({});
	expect(filtersFromSearch(new URLSearchParams("?to=0202-11-23"))).toEqual({});
	expect(filtersFromSearch(new URLSearchParams("?age=1h&from=2026-11-23"))).toEqual({ from: "2026-11-23" });
});

test("the order in the URL does not matter: equal filters mean the same list", () => {
	const one = filtersFromSearch(new URLSearchParams("?status=failed&status=queued"));
	const other = filtersFromSearch(new URLSearchParams("?status=queued&status=failed"));
	expect(one).toEqual(other);
});

test("other parameters of the URL stay", () => {
	expect(searchFromFilters({ q: "x" }, new URLSearchParams("?q=y&t=4"))).toBe("?t=4&q=x");
});

test("an age and days match the same jobs in the browser and in the API, the first and the last day included", () => {
	const now = new Date(2026, 10, 23, 12).getTime();
	const created = (...at: [month: number, day: number, hour: number, minute: number, second: number, ms: number]) =>
		new Date(2026, ...at).toISOString();
	const asked = (filters: Parameters<typeof apiQuery>[0], createdAt: string) => {
		const { createdAfter = "", createdBefore = "9" } = apiQuery(filters, now);
		const byApi = createdAt > createdAfter && createdAt < createdBefore;
		expect(matchesFilters({ createdAt } as Job, filters, now)).toBe(byApi);
		return byApi;
	};
	const days = { from: "2026-10-24", to: "2026-10-25" };
	expect(asked(days, created(9, 23, 23, 59, 59, 999))).toBe(false);
	expect(asked(days, created(9, 24, 0, 0, 0, 0))).toBe(true);
	// In much of Europe this day has 25 hours.
	expect(asked(days, created(9, 25, 23, 59, 59, 999))).toBe(true);
	expect(asked(days, created(9, 26, 0, 0, 0, 0))).toBe(false);
	expect(asked({ to: "2026-10-25" }, created(0, 1, 0, 0, 0, 0))).toBe(true);
	expect(asked({ from: "2026-10-25" }, created(10, 23, 12, 0, 0, 1))).toBe(true);
	expect(asked({ age: "1h" }, created(10, 23, 11, 0, 0, 0))).toBe(false);
	expect(asked({ age: "1h" }, created(10, 23, 11, 0, 0, 1))).toBe(true);
	expect(asked({}, created(0, 1, 0, 0, 0, 0))).toBe(true);
});
