"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import { ChevronLeft, ExternalLink, Search } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { useScrollRestoration } from "#components/recordings/library/use-list-position.ts";
import { useSourceLinks } from "#components/recordings/use-source-links.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatSpan, shortCommit } from "#lib/client/format.ts";
import { jobsQuery } from "#lib/client/jobs.ts";
import { BuildJobs } from "./build-jobs.tsx";
import { BUILD_PARTS, type BuildPart, countOf, isOfTests } from "./build-parts.ts";
import { buildPath } from "./build-path.ts";
import { BuildRuns } from "./build-runs.tsx";
import { BuildTests, type Found } from "./build-tests.tsx";
import { BuildVideos } from "./build-videos.tsx";
import { buildQuery, buildReportQuery } from "./builds.ts";

interface Props {
	name: string;
	/** The search that finds what belongs to it. */
	q: string;
	/** The shown part; null for the first one that exists. */
	part: BuildPart | null;
	/** The search among its tests, and their grouping. */
	found: Found;
}

/** A build as the report of a run: its tests, its jobs and its videos, and what is different from the build before. */
export function BuildPage({ name, q, part: first, found: firstFound }: Props) {
	const report = useQuery(buildReportQuery(name));
	const jobs = useInfiniteQuery(jobsQuery({ q }));
	const build = useQuery(buildQuery(name));
	const [chosen, setChosen] = useState(first);
	const [found, setFound] = useState(firstFound);
	const scroller = useRef<HTMLDivElement>(null);
	usePageTitle(`Build ${name}`);
	const part = chosen ?? (report.data === undefined ? null : firstPart(report.data, build.data?.recordings ?? 0));
	useScrollRestoration(scroller, `build ${name} ${part}`, report.isSuccess);
	const choose = (next: BuildPart) => {
		setChosen(next);
		window.history.replaceState(null, "", addressOf(name, next, found));
		scroller.current?.scrollTo({ top: 0 });
	};
	const findWithin = (changed: Partial<Found>) => {
		const next = { ...found, ...changed };
		setFound(next);
		window.history.replaceState(null, "", addressOf(name, part, next));
	};
	const testRuns = build.data?.testRuns ?? 0;
	const jobCount = jobs.data?.pages.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
	const counts = (one: BuildPart): string => {
		if (one === "jobs") return `${jobCount + testRuns}${jobs.hasNextPage ? "+" : ""}`;
		return one === "videos" ? String(build.data?.recordings ?? 0) : String(countOf(one, report.data));
	};
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-2 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<Link
					href="/builds"
					className="-ms-1 flex min-h-6 w-fit items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
				>
					<ChevronLeft aria-hidden className="size-4" />
					Builds
				</Link>
				<div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2">
					<h1 className="line-clamp-2 min-w-0 text-xl font-semibold tracking-tight break-words" title={name}>
						{`Build ${name}`}
					</h1>
					<div className="flex flex-wrap gap-2">
						<CiLink url={report.data?.ciUrl ?? null} />
						{jobCount === 0 ? null : (
							<Link href={`/jobs?q=${encodeURIComponent(q)}`} className={buttonClass()}>
								<Search aria-hidden className="size-4" />
								Search its jobs
							</Link>
						)}
					</div>
				</div>
				{report.data && !build.isPending ? (
					<Facts report={report.data} build={build.data ?? null} />
				) : (
					<div className="h-5" />
				)}
				<fieldset className="flex flex-wrap items-center gap-1.5">
					<legend className="sr-only">Show</legend>
					{BUILD_PARTS.filter((one) => one === part || isAlways(one) || countOf(one, report.data) > 0).map((one) => (
						<FilterChip key={one} pressed={one === part} onClick={() => choose(one)}>
							{one === "jobs" && testRuns > 0 ? "Runs" : NAMES[one]}
							<span className="text-muted tabular-nums">{counts(one)}</span>
						</FilterChip>
					))}
				</fieldset>
			</div>
			<div
				ref={scroller}
				className="min-h-0 flex-1 overflow-y-auto bg-canvas [overflow-anchor:none] [scrollbar-gutter:stable]"
			>
				<NotLoaded what="the tests" of={report} />
				{part === "jobs" && testRuns > 0 ? <BuildRuns build={name} /> : null}
				{part === "jobs" && (testRuns === 0 || jobCount > 0) ? <BuildJobs q={q} /> : null}
				{part === "videos" ? <BuildVideos name={name} q={q} scroller={scroller} /> : null}
				{part !== null && isOfTests(part) && report.data ? (
					<BuildTests key={part} name={name} part={part} report={report.data} {...found} onChange={findWithin} />
				) : null}
			</div>
		</div>
	);
}

function addressOf(name: string, part: BuildPart | null, { find, group }: Found): string {
	const params = new URLSearchParams({
		...(part === null ? {} : { show: part }),
		...(find === "" ? {} : { find }),
		...(group === "none" ? {} : { group }),
	});
	return `${buildPath(name)}?${params}`;
}

const NAMES: Record<BuildPart, string> = {
	tests: "Tests",
	failed: "Failed",
	new: "Newly failing",
	still: "Still failing",
	fixed: "Fixed",
	flaky: "Flaky",
	passed: "Passed",
	skipped: "Skipped",
	running: "Running",
	jobs: "Jobs",
	videos: "Videos",
};

const isAlways = (part: BuildPart): boolean => part === "tests" || part === "jobs" || part === "videos";

/** Failures are the reason why people open this page. */
function firstPart({ tests }: BuildReport, recordings: number): BuildPart {
	if (tests.all > 0) return "tests";
	return recordings > 0 ? "videos" : "jobs";
}

/** Branch, commit, how long it took by its jobs, as in the list, and what it is compared with. */
function Facts({ report, build }: { report: BuildReport; build: Build | null }) {
	const { branch, commit, repository, ciUrl, previous, previousBranch } = report;
	const { startedAt, endedAt } = build === null || build.jobs === 0 ? report : build;
	const labels = { branch, commit, repository, "ci.url": ciUrl };
	const links = useSourceLinks(
		Object.fromEntries(Object.entries(labels).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
	);
	const seconds = startedAt === null || endedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
	return (
		<ul className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
			{branch === null ? null : (
				<li className="min-w-0 break-words">
					<SourceLink href={links.branch}>{branch}</SourceLink>
				</li>
			)}
			{commit === null ? null : (
				<li className="font-mono text-xs leading-5" title={commit}>
					<SourceLink href={links.commit}>{shortCommit(commit)}</SourceLink>
				</li>
			)}
			{startedAt === null ? null : (
				<li>
					Started <TimeAgo at={startedAt} />
				</li>
			)}
			{seconds === null ? null : <li>{`Took ${formatSpan(seconds)}`}</li>}
			{report.tests.all === 0 ? null : previous === null ? (
				<li>No earlier build of this series to compare with</li>
			) : (
				<li className="min-w-0">
					{"Compared with "}
					<Link href={buildPath(previous)} className="break-words text-accent underline underline-offset-2">
						{`build ${previous}`}
					</Link>
					{previousBranch === branch || previousBranch === null ? null : ` on ${previousBranch}`}
				</li>
			)}
		</ul>
	);
}

/** A link to what is outside of Tapedeck; the text alone where its address is unknown. */
const SourceLink = ({ href, children }: { href: string | undefined; children: string }) =>
	href === undefined ? (
		children
	) : (
		<a href={href} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
			{children}
		</a>
	);

/** To where it ran, if its label `ci.url` is an address of the web. */
const CiLink = ({ url }: { url: string | null }) =>
	url === null || !/^https?:\/\//i.test(url) ? null : (
		<a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
			<ExternalLink aria-hidden className="size-4" />
			Open in CI
		</a>
	);
