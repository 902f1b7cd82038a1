import { expect, test } from "vitest";
import { filtersFromSearch, searchFromFilters } from "./job-filters.ts";

test("filters survive the URL", () => {
	const filters = { status: ["queued" as const, "failed" as const], runnerId: 12, q: "a&b =c" };
	expect(filtersFromSearch(new URLSearchParams(searchFromFilters(filters)))).toEqual(filters);
	expect(searchFromFilters({})).toBe("");
});

test("invalid filters are left out of the URL", () => {
	const search = "?status=sleeping&status=failed&status=failed&runnerId=-1&q=%20%20&other=1";
	expect(filtersFromSearch(new URLSearchParams(search))).toEqual({ status: ["failed"] });
	expect(filtersFromSearch(new URLSearchParams("?runnerId=1e3"))).toEqual({});
});

test("the order in the URL does not matter: equal filters mean the same list", () => {
	const one = filtersFromSearch(new URLSearchParams("?status=failed&status=queued"));
	const other = filtersFromSearch(new URLSearchParams("?status=queued&status=failed"));
	expect(one).toEqual(other);
});

test("other parameters of the URL stay", () => {
	expect(searchFromFilters({ q: "x" }, new URLSearchParams("?q=y&t=4"))).toBe("?t=4&q=x");
});
