"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { aboutFailure } from "@tapedeck/contract/about-time.ts";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { ChevronRight, ListChecks } from "lucide-react";
import { useEffect, useState } from "react";
import { failurePath } from "#components/failures/failure-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { loadCompletion } from "#components/search/load-completion.ts";
import { NoMatches } from "#components/search/no-matches.tsx";
import { FailureImage } from "#components/tests/failure-image.tsx";
import { testResultsQuery } from "#components/tests/tests.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { counted } from "#lib/client/format.ts";
import type { TestPart } from "./build-parts.ts";
import { buildPath } from "./build-path.ts";
import { TestRows } from "./build-test-rows.tsx";
import { GROUPINGS, type Grouping, groupingOf, groupsOf, type ResultGroup } from "./result-groups.ts";

/** The search among the tests of a build, and their grouping. */
export interface Found {
	/** A search. */
	find: string;
	group: Grouping;
}

interface Props extends Found {
	name: string;
	part: TestPart;
	report: BuildReport;
	onChange(changed: Partial<Found>): void;
}

/** Search terms of these parts, among the last results of the build's tests. */
const SEARCHES = {
	tests: "",
	failed: "outcome:failed outcome:error",
	passed: "outcome:passed flaky:no",
	skipped: "outcome:skipped",
	running: "outcome:none",
} as const;
/** The place of the others in the report. */
const IN_REPORT = { new: "newlyFailing", still: "stillFailing", fixed: "fixed", flaky: "flaky" } as const;
const isInReport = (part: TestPart): part is keyof typeof IN_REPORT => part in IN_REPORT;

/** More tests than these are grouped only once the user loads them. */
const MOST_GROUPED = 1_000;
const PAGE_SIZE = 100;

/** The tests of a build, or a part of them: what failed as a wall of frames, then each test once, with its last result. */
export function BuildTests({ name, part, report, find, group, onChange }: Props) {
	const { newlyFailing, stillFailing } = report;
	const all = [...newlyFailing.data, ...stillFailing.data];
	const failed = { new: newlyFailing.data, still: stillFailing.data }[part as string] ?? all;
	useRememberedList({
		name: `Build ${name}`,
		href: `${buildPath(name)}?show=${part}`,
		items: failed.flatMap((result) =>
			result.recordingId === null ? [] : [{ id: result.recordingId, path: failurePath(result) }],
		),
	});
	const first = part === "tests" || part === "failed" ? failed : [];
	const framed = part === "new" || part === "still" ? failed : first;
	return (
		<div className="flex flex-col gap-4 p-4 md:p-6">
			<div className="flex flex-wrap gap-2">
				{isInReport(part) ? null : (
					<SearchBox
						label="Search tests of this build"
						value={find}
						onChange={(text) => onChange({ find: text })}
						loadCompletion={loadCompletion}
						className="max-lg:w-full lg:w-72"
					/>
				)}
				<FilterSelect
					label="Group"
					value={group}
					options={Object.entries(GROUPINGS)}
					onChange={(value) => onChange({ group: groupingOf(value) })}
				/>
			</div>
			{find === "" || isInReport(part) ? <FrameWall results={framed.filter(({ hasFrame }) => hasFrame)} /> : null}
			{isInReport(part) ? (
				<ListedResults {...report[IN_REPORT[part]]} group={group} />
			) : (
				<FoundResults
					name={name}
					{...{ part, find, group }}
					first={find === "" ? first : []}
					onClear={() => onChange({ find: "" })}
				/>
			)}
		</div>
	);
}

/** @param props.tests how many there are, of which `data` may be only the first. */
const ListedResults = ({ tests, data, group }: BuildReport["fixed"] & Pick<Found, "group">) => (
	<div>
		<Results results={data} group={group} />
		{data.length < tests ? (
			<p className="mt-4 text-sm text-muted">{`The first ${data.length} of ${counted(tests, "test", "tests")}`}</p>
		) : null}
	</div>
);

interface FoundProps extends Found {
	name: string;
	part: keyof typeof SEARCHES;
	/** Groups that are listed before all others. */
	first: readonly TestResult[];
	onClear(): void;
}

/** Results page by page. */
function FoundResults({ name, part, find, group, first, onClear }: FoundProps) {
	const q = `${SEARCHES[part]} ${find}`.trim();
	const list = useInfiniteQuery(testResultsQuery({ q, lastOfBuild: name }, PAGE_SIZE));
	// A test that runs again has a newer last result than the report may know.
	const known = new Set(first.map(({ testId }) => testId));
	const loaded = list.data?.pages.flatMap(({ data }) => data) ?? [];
	const results = [...first, ...loaded.filter(({ testId }) => !known.has(testId))];
	const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
	const loadsAll = group !== "none" && hasNextPage && !isFetchingNextPage && loaded.length < MOST_GROUPED;
	useEffect(() => {
		if (loadsAll) void fetchNextPage();
	}, [loadsAll, fetchNextPage]);
	return (
		<div>
			<NotLoaded what="the tests" of={list} />
			{list.isPending ? <Skeleton className="h-40 rounded-lg" /> : null}
			{list.isSuccess && results.length === 0 && find !== "" ? (
				<NoMatches what="tests" path="/v1/tests" q={find} onClearFilters={onClear} />
			) : null}
			{list.isSuccess && (results.length > 0 || find === "") ? <Results results={results} group={group} /> : null}
			<ShowMore list={list} className="mt-4" />
		</div>
	);
}

function Results({ results, group }: { results: readonly TestResult[] } & Pick<Found, "group">) {
	if (results.length === 0) return <NoTests />;
	if (group === "none") return <TestRows results={results} />;
	return (
		<div className="flex flex-col gap-3">
			{groupsOf(group, results).map((one) => (
				<Group key={one.key} group={one} />
			))}
		</div>
	);
}

/** Open if something failed: of 500 tests, those are few. */
const Group = ({ group: { title, failed, results } }: { group: ResultGroup }) => (
	<details open={failed > 0}>
		<summary className="flex cursor-pointer items-baseline gap-3 rounded-sm py-1 text-sm">
			<ChevronRight aria-hidden className="size-4 shrink-0 self-center in-open:rotate-90" />
			<span className="min-w-0 truncate font-medium" title={title}>
				{title}
			</span>
			<span className="shrink-0 text-xs text-muted tabular-nums">
				{`${failed > 0 ? `${failed} failed of ` : ""}${counted(results.length, "test", "tests")}`}
			</span>
		</summary>
		<div className="mt-1">
			<TestRows results={results} label={`Tests of ${title}`} />
		</div>
	</details>
);

const NoTests = () => (
	<EmptyState icon={ListChecks} title="No tests here">
		Tests appear as they are reported.{" "}
		<a href="/docs/guides/finding" className="text-accent underline underline-offset-2">
			How to report test results
		</a>
	</EmptyState>
);

/** The number of frames that fit without scrolling far. */
const MOST_FRAMES = 24;

/** The moments at which tests failed, side by side. */
const FrameWall = ({ results }: { results: readonly TestResult[] }) =>
	results.length === 0 ? null : (
		<ul
			aria-label="Frames of failures"
			className="grid grid-cols-[repeat(auto-fill,minmax(min(45%,200px),1fr))] gap-x-4 gap-y-4"
		>
			{results.slice(0, MOST_FRAMES).map((result) => (
				<FrameCard key={result.id} result={result} />
			))}
		</ul>
	);

function FrameCard({ result }: { result: TestResult }) {
	const [isMissing, setMissing] = useState(false);
	return (
		<li className="relative rounded-lg outline-offset-4 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent">
			<div className="aspect-video overflow-hidden rounded-lg border border-line bg-inset">
				{isMissing ? null : <FailureImage id={result.id} onMissing={() => setMissing(true)} />}
			</div>
			<Link
				href={failurePath(result)}
				title={result.test}
				onClick={() => result.recordingId !== null && requestPlay(result.recordingId)}
				className="mt-1.5 block truncate text-xs font-medium outline-none after:absolute after:inset-0"
			>
				{result.test}
			</Link>
			<p className="truncate text-xs text-muted tabular-nums">{aboutFailure(result)}</p>
		</li>
	);
}
