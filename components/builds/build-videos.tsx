"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Build } from "@tapedeck/contract/build.ts";
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { Layers } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "#components/navigation/link.tsx";
import { deletedOfBuildQuery } from "#components/recordings/deleted-recordings.ts";
import { useRememberedList } from "#components/recordings/last-list.ts";
import { CardSkeletons, RecordingsGrid } from "#components/recordings/library/recordings-grid.tsx";
import { useLoadedRecordings } from "#components/recordings/library/use-loaded-recordings.ts";
import { OutcomeBadge } from "#components/recordings/outcome-badge.tsx";
import { deletedByText } from "#components/recordings/trash/deletion-text.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, formatSpan } from "#lib/client/format.ts";
import { useNextPages } from "#lib/client/paging.ts";
import { recordingsQuery } from "#lib/client/recordings.ts";
import { BuildCounts } from "./build-counts.tsx";
import { buildPath } from "./build-path.ts";
import { buildQuery } from "./builds.ts";

interface Props {
	name: string;
	/** The search that finds its recordings. */
	q: string;
	scroller: RefObject<HTMLElement | null>;
}

/** The posters: what failed, then everything else. Each part has the newest first. */
export function BuildVideos({ name, q, scroller }: Props) {
	const build = useQuery(buildQuery(name));
	const filters = { q: `${q} outcome:failed outcome:error` };
	const filtersBehind = { q: `${q} -outcome:failed -outcome:error` };
	const failed = useInfiniteQuery(recordingsQuery(filters));
	const others = useInfiniteQuery(recordingsQuery(filtersBehind));
	useRememberedList({ name: `Build ${name}`, href: `${buildPath(name)}?show=videos`, filters, filtersBehind });
	// Others come behind the last that failed.
	const recordings = useLoadedRecordings(failed.data, failed.hasNextPage ? undefined : others.data);
	const pager = failed.hasNextPage ? failed : others;
	const lists = [failed, others];
	const isLoading = lists.some(({ isPending }) => isPending);
	const broken = lists.find(({ isError }) => isError);
	// A search may have looked at many recordings for a page and found none yet.
	const isSearchingOn = recordings.length === 0 && !isLoading && broken === undefined && pager.hasNextPage;
	useNextPages(pager, 0, isSearchingOn ? 0 : Number.POSITIVE_INFINITY, 0);
	const shown = isLoading ? [] : recordings;
	return (
		<>
			{build.data ? <Summary build={build.data} /> : null}
			<NotLoaded what="the recordings" of={lists} />
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
			{isLoading || pager.hasNextPage ? null : <DeletedVideos name={name} />}
		</>
	);
}

const Summary = ({ build }: { build: Build }) => (
	<div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 pt-4 text-sm text-muted tabular-nums md:px-6">
		{`${counted(build.recordings, "recording", "recordings")} · ${formatSpan(build.durationSeconds)} of video`}
		<BuildCounts build={build} />
	</div>
);

/** The remaining facts about the build's deleted recordings. */
function DeletedVideos({ name }: { name: string }) {
	const deleted = useInfiniteQuery(deletedOfBuildQuery(name));
	const rows = deleted.data?.pages.flatMap((page) => page.data) ?? [];
	if (rows.length === 0) return null;
	return (
		<section aria-label="Deleted videos" className="flex max-w-4xl flex-col gap-3 px-4 pb-6 md:px-6">
			<h2 className="text-sm font-semibold">Deleted videos</h2>
			<ul className="divide-y divide-line rounded-lg border border-line bg-surface">
				{rows.map((row) => (
					<li key={row.id} className="px-4 py-2.5">
						<div className="flex flex-wrap items-center gap-x-2 gap-y-1">
							<Link href={`/recordings/${row.id}`} className="min-w-0 truncate text-sm font-medium hover:underline">
								{row.name}
							</Link>
							<OutcomeBadge outcome={row.outcome} />
						</div>
						<p className="mt-0.5 text-xs text-muted tabular-nums">
							{`${formatDuration(row.durationSeconds)} · ${deletedByText(row)} `}
							<TimeAgo at={row.deletedAt} />
						</p>
					</li>
				))}
			</ul>
			<ShowMore list={deleted} className="self-start" />
		</section>
	);
}

const Nothing = () => (
	<EmptyState
		icon={Layers}
		title="No videos in this build yet"
		actions={
			<Link href="/builds" className={buttonClass("primary")}>
				All builds
			</Link>
		}
	>
		They appear here as they start. If the build has finished, they may have been deleted or relabeled.
	</EmptyState>
);
