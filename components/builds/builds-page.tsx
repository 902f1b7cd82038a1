"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import { GitBranch, Layers } from "lucide-react";
import { useState } from "react";
import { Link } from "#components/navigation/link.tsx";
import { LazySearchTerms } from "#components/search/lazy-search-terms.tsx";
import { loadCompletion } from "#components/search/load-completion.ts";
import { NoMatches } from "#components/search/no-matches.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { SearchBox } from "#components/ui/search-box.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { formatSpan, shortCommit } from "#lib/client/format.ts";
import { BuildResults } from "./build-counts.tsx";
import { BuildLanes } from "./build-lanes.tsx";
import { buildPath } from "./build-path.ts";
import { BuildStatus, buildSize } from "./build-status.tsx";
import { buildsQuery } from "./builds.ts";

interface Shown {
	/** The search. */
	q: string;
	/** Shows a lane for each branch instead of the list. */
	isByBranch: boolean;
}

function addressOf({ q, isByBranch }: Shown): string {
	const params = [...(q === "" ? [] : [`q=${encodeURIComponent(q)}`]), ...(isByBranch ? ["by=branch"] : [])];
	return params.length === 0 ? "/builds" : `/builds?${params.join("&")}`;
}

/** Every build, the one with the newest job or recording first. */
export function BuildsPage(first: Shown) {
	const [shown, setShown] = useState(first);
	const { q, isByBranch } = shown;
	const list = useInfiniteQuery(buildsQuery(q));
	const show = (changed: Partial<Shown>) => {
		const next = { ...shown, ...changed };
		setShown(next);
		window.history.replaceState(null, "", addressOf(next));
	};
	const search = (text: string) => show({ q: text });
	// A build with a new recording may have moved to an earlier page.
	const builds = [...new Map(list.data?.pages.flatMap(({ data }) => data.map((one) => [one.build, one]))).values()];
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Builds">
					<FilterChip pressed={isByBranch} onClick={() => show({ isByBranch: !isByBranch })}>
						<GitBranch aria-hidden />
						By branch
					</FilterChip>
					<SearchBox
						label="Search builds"
						value={q}
						onChange={search}
						loadCompletion={loadCompletion}
						className="w-56 sm:w-64"
					/>
				</PageHead>
				<LazySearchTerms q={q || undefined} onChange={search} className="mt-2" />
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 md:p-6">
				{list.isError ? (
					<NotLoaded
						why={`Couldn't load the builds. ${errorMessage(list.error)}`}
						onRetry={() => void list.refetch()}
					/>
				) : null}
				{list.isPending ? <Skeleton className="h-64 rounded-lg" /> : null}
				{list.isSuccess && builds.length === 0 ? (
					q === "" ? (
						<NoBuilds />
					) : (
						<NoMatches what="builds" path="/v1/builds" q={q} onClearFilters={() => search("")} />
					)
				) : null}
				{builds.length > 0 && isByBranch ? <BuildLanes builds={builds} /> : null}
				{builds.length > 0 && !isByBranch ? (
					<ul aria-label="Builds" className="rounded-lg border border-line bg-surface">
						{builds.map((build) => (
							<Row key={build.build} build={build} />
						))}
					</ul>
				) : null}
				<ShowMore list={list} className="mt-4 flex justify-center" />
			</div>
		</div>
	);
}

/** A build in the list. Its name is the link, and the link covers the whole row. */
const Row = ({ build }: { build: Build }) => (
	<li className="relative flex flex-col gap-x-4 gap-y-1.5 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent md:flex-row md:items-center">
		<BuildStatus status={build.status} />
		<div className="min-w-0 md:w-60 md:shrink-0">
			<Link
				href={buildPath(build.build)}
				className="block truncate text-sm font-medium outline-none after:absolute after:inset-0"
				title={build.build}
			>
				{build.build}
			</Link>
			<p className="text-xs text-muted tabular-nums">{buildSize(build)}</p>
		</div>
		<p className="flex min-w-0 gap-2 text-xs text-muted md:w-44 md:shrink-0 md:flex-col md:gap-0">
			<span className="truncate text-ink" title={build.branch ?? undefined}>
				{build.branch}
			</span>
			<span className="shrink-0 font-mono" title={build.commit ?? undefined}>
				{build.commit === null ? null : shortCommit(build.commit)}
			</span>
		</p>
		<div className="min-w-0 flex-1">
			<BuildResults build={build} />
		</div>
		<p className="flex shrink-0 gap-2 text-xs text-muted tabular-nums md:w-24 md:flex-col md:items-end md:gap-0">
			<Duration build={build} />
			<TimeAgo at={build.lastAt} />
		</p>
	</li>
);

/** From the beginning of its first job to the end of its last one. A test run may be imported long after its tests ran. */
function Duration({ build: { jobs, startedAt, endedAt } }: { build: Build }) {
	if (jobs === 0 || startedAt === null || endedAt === null) return null;
	return <span>{formatSpan((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000)}</span>;
}

const NoBuilds = () => (
	<EmptyState
		icon={Layers}
		title="No builds yet"
		actions={
			<a href="/docs" className={buttonClass("primary")}>
				Read the documentation
			</a>
		}
	>
		Jobs and recordings that share a <code>build</code> label are grouped here. Set it when you create a job:
		<code className="mt-3 block rounded-md border border-line bg-inset px-3 py-2 text-start text-xs break-words text-ink">
			{'"labels": {"build": "123", "branch": "main"}'}
		</code>
	</EmptyState>
);
