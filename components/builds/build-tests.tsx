"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import { resultPath } from "@tapedeck/contract/result-path.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { failurePath } from "#components/failures/failure-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { requestPlay } from "#components/recordings/player/player-link.ts";
import { isFailure, ResultIcon, resultWord } from "#components/tests/result-icon.tsx";
import { testPath } from "#components/tests/test-path.ts";
import { failureFramePath, testResultsQuery } from "#components/tests/tests.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { counted, formatLength } from "#lib/client/format.ts";
import type { TestPart } from "./build-parts.ts";
import { buildPath } from "./build-path.ts";

interface Props {
	name: string;
	part: TestPart;
	report: BuildReport;
}

/** Search terms of these parts, among the last results of the build's tests. */
const SEARCHES = {
	tests: "",
	failed: "outcome:failed outcome:error",
	passed: "outcome:passed",
	skipped: "outcome:skipped",
	running: "outcome:none",
} as const;
/** Where the report has the others. */
const IN_REPORT = { new: "newlyFailing", still: "stillFailing", fixed: "fixed", flaky: "flaky" } as const;
const isInReport = (part: TestPart): part is keyof typeof IN_REPORT => part in IN_REPORT;

/** The tests of a build, or a part of them: what failed as a wall of frames, then each test once, with its last result. */
export function BuildTests({ name, part, report }: Props) {
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
		<div className="flex flex-col gap-6 p-4 md:p-6">
			<FrameWall results={framed.filter(({ hasFrame }) => hasFrame)} />
			{isInReport(part) ? (
				<ListedResults {...report[IN_REPORT[part]]} />
			) : (
				<FoundResults name={name} q={SEARCHES[part]} first={first} />
			)}
		</div>
	);
}

/** @param props.tests how many there are, of which `data` may be only the first. */
const ListedResults = ({ tests, data }: BuildReport["fixed"]) => (
	<div>
		<Results results={data} />
		{data.length < tests ? (
			<p className="mt-4 text-sm text-muted">{`The first ${data.length} of ${counted(tests, "test", "tests")}`}</p>
		) : null}
	</div>
);

interface FoundProps {
	name: string;
	/** A search among the last results of its tests. */
	q: string;
	/** Those that stand before all others. */
	first: readonly TestResult[];
}

/** Results page by page. */
function FoundResults({ name, q, first }: FoundProps) {
	const list = useInfiniteQuery(testResultsQuery({ q, lastOfBuild: name }));
	// A test that runs again has a newer last result than the report may know.
	const known = new Set(first.map(({ testId }) => testId));
	const others = (list.data?.pages.flatMap(({ data }) => data) ?? []).filter(({ testId }) => !known.has(testId));
	return (
		<div>
			{list.isError ? (
				<NotLoaded why={`Couldn't load the tests. ${errorMessage(list.error)}`} onRetry={() => void list.refetch()} />
			) : null}
			{list.isPending ? <Skeleton className="h-40 rounded-lg" /> : <Results results={[...first, ...others]} />}
			<ShowMore list={list} className="mt-4" />
		</div>
	);
}

const Results = ({ results }: { results: readonly TestResult[] }) =>
	results.length === 0 ? (
		<EmptyState icon={ListChecks} title="No tests here">
			Tests appear as they are reported.{" "}
			<a href="/docs/guides/finding" className="text-accent underline underline-offset-2">
				How to report test results
			</a>
		</EmptyState>
	) : (
		<ul aria-label="Tests" className="overflow-hidden rounded-lg border border-line bg-surface">
			{results.map((result) => (
				<ResultRow key={result.id} result={result} />
			))}
		</ul>
	);

const CHIP = "shrink-0 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap";

function ResultRow({ result }: { result: TestResult }) {
	const { test, testId, message, reason, recordingId, attempt, durationSeconds, project } = result;
	const failed = isFailure(result);
	const details = [
		project,
		attempt > 1 ? `attempt ${attempt}` : null,
		durationSeconds === null ? null : formatLength(durationSeconds),
		recordingId === null ? "no video" : null,
	].filter((part) => part !== null);
	return (
		<li className="relative flex gap-3 border-b border-line px-3 py-2.5 last:border-b-0 hover:bg-hover has-[a[data-result]:focus-visible]:outline-2 has-[a[data-result]:focus-visible]:-outline-offset-2 has-[a[data-result]:focus-visible]:outline-accent md:px-4">
			<ResultIcon result={result} className="mt-0.5 size-4" />
			<div className="min-w-0 flex-1">
				<div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
					<span className="sr-only">{`${resultWord(result)}: `}</span>
					<Link
						href={failed ? failurePath(result) : resultPath(result)}
						data-result={result.id}
						onClick={() => failed && recordingId !== null && requestPlay(recordingId)}
						className="min-w-0 text-sm font-medium break-words outline-none after:absolute after:inset-0"
					>
						{test}
					</Link>
					{result.new ? <span className={`${CHIP} bg-accent text-on-accent`}>New</span> : null}
					{result.flaky ? <span className={`${CHIP} bg-soft-warn text-warn`}>Flaky</span> : null}
				</div>
				{reason === null ? null : (
					<p className="mt-0.5 truncate font-mono text-xs text-muted" title={message ?? undefined}>
						{reason}
					</p>
				)}
				<p className="text-xs text-muted tabular-nums">{details.join(" · ")}</p>
			</div>
			<Link
				href={testPath(testId)}
				aria-label={`History of ${test}`}
				className="relative z-10 flex min-h-6 shrink-0 items-center self-start rounded-sm px-1 text-xs text-muted hover:text-ink hover:underline"
			>
				History
			</Link>
		</li>
	);
}

/** As many frames as fit without scrolling far. */
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
				{isMissing ? null : (
					// biome-ignore lint/performance/noImgElement: a small image of our own; nothing to optimise
					<img
						src={failureFramePath(result.id)}
						alt=""
						loading="lazy"
						decoding="async"
						onError={() => setMissing(true)}
						className="size-full object-contain"
					/>
				)}
			</div>
			<Link
				href={failurePath(result)}
				title={result.test}
				onClick={() => result.recordingId !== null && requestPlay(result.recordingId)}
				className="mt-1.5 block truncate text-xs font-medium outline-none after:absolute after:inset-0"
			>
				{result.test}
			</Link>
		</li>
	);
}
