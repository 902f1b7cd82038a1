"use client";

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ListedTest } from "@tapedeck/contract/listed-test.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { ListChecks } from "lucide-react";
import { useRef, useState } from "react";
import { useScrollRestoration } from "#components/recordings/library/use-list-position.ts";
import { LazySearchTerms } from "#components/search/lazy-search-terms.tsx";
import { loadCompletion } from "#components/search/load-completion.ts";
import { NoMatches } from "#components/search/no-matches.tsx";
import { DayPlot } from "#components/ui/day-plot.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { dailyTotalsQuery } from "#lib/client/daily-totals.ts";
import { formatShare } from "#lib/client/format.ts";
import { whenOutdated } from "#lib/client/outdated.ts";
import { pagesOf } from "#lib/client/paging.ts";
import { testKeys } from "#lib/client/query-keys.ts";
import { loadSearchLanguage, usableSearch } from "#lib/client/search-terms.ts";
import { addressOf, ORDERS, SHOWN, type Shown, type TestFilters, type TestOrder } from "./test-filters.ts";
import { TestList } from "./test-list.tsx";

const ORDER_OPTIONS = Object.entries(ORDERS).map(([order, { name }]) => [order, name] as const);

/** All tests, each with a summary of its newest results. */
export function TestsPage({ filters: first }: { filters: TestFilters }) {
	const [filters, setFilters] = useState(first);
	const { show, order, q } = filters;
	const list = useInfiniteQuery(listedTestsQuery(filters));
	const scroller = useRef<HTMLDivElement>(null);
	const address = addressOf(filters);
	// A test with a new result may have moved to an earlier page.
	const tests = [...new Map(list.data?.pages.flatMap(({ data }) => data.map((one) => [one.id, one]))).values()];
	useScrollRestoration(scroller, address, tests.length > 0);
	const change = (changed: Partial<TestFilters>) => {
		const next = { ...filters, ...changed };
		setFilters(next);
		window.history.replaceState(null, "", addressOf(next));
		scroller.current?.scrollTo({ top: 0 });
	};
	const findAlso = async (key: "suite" | "file" | "owner", value: string) => {
		const { printTerm } = await loadSearchLanguage();
		change({ q: `${q} ${printTerm({ kind: "label", key, value, not: false })}`.trim() });
	};
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Tests" />
				<div className="flex flex-col gap-2 lg:flex-row lg:items-center">
					<div className="flex flex-wrap gap-2">
						<SearchBox
							label="Search tests"
							value={q}
							onChange={(text) => change({ q: text })}
							loadCompletion={loadCompletion}
							className="max-lg:w-full lg:w-64"
						/>
						<FilterSelect
							label="Sort by"
							value={order}
							options={ORDER_OPTIONS}
							onChange={(chosen) => change({ order: chosen as TestOrder })}
						/>
					</div>
					<fieldset className="flex flex-wrap items-center gap-1.5">
						<legend className="sr-only">Show</legend>
						{(Object.keys(SHOWN) as Shown[]).map((one) => (
							<FilterChip key={one} pressed={one === show} onClick={() => change({ show: one })}>
								{SHOWN[one].name}
							</FilterChip>
						))}
					</fieldset>
				</div>
				<LazySearchTerms q={q || undefined} onChange={(text) => change({ q: text })} />
				{show === "flaky" ? <FlakinessOverTime /> : null}
			</div>
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas [overflow-anchor:none] [scrollbar-gutter:stable]"
			>
				<NotLoaded what="the tests" of={list} />
				{list.isPending ? <Skeleton className="m-4 h-64 rounded-lg md:m-6" /> : null}
				{list.isSuccess && tests.length === 0 ? (
					searchOf(filters) === "" ? (
						<NoTests />
					) : (
						<NoMatches
							what="tests"
							path="/v1/test-summaries"
							q={q}
							onClearFilters={() => change({ show: "all", q: "" })}
						/>
					)
				) : null}
				{tests.length > 0 ? (
					<TestList
						tests={tests}
						scroller={scroller}
						pager={list}
						stale={list.isPlaceholderData}
						onFindAlso={(key, value) => void findAlso(key, value)}
					/>
				) : null}
			</div>
		</div>
	);
}

const NoTests = () => (
	<EmptyState icon={ListChecks} title="No tests yet">
		Tests appear as their results are reported.{" "}
		<a href="/docs/guides/finding" className="text-accent underline underline-offset-2">
			How to report test results
		</a>
	</EmptyState>
);

/** The search that finds what is shown. */
const searchOf = ({ show, q }: Pick<TestFilters, "show" | "q">): string => `${SHOWN[show].q} ${q}`.trim();

const listedTestsQuery = (filters: TestFilters) =>
	infiniteQueryOptions({
		queryKey: testKeys.summaries(filters),
		...pagesOf<Page<ListedTest>>("/v1/test-summaries", async () => {
			const { sort, order } = ORDERS[filters.order];
			return { q: await usableSearch(searchOf(filters) || undefined), sort, order, limit: 50 };
		}),
		refetchInterval: whenOutdated,
		placeholderData: keepPreviousData,
	});

/** Fewer flaky tests than one in twenty do not fill the plot. */
const LEAST_SHARE = 0.05;

/** The share of flaky tests in the builds of each of the last 30 days. */
function FlakinessOverTime() {
	const totals = useQuery(dailyTotalsQuery).data;
	if (totals === undefined) return <div className="h-39" />;
	return (
		<DayPlot
			title="Flaky tests in builds of each day"
			columns={["Flaky", "Tests in builds"]}
			days={totals.map(({ day, tests, flaky }) => ({
				day,
				parts: tests === 0 ? null : [{ value: flaky / tests, look: "bg-warn" }],
				cells: [
					tests === 0 ? "–" : `${flaky.toLocaleString()} (${formatShare(flaky / tests)})`,
					tests.toLocaleString(),
				],
			}))}
			format={formatShare}
			atLeast={LEAST_SHARE}
		/>
	);
}
