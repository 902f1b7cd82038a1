import { expect, test } from "vitest";
import { addressOf, filtersFromSearch, type TestFilters } from "./test-filters.ts";

test.each<[string, TestFilters]>([
	["/tests", { show: "all", order: "newest", q: "" }],
	["/tests?show=new&sort=slowest&q=suite%3ALogin", { show: "new", order: "slowest", q: "suite:Login" }],
])("the address %s has the filters that it is made of", (address, filters) => {
	expect(addressOf(filters)).toBe(address);
	expect(filtersFromSearch(new URL(address, "http://localhost").searchParams)).toEqual(filters);
});

test("filters that an address misspells are left out", () => {
	expect(filtersFromSearch(new URLSearchParams("show=toString&sort=odd&q=%20 "))).toEqual({
		...{ show: "all", order: "newest", q: "" },
	});
});
