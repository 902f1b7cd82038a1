"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestHistory, TestResult } from "@tapedeck/contract/test-result.ts";
import { ChevronLeft, SearchX } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterSelect } from "#components/ui/filter-select.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { counted, formatLength, formatShare } from "#lib/client/format.ts";
import { DurationPlot } from "./duration-plot.tsx";
import { OutcomeStrip } from "./outcome-strip.tsx";
import { loadAttachments, ResultCard, ResultDetails } from "./result-details.tsx";
import { isFailure } from "./result-icon.tsx";
import { testPath } from "./test-path.ts";
import { testHistoryQuery, testResultQuery } from "./tests.ts";

interface Props {
	testId: number;
	/** The result to show in full, such as one without a video; null for none. */
	resultId: number | null;
	/** Null for all branches. */
	branch: string | null;
}

const PAGE_SIZE = 100;

/** A test over time: its last failure beside its last pass, how often it passes, since when it fails and why. */
export function TestPage({ testId, resultId, branch }: Props) {
	const query = useInfiniteQuery(testHistoryQuery({ testId, ...(branch === null ? {} : { branch }) }, PAGE_SIZE));
	const history = query.data?.pages[0];
	const results = query.data?.pages.flatMap((page) => page?.data ?? []) ?? [];
	const isNamedLoaded = useIsNamedLoaded(resultId);
	usePageTitle(history?.test?.test);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-[1600px] flex-col gap-4 p-4 md:p-6">
				<Link
					href="/tests"
					className="-ms-1 flex min-h-6 w-fit items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
				>
					<ChevronLeft aria-hidden className="size-4 shrink-0" />
					Tests
				</Link>
				<NotLoaded what="the test" of={query} />
				{query.isPending || (history?.test && !isNamedLoaded) ? <Waiting /> : null}
				{query.isSuccess && !history?.test ? <NotFound /> : null}
				{history?.test && isNamedLoaded ? (
					<>
						<Head history={history} test={history.test} branch={branch} />
						{resultId === null ? null : <Named resultId={resultId} />}
						<LastOnes history={history} results={results} />
						<Numbers history={history} />
						<Results results={results} resultId={resultId} />
						<ShowMore list={query} className="-mt-2" />
					</>
				) : null}
			</div>
		</div>
	);
}

interface HeadProps {
	history: TestHistory;
	test: NonNullable<TestHistory["test"]>;
	branch: string | null;
}

function Head({ history, test, branch }: HeadProps) {
	const goTo = useNavigate();
	// Branches of all results, whichever branch is shown.
	const { branches } =
		useInfiniteQuery(testHistoryQuery({ testId: test.id }, PAGE_SIZE)).data?.pages[0]?.summary ?? history.summary;
	const choose = (value: string) =>
		void goTo(`${testPath(test.id)}${value === "" ? "" : `?branch=${encodeURIComponent(value)}`}`);
	return (
		<div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
			<div className="min-w-0">
				<h1 className="line-clamp-3 text-xl font-semibold tracking-tight break-words" title={test.test}>
					{test.test}
				</h1>
				<ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
					<FailingSince since={history.summary.failingSince} />
					{test.file === null ? null : (
						<li className="min-w-0 break-all">{`${test.file}${test.line === null ? "" : `:${test.line}`}`}</li>
					)}
					{test.project === null ? null : <li className="break-words">{test.project}</li>}
					{test.repository === null ? null : <li className="break-words">{test.repository}</li>}
					<li>
						First result <TimeAgo at={test.firstAt} />
					</li>
					<li>
						Last result <TimeAgo at={test.lastAt} />
					</li>
				</ul>
				<OtherProjects test={test} />
			</div>
			{branches.length > 1 || branch !== null ? (
				<FilterSelect
					label="Branch"
					value={branch ?? ""}
					options={[
						["", "All branches"],
						...[...new Set([...branches, ...(branch === null ? [] : [branch])])].map((one) => [one, one] as const),
					]}
					onChange={choose}
				/>
			) : null}
		</div>
	);
}

/** Since its last pass, or ever if it never passed. */
const FailingSince = ({ since }: { since: TestHistory["summary"]["failingSince"] }) =>
	since === null ? null : (
		<li className="min-w-0 break-words text-danger">
			{"Failing since "}
			{since.build === null ? null : (
				<>
					<Link href={buildPath(since.build)} className="underline underline-offset-2">
						{`build ${since.build}`}
					</Link>
					{", "}
				</>
			)}
			<TimeAgo at={since.startedAt} />
		</li>
	);

/** The same test of other projects, such as other browsers, each with its own page. */
function OtherProjects({ test }: Pick<HeadProps, "test">) {
	const results = useInfiniteQuery(testHistoryQuery({ test: test.test }, PAGE_SIZE)).data?.pages[0]?.data ?? [];
	const others = new Map(results.filter(({ testId }) => testId !== test.id).map((one) => [one.testId, one]));
	if (others.size === 0) return null;
	return (
		<p className="mt-1 flex flex-wrap gap-x-2 text-sm text-muted">
			Also in
			{[...others.values()].map(({ testId, project }) => (
				<Link key={testId} href={testPath(testId)} className="leading-6 text-accent underline underline-offset-2">
					{project ?? "no project"}
				</Link>
			))}
		</p>
	);
}

/** Whether all of the named result is there, which is as tall as what it has. What is below must not jump. */
function useIsNamedLoaded(resultId: number | null): boolean {
	const { data, isPending } = useQuery({ ...testResultQuery(resultId ?? 0), enabled: resultId !== null });
	const hasAttachments = (data?.attachmentCount ?? 0) > 0;
	const [, fetch] = useLazyModule(loadAttachments);
	const [isTried, setTried] = useState(false);
	useEffect(() => {
		if (hasAttachments) void fetch(true).then(() => setTried(true));
	}, [hasAttachments, fetch]);
	return resultId === null || (!isPending && (isTried || !hasAttachments));
}

/** The result that the address names: in full, because there may be no video that shows it. */
function Named({ resultId }: { resultId: number }) {
	const { data: result } = useQuery(testResultQuery(resultId));
	if (!result) {
		return <p className="text-sm text-muted">This result isn't there anymore: results are deleted after a while.</p>;
	}
	return <ResultDetails result={result} isOnTestPage />;
}

/** Summary of the results. */
function Numbers({ history }: { history: TestHistory }) {
	const { results, passed, failed, error, flaky, durationSeconds } = history.summary;
	const ended = passed + failed + error;
	return (
		<dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
			<Figure name="Pass rate" value={ended === 0 ? "–" : formatShare(passed / ended)}>
				{`${passed} of ${counted(ended, "result", "results")}`}
			</Figure>
			<Figure name="Flaky" value={results === 0 ? "–" : formatShare(flaky / results)}>
				{counted(flaky, "flaky result", "flaky results")}
			</Figure>
			<Figure name="Failures" value={String(failed + error)}>
				{`${failed} failed, ${error} with an error`}
			</Figure>
			<Figure name="Duration" value={durationSeconds === null ? "–" : formatLength(durationSeconds)}>
				median
			</Figure>
		</dl>
	);
}

interface FigureProps {
	name: string;
	value: string;
	children: ReactNode;
}

const Figure = ({ name, value, children }: FigureProps) => (
	<div className="min-w-0 bg-surface px-4 py-3">
		<dt className="text-xs text-muted">{name}</dt>
		<dd className="truncate text-lg font-semibold tabular-nums" title={value}>
			{value}
		</dd>
		<dd className="text-xs text-muted tabular-nums">{children}</dd>
	</div>
);

/** Outcome and length of each run, and the causes of failures. */
function Results({ results, resultId }: { results: readonly TestResult[]; resultId: number | null }) {
	const causes = useMemo(() => causesOf(results), [results]);
	if (results.length === 0) return <p className="text-sm text-muted">No results on this branch.</p>;
	return (
		<section aria-labelledby="results" className="rounded-lg border border-line bg-surface p-4">
			<h2 id="results" className="text-sm font-semibold">
				Results
			</h2>
			<p className="mb-2 text-xs text-muted">The newest is last. A failure's letter is its cause.</p>
			<OutcomeStrip
				results={results}
				currentId={resultId ?? undefined}
				label="Results of this test"
				letterOf={(cause) => causes.get(cause)?.letter}
			/>
			{causes.size === 0 ? null : (
				<ul aria-label="Causes" className="mt-3 flex flex-col gap-1 text-sm">
					{[...causes].map(([cause, { letter, newest, count }]) => (
						<li key={cause} className="flex min-w-0 items-baseline gap-2">
							<span className="w-5 shrink-0 text-center text-xs font-semibold text-danger">{letter}</span>
							<Link
								href={resultPath(newest)}
								title={newest.message ?? undefined}
								className="min-w-0 truncate font-mono text-xs leading-6 underline-offset-2 hover:underline"
							>
								{newest.reason ?? "No message"}
							</Link>
							<span className="shrink-0 text-xs text-muted tabular-nums">{`× ${count}`}</span>
						</li>
					))}
				</ul>
			)}
			<DurationPlot results={results} />
		</section>
	);
}

interface Cause {
	letter: string;
	newest: TestResult;
	count: number;
}

/** A letter for each cause, the newest first; behind Z they have none of their own. */
function causesOf(results: readonly TestResult[]): Map<string, Cause> {
	const causes = new Map<string, Cause>();
	for (const result of results) {
		if (result.cause === null || !isFailure(result)) continue;
		const known = causes.get(result.cause);
		if (known) known.count += 1;
		else {
			const letter = causes.size < 26 ? String.fromCharCode(65 + causes.size) : "…";
			causes.set(result.cause, { letter, newest: result, count: 1 });
		}
	}
	return causes;
}

/** The last failure beside the last pass. */
function LastOnes({ history, results }: { history: TestHistory; results: readonly TestResult[] }) {
	const { lastFailedId, lastPassedId } = history.summary;
	const lastFailed = useResult(lastFailedId, results);
	const lastPassed = useResult(lastPassedId, results);
	if (lastFailedId === null && lastPassedId === null) return null;
	// The last one that passed may have no video.
	const compareWith = [lastPassed, ...results].find((one) => one?.outcome === "passed" && one.recordingId !== null);
	return (
		<div className="grid items-start gap-4 md:grid-cols-2">
			<Last
				title="Last failure"
				id={lastFailedId}
				none="It never failed."
				result={lastFailed}
				compareWith={compareWith?.id ?? null}
			/>
			<Last title="Last pass" id={lastPassedId} none="It never passed." result={lastPassed} compareWith={null} />
		</div>
	);
}

interface LastProps {
	title: string;
	id: number | null;
	none: string;
	/** Null or undefined while it loads. */
	result: TestResult | null | undefined;
	compareWith: number | null;
}

/** A result, which may be older than the loaded ones. */
function useResult(id: number | null, results: readonly TestResult[]): TestResult | null | undefined {
	const loaded = results.find((one) => one.id === id);
	const fetched = useQuery({ ...testResultQuery(id ?? 0), enabled: id !== null && loaded === undefined }).data;
	return loaded ?? fetched;
}

function Last({ title, id, none, result, compareWith }: LastProps) {
	return (
		<section aria-label={title} className="flex min-w-0 flex-col gap-2">
			<h2 className="text-sm font-semibold">{title}</h2>
			{id === null ? <p className="text-sm text-muted">{none}</p> : null}
			{id !== null && !result ? <Skeleton className="aspect-video rounded-lg" /> : null}
			{result ? <ResultCard result={result} compareWith={compareWith} /> : null}
		</section>
	);
}

const Waiting = () => (
	<>
		<Skeleton className="h-12 w-96 max-w-full" />
		<Skeleton className="h-20 rounded-lg" />
		<Skeleton className="h-64 rounded-lg" />
	</>
);

const NotFound = () => (
	<EmptyState
		icon={SearchX}
		title="Test not found"
		level="h1"
		actions={
			<Link href="/tests" className={buttonClass("primary")}>
				Tests
			</Link>
		}
	>
		None of its results are left, or the link is incomplete.
	</EmptyState>
);
