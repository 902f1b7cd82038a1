"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, SearchX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { lastPassedQuery } from "#components/failures/failures.ts";
import { Link } from "#components/navigation/link.tsx";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { formatDuration, quoted } from "#lib/client/format.ts";
import { markersQuery } from "#lib/client/markers.ts";
import { recordingQuery } from "#lib/client/recordings.ts";
import type { LastPassed } from "#lib/contract/failure.ts";
import type { Recording } from "#lib/contract/recording.ts";
import { PlayerStage } from "../player/player-stage.tsx";
import type { PlayerStore } from "../player/player-store.ts";
import { SharedPlayer, useAttached } from "../player/use-player.tsx";
import { RecordingBadges } from "../recording-badges.tsx";
import { RecordingNotFound } from "../recording-not-found.tsx";
import { CompareControls } from "./compare-controls.tsx";
import { PairedPlayers } from "./paired-players.ts";

interface Props {
	recordingId: number;
	/** The other recording; null for the last of the same test that passed. */
	withId: number | null;
	startSeconds: number;
}

/** A recording beside the last of the same test that passed. */
export function ComparePage({ recordingId, withId, startSeconds }: Props) {
	const recording = useQuery(recordingQuery(recordingId));
	const lastPassed = useQuery({ ...lastPassedQuery(recordingId), enabled: withId === null });
	const chosen = useQuery({ ...recordingQuery(withId ?? 0), enabled: withId !== null });
	const other = withId === null ? lastPassed.data?.recording : chosen.data;
	usePageTitle(recording.data ? `Compare ${recording.data.name}` : "Compare");
	const queries = [recording, withId === null ? lastPassed : chosen];
	const broken = queries.find(({ isError }) => isError);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			<div className="mx-auto flex max-w-[2200px] flex-col gap-4 p-4 md:p-6">
				<Link
					href={`/recordings/${recordingId}`}
					className="-ms-1 flex min-h-6 w-fit items-center gap-1 rounded-sm pe-1 text-sm text-muted hover:text-ink"
				>
					<ChevronLeft aria-hidden className="size-4 shrink-0" />
					Recording
				</Link>
				{broken === undefined ? null : (
					<NotLoaded
						why={`Couldn't load the recordings. ${errorMessage(broken.error)}`}
						onRetry={() => void Promise.all(queries.map((query) => query.refetch()))}
					/>
				)}
				{broken === undefined && queries.some(({ isPending }) => isPending) ? (
					<div className="grid gap-4 md:grid-cols-2">
						<Skeleton className="aspect-video rounded-lg" />
						<Skeleton className="aspect-video rounded-lg" />
					</div>
				) : null}
				{recording.data === null || (withId !== null && chosen.data === null) ? <RecordingNotFound /> : null}
				{recording.data && withId === null && lastPassed.data?.recording === null ? (
					<NonePassed recording={recording.data} matchedBy={lastPassed.data.matchedBy} />
				) : null}
				{recording.data && other ? (
					<Pair
						key={`${recording.data.id} ${other.id}`}
						left={recording.data}
						right={other}
						otherBranch={withId === null && lastPassed.data?.sameBranch === false}
						startSeconds={startSeconds}
					/>
				) : null}
			</div>
		</div>
	);
}

interface PairProps {
	left: Recording;
	right: Recording;
	/** Whether the right one is from another branch, because none on the same one passed. */
	otherBranch: boolean;
	startSeconds: number;
}

function Pair({ left, right, otherBranch, startSeconds }: PairProps) {
	const [pair] = useState(() => new PairedPlayers(left, right, startSeconds));
	// After the effects of both sides, which attach their videos.
	useEffect(() => pair.open(), [pair]);
	const markers = [useQuery(markersQuery(left.id)).data ?? [], useQuery(markersQuery(right.id)).data ?? []] as const;
	return (
		<>
			<h1 className="text-xl font-semibold tracking-tight break-words">{left.labels.test ?? left.name}</h1>
			<div className="grid items-start gap-4 md:grid-cols-2">
				<Side recording={left} player={pair.left} onToggle={pair.toggle} />
				<Side
					recording={right}
					player={pair.right}
					onToggle={pair.toggle}
					note={
						otherBranch ? `From ${right.labels.branch ?? "another branch"}. No passing recording on this branch.` : null
					}
				/>
			</div>
			<CompareControls pair={pair} left={markers[0]} right={markers[1]} />
		</>
	);
}

interface SideProps {
	recording: Recording;
	player: PlayerStore;
	onToggle(): void;
	note?: string | null;
}

function Side({ recording, player, onToggle, note = null }: SideProps) {
	const video = useRef<HTMLVideoElement>(null);
	const still = useRef<HTMLCanvasElement>(null);
	useAttached(player, video, still);
	const { id, name, labels } = recording;
	return (
		<section aria-label={name} className="flex min-w-0 flex-col gap-2">
			<div className="overflow-hidden rounded-lg border border-line bg-black">
				<SharedPlayer player={player}>
					<PlayerStage
						recording={recording}
						video={video}
						still={still}
						preload="auto"
						withPoster={false}
						onToggle={onToggle}
					/>
				</SharedPlayer>
			</div>
			<div className="flex flex-wrap items-center gap-x-2 gap-y-1">
				<Link
					href={`/recordings/${id}`}
					className="min-w-0 text-sm leading-6 font-medium break-words underline-offset-2 hover:underline"
				>
					{name}
				</Link>
				<RecordingBadges recording={recording} />
			</div>
			<p className="text-xs text-muted tabular-nums">
				{labels.build === undefined ? null : `Build ${labels.build} · `}
				{labels.branch === undefined ? null : `${labels.branch} · `}
				{`${formatDuration(Math.round(recording.durationSeconds))} · `}
				<TimeAgo at={recording.createdAt} />
			</p>
			{note === null ? null : <p className="text-xs text-warn">{note}</p>}
		</section>
	);
}

function NonePassed({ recording, matchedBy }: { recording: Recording; matchedBy: LastPassed["matchedBy"] }) {
	const test = recording.labels.test ?? recording.name;
	return (
		<EmptyState
			icon={SearchX}
			title="No passed recording to compare with"
			level="h1"
			actions={
				<Link href={`/recordings/${recording.id}`} className={buttonClass("primary")}>
					Back to the recording
				</Link>
			}
		>
			{matchedBy === "test"
				? `No earlier recording with the test label ${quoted(test)} passed.`
				: `No earlier recording named ${quoted(test)} passed. Set the same test label on all recordings of a test to match them by it.`}{" "}
			Report passing results too. If you keep only failures, pin a passing recording to compare with.{" "}
			<a href="/docs/finding.md" className="text-accent underline underline-offset-2">
				How to report test results
			</a>
		</EmptyState>
	);
}
