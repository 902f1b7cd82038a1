"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { GitBranch, Layers } from "lucide-react";
import { useState } from "react";
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
import { BuildLanes } from "./build-lanes.tsx";
import { BuildRow } from "./build-row.tsx";
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
			<div className="flex flex-col gap-3 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Builds" />
				<div className="flex flex-wrap items-center gap-2">
					<SearchBox
						label="Search builds"
						value={q}
						onChange={search}
						loadCompletion={loadCompletion}
						className="max-lg:w-full lg:w-64"
					/>
					<FilterChip pressed={isByBranch} onClick={() => show({ isByBranch: !isByBranch })}>
						<GitBranch aria-hidden />
						By branch
					</FilterChip>
				</div>
				<LazySearchTerms q={q || undefined} onChange={search} />
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-4 md:p-6">
				<NotLoaded what="the builds" of={list} />
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
							<BuildRow key={build.build} build={build} />
						))}
					</ul>
				) : null}
				<ShowMore list={list} className="mt-4 flex justify-center" />
			</div>
		</div>
	);
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
