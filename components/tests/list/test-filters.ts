/** Filters and order of the list of tests, and their form in the URL. */
import type { TestSort } from "@tapedeck/contract/listed-test.ts";
import type { Order } from "@tapedeck/contract/recording-kinds.ts";

/** Search terms of each choice. */
export const SHOWN = {
	all: { name: "All", q: "" },
	failing: { name: "Failing", q: "outcome:failed outcome:error" },
	new: { name: "Newly failing", q: "new:yes" },
	flaky: { name: "Flaky", q: "flaky:yes" },
} as const;
export type Shown = keyof typeof SHOWN;

/** The orders, by their name in the URL. */
export const ORDERS = {
	newest: { name: "Newest result", sort: "lastAt", order: "desc" },
	"pass-rate": { name: "Lowest pass rate", sort: "passRate", order: "asc" },
	flaky: { name: "Most flaky", sort: "flakyRate", order: "desc" },
	slowest: { name: "Slowest", sort: "durationSeconds", order: "desc" },
	slower: { name: "Most slowed down", sort: "durationChangeSeconds", order: "desc" },
} as const satisfies Record<string, { name: string; sort: TestSort; order: Order }>;
export type TestOrder = keyof typeof ORDERS;

export interface TestFilters {
	show: Shown;
	order: TestOrder;
	q: string;
}

/** The filters of a URL; invalid ones are left out. */
export function filtersFromSearch(params: URLSearchParams): TestFilters {
	return {
		show: (Object.keys(SHOWN) as Shown[]).find((show) => show === params.get("show")) ?? "all",
		order: (Object.keys(ORDERS) as TestOrder[]).find((order) => order === params.get("sort")) ?? "newest",
		q: (params.get("q") ?? "").trim().slice(0, 1_000),
	};
}

/** The address of the page with these filters. */
export function addressOf({ show, order, q }: TestFilters): string {
	const params = new URLSearchParams();
	if (show !== "all") params.set("show", show);
	if (order !== "newest") params.set("sort", order);
	if (q !== "") params.set("q", q);
	return params.size === 0 ? "/tests" : `/tests?${params}`;
}
