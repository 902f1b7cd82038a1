"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronLeft, Layers, Search } from "lucide-react";
import { useRef } from "react";
import { Link } from "#components/navigation/link.tsx";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { CardSkeletons, RecordingsGrid } from "#components/recordings/library/recordings-grid.tsx";
import { useScrollRestoration } from "#components/recordings/library/use-list-position.ts";
import { useLoadedRecordings, useWithoutDeleted } from "#components/recordings/library/use-loaded-recordings.ts";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { buildPath } from "#lib/client/build-path.ts";
import { buildQuery } from "#lib/client/builds.ts";
import { counted, formatSpan } from "#lib/client/format.ts";
import { useNextPages } from "#lib/client/paging.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import type { Build } from "#lib/contract/build.ts";
import { BuildCounts } from "./build-counts.tsx";

interface Props {
	name: string;
	/** The search that finds its recordings. */
	q: string;
}

/** Everything that a build recorded, what failed first. */
export function BuildPage({ name, q }: Props) {
	const build = useQuery(buildQuery(name));
	usePageTitle(`Build ${name}`);
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-2 border-b border-line px-4 pt-4 pb-3 md:px-6">
				<Link
					href="/builds"
					className="-ms-1 flex w-fit items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
				>
					<ChevronLeft aria-hidden className="size-4" />
					Builds
				</Link>
				<div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2">
					<h1 className="line-clamp-2 min-w-0 text-xl font-semibold tracking-tight break-words" title={name}>
						{`Build ${name}`}
					</h1>
					<Link href={`/recordings?q=${encodeURIComponent(q)}`} prefetch={false} className={buttonClass()}>
						<Search aria-hidden className="size-4" />
						Search this build
					</Link>
				</div>
				{build.data ? <Summary build={build.data} /> : <div className="h-11" />}
			</div>
			<Wall name={name} q={q} />
		</div>
	);
}

const Summary = ({ build }: { build: Build }) => (
	<div className="flex min-h-11 flex-col gap-1.5">
		<ul className="flex flex-wrap gap-x-4 text-sm text-muted tabular-nums">
			<li>{counted(build.recordings, "recording", "recordings")}</li>
			<li>{`${formatSpan(build.durationSeconds)} of video`}</li>
			<li>
				First <TimeAgo at={build.firstAt} />
			</li>
			<li>
				Last <TimeAgo at={build.lastAt} />
			</li>
		</ul>
		<BuildCounts build={build} />
	</div>
);

/** The posters: what failed, then everything else. Each part has the newest first. */
function Wall({ name, q }: Props) {
	const scroller = useRef<HTMLDivElement>(null);
	const filters = { q: `${q} outcome:failed outcome:error` };
	const filtersBehind = { q: `${q} -outcome:failed -outcome:error` };
	const failed = useInfiniteQuery(recordingsQuery(filters));
	const others = useInfiniteQuery(recordingsQuery(filtersBehind));
	useRememberedList({ name: `Build ${name}`, href: buildPath(name), filters, filtersBehind });
	// Others come behind the last that failed.
	const recordings = useWithoutDeleted(useLoadedRecordings(failed.data, failed.hasNextPage ? undefined : others.data));
	const pager = failed.hasNextPage ? failed : others;
	const lists = [failed, others];
	const isLoading = lists.some(({ isPending }) => isPending);
	const broken = lists.find(({ isError }) => isError);
	// A search may have looked at many recordings for a page and found none yet.
	const isSearchingOn = recordings.length === 0 && !isLoading && broken === undefined && pager.hasNextPage;
	useNextPages(pager, 0, isSearchingOn ? 0 : Number.POSITIVE_INFINITY, 0);
	const shown = isLoading ? [] : recordings;
	useScrollRestoration(scroller, `build ${name}`, shown.length > 0);
	return (
		<div
			ref={scroller}
			className="min-h-0 flex-1 overflow-y-auto bg-canvas [overflow-anchor:none] [scrollbar-gutter:stable]"
		>
			{broken === undefined ? null : (
				<NotLoaded
					why={`Couldn't load the recordings. ${errorMessage(broken.error)}`}
					onRetry={() => void Promise.all(lists.map((list) => list.refetch()))}
				/>
			)}
			{(isLoading && broken === undefined) || isSearchingOn ? <CardSkeletons /> : null}
			{shown.length > 0 ? (
				<RecordingsGrid
					recordings={shown}
					scroller={scroller}
					pager={pager}
					stale={false}
					isOneBuild
					selection={null}
					onDelete={() => undefined}
				/>
			) : null}
			{!isLoading && broken === undefined && shown.length === 0 && !isSearchingOn ? <Nothing /> : null}
		</div>
	);
}

const Nothing = () => (
	<EmptyState
		icon={Layers}
		title="No recordings of this build"
		actions={
			<Link href="/builds" className={buttonClass("primary")}>
				All builds
			</Link>
		}
	>
		They were deleted or have another label now, or the link is incomplete. New ones appear here.
	</EmptyState>
);
